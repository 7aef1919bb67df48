// An installation for `ndr telemetry`: a configuration, a database, and a registration server that must not
// be contacted.

import assert from "node:assert/strict";
import type { Database } from "../../../src/store/engine/database.ts";
import { PgliteDatabase } from "../../../src/store/engine/pglite/pglite.ts";
import { PostgresDatabase } from "../../../src/store/engine/postgres/postgres.ts";
import { sql } from "../../../src/store/engine/sql.ts";
import { registerTenants } from "../../../src/store/engine/tenants.ts";
import type { Ran } from "../command.ts";
import { programArgs } from "../program.ts";
import { freshPostgres, makeEmbedded, POSTGRES_URL } from "../database.ts";
import { INSTALL_ID } from "./telemetry.ts";

const ROOT = new URL("../../..", import.meta.url).pathname;
/** All permissions except the network. */
export const RIGHTS = ["read", "write", "env", "sys", "run", "ffi", "import"].map((right) =>
  `--allow-${right}`
);

/**
 * A configuration with a registration server that must not be contacted, and a database; counts connections
 * to the server.
 */
export class Installation {
  readonly #listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  connections = 0;
  /** The program and its first arguments; a program other than deno may wrap it. */
  program: string[] = [Deno.execPath()];
  /** A module to run instead of the program. */
  entry: string[] | null = null;

  private constructor(readonly folder: string, readonly databaseUrl: string) {
    void (async () => {
      for await (const connection of this.#listener) {
        this.connections++;
        connection.close();
      }
    })();
  }

  static async with(databaseUrl: string | null, body: (own: Installation) => Promise<void>): Promise<void> {
    const folder = await Deno.makeTempDir({ prefix: "ndr-telemetry-" });
    const own = new Installation(folder, databaseUrl ?? `embedded:${folder}/database`);
    try {
      await Deno.writeTextFile(
        `${folder}/sources.yaml`,
        "sources:\n  - { sensor_id: edge, tenant_id: main, token_env: EDGE, allowed_kinds: [zeek.conn], trust: packet }\n",
      );
      await body(own);
      assert.equal(own.connections, 0, "something connected to the registration server");
    } finally {
      own.#listener.close();
      await Deno.remove(folder, { recursive: true });
    }
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#listener.addr as Deno.NetAddr).port}`;
  }

  writeId(text = INSTALL_ID): Promise<void> {
    return Deno.writeTextFile(`${this.folder}/install-id`, `${text}\n`, { mode: 0o600 });
  }

  /** Runs `ndr telemetry …` with permission to connect to the database server only. */
  async run(args: string[], env: Record<string, string> = {}): Promise<Ran> {
    const server = serverOf(this.databaseUrl);
    const net = server === null ? "--deny-net" : `--allow-net=${server}`;
    const [program, ...first] = this.program;
    const flags = [...RIGHTS, net, "--no-prompt"];
    const command = new Deno.Command(program!, {
      args: [
        ...first,
        ...this.entry === null ? await programArgs(flags) : ["run", ...flags, "--no-check", ...this.entry],
        "telemetry",
        ...args,
      ],
      cwd: ROOT,
      clearEnv: true,
      env: {
        PATH: Deno.env.get("PATH") ?? "",
        HOME: Deno.env.get("HOME") ?? "",
        NO_COLOR: "1",
        DENO_NO_UPDATE_CHECK: "1",
        NDR_CONFIG_DIR: this.folder,
        NDR_STATE_DIR: this.folder,
        NDR_DATABASE_URL: this.databaseUrl,
        NDR_TELEMETRY_URL: this.origin,
        EDGE: "a-token-of-the-sensor-edge",
        ...env,
      },
      stdin: "null",
    });
    const { code, stdout, stderr } = await command.output();
    return { code, stdout: new TextDecoder().decode(stdout), stderr: new TextDecoder().decode(stderr) };
  }

  async withDatabase<T>(work: (db: Database) => Promise<T>): Promise<T> {
    const folder = /^embedded:(.+)$/.exec(this.databaseUrl)?.[1];
    const db = folder === undefined
      ? new PostgresDatabase({ url: this.databaseUrl })
      : await PgliteDatabase.open({ directory: folder });
    return await work(db).finally(() => db.close());
  }

  /** The state after the first start of a core. */
  async migrated(): Promise<void> {
    const folder = /^embedded:(.+)$/.exec(this.databaseUrl)?.[1];
    if (folder !== undefined) {
      await Deno.remove(folder, { recursive: true }).catch(() => {});
      await makeEmbedded(folder);
    }
    await this.withDatabase((db) => registerTenants(db, ["main"]));
  }

  log() {
    return this.withDatabase((db) =>
      db.shared((tx) =>
        tx.rows<Record<string, unknown>>(sql`
        select kind, outcome, install_id, origin, payload, failure from telemetry_log order by id`)
      )
    );
  }

  files(): string[] {
    return [...Deno.readDirSync(this.folder)].map(({ name }) => name).sort();
  }
}

/** Host and port of a database server in `--allow-net` form; null for an embedded database. */
export function serverOf(databaseUrl: string): string | null {
  if (databaseUrl.startsWith("embedded:")) return null;
  const folder = /[?&]host=([^&]+)/.exec(databaseUrl)?.[1];
  return folder === undefined
    ? new URL(databaseUrl).host
    : `unix:${decodeURIComponent(folder)}/.s.PGSQL.${/[?&]port=(\d+)/.exec(databaseUrl)?.[1] ?? 5432}`;
}

/** Runs on PostgreSQL if available, because it is faster. */
export function onOne(name: string, body: (own: Installation) => Promise<void>): void {
  Deno.test(name, async () => {
    if (POSTGRES_URL === "") return await Installation.with(null, body);
    const { url, drop } = await freshPostgres();
    await Installation.with(url, body).finally(drop);
  });
}

/** Runs on an embedded database, and on PostgreSQL if available. */
export function onBoth(name: string, body: (own: Installation) => Promise<void>): void {
  Deno.test(`${name} (pglite)`, () => Installation.with(null, body));
  Deno.test(`${name} (postgres)`, { ignore: POSTGRES_URL === "" }, async () => {
    const { url, drop } = await freshPostgres();
    await Installation.with(url, body).finally(drop);
  });
}
