// `ndr connectors` as an administrator runs it: the real program on its own database.

import assert from "node:assert/strict";
import {
  claimConnector,
  configureConnectors,
  connectorLease,
  connectorStates,
  saveConnector,
} from "../../../src/store/connector/connectors.ts";
import type { Database } from "../../../src/store/engine/database.ts";
import { appendEvents } from "../../../src/store/connector/event-log.ts";
import { acquireLease, releaseLease } from "../../../src/store/engine/leases.ts";
import { migrate } from "../../../src/store/engine/schema/migrate.ts";
import { openDatabase } from "../../../src/store/engine/open.ts";
import { PgliteDatabase } from "../../../src/store/engine/pglite/pglite.ts";
import { registerTenants } from "../../../src/store/engine/tenants.ts";
import { callNdr, type Ran } from "../../support/command.ts";
import { runNdr } from "../../support/program.ts";
import { writeConnectors } from "../../support/connector/connectors-file.ts";
import { DEFAULT_ENGINES, freshPostgres, POSTGRES_URL } from "../../support/database.ts";

const AT = Date.parse("2026-03-01T12:00:00Z") * 1000;
const EVENTS = 12;

/** A tenant with a log and two instances: one failed half-way, the other is switched off. */
async function fill(db: Database): Promise<void> {
  await registerTenants(db, ["main"]);
  await db.tenant("main", async (tx) => {
    await configureConnectors(tx, "main", [
      { instance: "soc", connector: "webhook", active: true },
      { instance: "gone", connector: "webhook", active: false },
    ], AT);
    const { holds, ...start } = await claimConnector(tx, "main", "soc", 1);
    await saveConnector(tx, "main", "soc", 1, {
      ...start,
      holds: holds + 1,
      state: "error",
      failureClass: "auth",
      message: "receiver.example answered 401",
      lastSuccessAt: AT,
      consecutiveFailures: 3,
      delivered: 7,
      failed: 3,
      pending: 5,
      bookmark: 7,
    });
    await appendEvents(
      tx,
      "main",
      Array.from({ length: EVENTS }, (_, index) => ({
        eventId: `evt_${String(index).padStart(32, "0")}`,
        type: "test",
        occurredAt: AT,
        body: {},
      })),
    );
  });
}

async function bookmark(db: Database): Promise<number | null> {
  const states = await db.tenant("main", (tx) => connectorStates(tx, "main"));
  return states.find(({ instance }) => instance === "soc")!.bookmark;
}

interface World {
  folder: string;
  databaseUrl: string;
  connectors(...args: string[]): Promise<Ran>;
  withDatabase<T>(work: (db: Database) => Promise<T>): Promise<T>;
}

/** An installation in its own folder, with a filled database. */
async function withWorld(
  engine: "pglite" | "postgres",
  body: (world: World) => Promise<void>,
): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "ndr-connectors-" });
  const server = engine === "postgres" ? await freshPostgres() : null;
  const databaseUrl = server?.url ?? `embedded:${folder}/database`;
  try {
    await writeConnectors(folder, [
      { instance: "soc", url: "https://receiver.example/hook?key=visible", config: { max_pending: 10 } },
      {
        instance: "new",
        url: "http://127.0.0.1:9/hook",
        tenant: "branch",
        config: { events: "test", timeout: "2s" },
      },
    ]);
    // In the format systemd reads.
    await Deno.writeTextFile(
      `${folder}/ndr.env`,
      `NDR_DATABASE_URL="${databaseUrl}"\nNDR_CONNECTORS_ENABLED=true\n`,
    );
    const withDatabase: World["withDatabase"] = async (work) => {
      const db = await openDatabase(databaseUrl);
      try {
        return await work(db);
      } finally {
        await db.close();
      }
    };
    await withDatabase(async (db) => {
      await migrate(db);
      await fill(db);
    });
    const connectors = (...args: string[]) => callNdr(["connectors", ...args], { NDR_CONFIG_DIR: folder });
    await body({ folder, databaseUrl, connectors, withDatabase });
  } finally {
    await Deno.remove(folder, { recursive: true });
    await server?.drop();
  }
}

for (const engine of DEFAULT_ENGINES) {
  Deno.test(`ndr connectors list: a table for people, lines for programs (${engine})`, () =>
    withWorld(engine, async ({ connectors }) => {
      const { code, stdout, stderr } = await connectors("list");
      assert.equal(code, 0, stderr);
      const lines = stdout.trimEnd().split("\n");
      assert.match(
        lines[0]!,
        /^TENANT +INSTANCE +CONNECTOR +ENABLED +STATE +BOOKMARK +PENDING +LAST SUCCESS \(UTC\) +MESSAGE$/,
      );
      assert.match(
        lines[1]!,
        /^main +soc +webhook +yes +error auth +7 +5 +2026-03-01 12:00:00\.000 +receiver\.example answered 401$/,
      );
      assert.match(lines[2]!, /^branch +new +webhook +yes +- +- +- +-$/);
      assert.match(lines[3]!, /^main +gone +webhook +removed +disabled +- +0 +-$/);
      assert.equal(lines.length, 4);
      assert.equal(
        stderr,
        "ndr connectors list: the service is stopped; this is its last recorded state\n",
      );

      const json = (await connectors("list", "--json")).stdout.trimEnd().split("\n").map((line) =>
        JSON.parse(line)
      );
      assert.deepEqual(json.map(({ instance, enabled }) => [instance, enabled]), [
        ["soc", true],
        ["new", true],
        ["gone", null],
      ]);
      assert.deepEqual(json[0].recorded, {
        state: "error",
        failure_class: "auth",
        message: "receiver.example answered 401",
        since: "2026-03-01T12:00:00.000Z",
        bookmark: 7,
        last_success_at: "2026-03-01T12:00:00.000Z",
        consecutive_failures: 3,
        items_last_hour: 0,
        blocked_until: null,
        delivered: 7,
        failed: 3,
        rejected: 0,
        dropped: 0,
        pending: 5,
      });
      assert.equal(json[1].recorded, null);
    }));

  Deno.test(`Replay: ndr connectors reset-cursor sets the bookmark before the oldest kept event (${engine})`, () =>
    withWorld(engine, async ({ connectors, withDatabase }) => {
      const { code, stdout, stderr } = await connectors("reset-cursor", "soc");
      assert.equal(code, 0, stderr);
      assert.equal(
        stdout,
        "soc: the bookmark is before the oldest event; the log of tenant main has 12.\n",
      );
      assert.match(
        stderr,
        /max_pending of soc is 10: of the events that it wants, only the newest 10 will be sent again/,
      );
      assert.equal(await withDatabase(bookmark), 0);

      const other = await connectors("reset-cursor", "other");
      assert.deepEqual([other.code, other.stdout], [1, ""]);
      assert.match(
        other.stderr,
        /there is no instance other in .*\/connectors\.yaml; there are: soc, new\n$/,
      );
      const fresh = await connectors("reset-cursor", "new");
      assert.equal(fresh.code, 1);
      assert.match(fresh.stderr, /has never been started with the instance new/);
    }));
}

Deno.test("with the embedded database in use, list says what it cannot know, and reset-cursor refuses", () =>
  withWorld("pglite", async ({ folder, connectors, withDatabase }) => {
    const db = await PgliteDatabase.open({ directory: `${folder}/database` });
    try {
      const { code, stdout, stderr } = await connectors("list");
      assert.equal(code, 0, stderr);
      assert.match(stdout, /^main +soc +webhook +yes +- +- +- +-$/m);
      assert.match(stdout, /^branch +new +webhook +yes +- +- +- +-$/m);
      assert.match(
        stderr,
        /state, bookmark, pending and last success are unknown here; see .*Health/,
      );
      const json = (await connectors("list", "--json")).stdout.trimEnd().split("\n").map((line) =>
        JSON.parse(line)
      );
      assert.deepEqual(json.map(({ recorded }) => recorded), [null, null]);
      const reset = await runNdr(["connectors", "reset-cursor", "soc"], { NDR_CONFIG_DIR: folder });
      assert.deepEqual([reset.code, reset.stdout], [1, ""]);
      assert.match(reset.stderr, /in use by another process; stop that one first/);
    } finally {
      await db.close();
    }
    assert.equal(await withDatabase(bookmark), 7);
  }));

if (POSTGRES_URL !== "") {
  Deno.test("reset-cursor refuses while a core works on the database, whether or not it serves the instance", () =>
    withWorld("postgres", async ({ connectors, withDatabase }) => {
      for (const held of ["pipeline:branch", connectorLease("soc"), connectorLease("other")]) {
        await withDatabase(async (db) => {
          const lease = await acquireLease(db, held, "a core", 60);
          const refused = await connectors("reset-cursor", "soc");
          assert.deepEqual([refused.code, refused.stdout], [1, ""], held);
          assert.match(refused.stderr, /^ndr connectors reset-cursor: the service runs: stop it first/, held);
          assert.equal(await bookmark(db), 7, held);
          const list = await connectors("list");
          assert.deepEqual(
            [list.code, list.stderr],
            [0, ""],
            "while it runs, list works and prints no note",
          );
          await releaseLease(db, lease!);
        });
      }
      assert.equal((await connectors("reset-cursor", "soc")).code, 0);
      assert.equal(await withDatabase(bookmark), 0);
    }));

  Deno.test("after a reset, a core that hung before cannot restore its old bookmark", () =>
    withWorld("postgres", async ({ connectors, withDatabase }) => {
      await withDatabase(async (db) => {
        const lease = await acquireLease(db, connectorLease("soc"), "a core that hangs", 60);
        const progress = await db.tenant("main", (tx) => claimConnector(tx, "main", "soc", lease!.epoch));
        await releaseLease(db, lease!);
        assert.equal((await connectors("reset-cursor", "soc")).code, 0);
        await assert.rejects(
          db.tenant("main", (tx) => saveConnector(tx, "main", "soc", lease!.epoch, progress)),
          /another core serves/,
        );
        assert.equal(await bookmark(db), 0);
      });
    }));
}
