// Databases for tests. A test takes one, closes it, and leaves it to the next test of its process, emptied (0.1 s of
// processor time; a copy of the template takes 0.5 s, an embedded database 1.6 s). A test may do with its database what it
// likes: one that is still in use, or whose schema, rights, settings or sequences differ from those of a fresh one, is not
// used again. What the roles of the whole server can do concerns all tests, so restore it in the same test.

import { dirname } from "node:path";
import { migrate } from "../../src/store/engine/schema/migrate.ts";
import type { Database } from "../../src/store/engine/database.ts";
import { MIGRATIONS } from "../../src/store/engine/schema/migrations.ts";
import { PgliteDatabase } from "../../src/store/engine/pglite/pglite.ts";
import { PostgresDatabase } from "../../src/store/engine/postgres/postgres.ts";
import { sha256Hex } from "../../src/kit/hash.ts";
import { exists } from "./files.ts";
import { LentDatabase } from "./store/lent-database.ts";
import { ReusedDatabases } from "./store/reused-databases.ts";
import pg from "pg";

/** `NDR_TEST_DATABASE_URL` is set by the test runner, which starts a throwaway server if it can. */
export const POSTGRES_URL = Deno.env.get("NDR_TEST_DATABASE_URL") ?? "";

/** A schema is prepared once for each set of migrations and copied for each test. */
const SCHEMA = sha256Hex(JSON.stringify(MIGRATIONS)).slice(0, 12);

/** What is kept for later runs, with an ending for each. */
const KEPT = `${Deno.env.get("TMPDIR") ?? "/tmp"}/ndr-test-${Deno.uid()}-${SCHEMA}`;

export type Engine = "pglite" | "postgres";

/** The available engines. */
export const ENGINES: readonly Engine[] = POSTGRES_URL === "" ? ["pglite"] : ["pglite", "postgres"];

/**
 * The engine of tests that need one: PostgreSQL, which starts faster, or else PGlite. Each engine if `NDR_TEST_ENGINES`
 * is `all`, to look for differences.
 */
export const DEFAULT_ENGINES: readonly Engine[] = Deno.env.get("NDR_TEST_ENGINES") === "all"
  ? ENGINES
  : ENGINES.slice(-1);

/**
 * Runs a test body on each engine, each time on an empty, migrated database. For what differs between the engines: SQL of
 * the store, and a few passes through everything. Other tests use {@link testDatabase}.
 */
export function testDatabases(name: string, body: (db: Database) => Promise<void>): void {
  for (const engine of ENGINES) Deno.test(`${name} (${engine})`, () => withDatabase(body, engine));
}

/** Runs a test body on a fresh, migrated database of the default engine. */
export function testDatabase(name: string, body: (db: Database) => Promise<void>): void {
  if (DEFAULT_ENGINES.length > 1) return testDatabases(name, body);
  Deno.test(name, () => withDatabase(body));
}

async function withDatabase(body: (db: Database) => Promise<void>, engine?: Engine): Promise<void> {
  const db = await freshDatabase(engine);
  try {
    await body(db);
  } finally {
    await db.close();
  }
}

/** An empty, migrated database; closing it leaves it to the next test of this process. */
export async function freshDatabase(engine: Engine = DEFAULT_ENGINES.at(-1)!): Promise<Database> {
  if (engine === "pglite") {
    const db = await embedded.take();
    return new LentDatabase(db, () => embedded.giveBack(db));
  }
  const { url, drop } = await freshPostgres();
  const db = new PostgresDatabase({ url });
  const close = db.close.bind(db);
  let closed: Promise<void> | null = null;
  db.close = () => closed ??= close().then(drop);
  return db;
}

const embedded = new ReusedDatabases<PgliteDatabase>({
  make: freshPglite,
  owned: (db, _again, work) => work(db),
  remove: (db) => db.close(),
});

/** An embedded database of its own; closing it removes it. */
export async function freshPglite(): Promise<PgliteDatabase> {
  return await PgliteDatabase.open({ directory: null, image: await image() });
}

/**
 * Makes a migrated embedded database in a directory that does not exist yet, as a first start leaves it: a copy of one that
 * is kept, which takes a tenth of the time of opening the image.
 */
export async function makeEmbedded(directory: string): Promise<void> {
  await copyFolder(await cluster(), directory);
}

async function cluster(): Promise<string> {
  const path = `${KEPT}.cluster`;
  if (await exists(path)) return path;
  const draft = `${path}.${crypto.randomUUID()}`;
  await (await PgliteDatabase.open({ directory: draft, image: await image() })).close();
  await Deno.remove(`${draft}.lock`);
  try {
    await Deno.rename(draft, path);
  } catch (error) {
    // Another process was faster.
    if (!(await exists(path))) throw error;
    await Deno.remove(draft, { recursive: true });
  }
  return path;
}

async function copyFolder(from: string, to: string): Promise<void> {
  await Deno.mkdir(dirname(to), { recursive: true });
  const { success, stderr } = await new Deno.Command("cp", { args: ["-RT", from, to] }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
}

/** Opening an empty cluster takes seconds, so an image of a migrated one is kept in the temporary folder. */
async function image(): Promise<Uint8Array> {
  const path = `${KEPT}.image`;
  try {
    return await Deno.readFile(path);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
  const db = await PgliteDatabase.open({ directory: null });
  try {
    await migrate(db);
    const bytes = await db.image();
    const draft = `${path}.${crypto.randomUUID()}`;
    await Deno.writeFile(draft, bytes, { mode: 0o600 });
    await Deno.rename(draft, path);
    return bytes;
  } finally {
    await db.close();
  }
}

/** A separate database on the test server. */
export interface OwnDatabase {
  url: string;
  drop: () => Promise<void>;
}

/** A database that is copied many times. */
interface Template {
  name: string;
  /** The template of the draft. */
  from: string;
  /** Fills the draft; what it returns is kept as the comment on the database. */
  fill: (url: string) => Promise<string>;
}

const MIGRATED: Template = {
  name: `ndr_template_${SCHEMA}`,
  from: "template0",
  async fill(url) {
    const db = new PostgresDatabase({ url });
    await migrate(db).finally(() => db.close());
    return "";
  },
};

/** An empty, migrated database on the test server; `drop` leaves it to the next test of this process. */
export async function freshPostgres(): Promise<OwnDatabase> {
  const database = await onServer.take();
  let dropped = false;
  const drop = () => {
    if (!dropped) onServer.giveBack(database);
    dropped = true;
    return Promise.resolve();
  };
  return { url: databaseUrl(database.name), drop };
}

const onServer = new ReusedDatabases<{ name: string }>({
  make: () =>
    asOwner(async (client) => {
      await provide(client, MIGRATED);
      return { name: await copy(client, MIGRATED) };
    }),
  async owned(database, again, work) {
    if (again) {
      // Fails while anybody is connected, and keeps out a program that connects late.
      const name = uniqueName();
      await asOwner((client) => client.query(`alter database ${database.name} rename to ${name}`));
      database.name = name;
    }
    const db = new PostgresDatabase({ url: databaseUrl(database.name) });
    try {
      return await work(db);
    } finally {
      await db.close();
    }
  },
  remove: ({ name }) => remove(name),
});

Deno.test.afterAll(async () => {
  await embedded.removeAll();
  await onServer.removeAll();
});

/**
 * A separate database, copied from a template that the files of a run share: the first one that needs it fills a migrated
 * database and comments on it.
 */
export async function copyOfFilled(
  kind: string,
  version: string,
  fill: Template["fill"],
): Promise<OwnDatabase & { comment: string }> {
  const template = { name: `${kind}_${SCHEMA}_${version}`, from: MIGRATED.name, fill };
  return await asOwner(async (client) => {
    await provide(client, MIGRATED);
    const comment = await provide(client, template);
    const name = await copy(client, template);
    return { url: databaseUrl(name), drop: () => remove(name), comment };
  });
}

/** Makes a template unless there is one, and returns its comment. The first file that needs it makes it, others wait. */
async function provide(client: pg.Client, { name, from, fill }: Template): Promise<string> {
  await client.query("select pg_advisory_lock(hashtext($1))", [name]);
  const find = () =>
    client.query<{ comment: string | null }>(
      "select shobj_description(oid, 'pg_database') as comment from pg_database where datname = $1",
      [name],
    );
  let found = await find();
  if (found.rowCount === 0) {
    const draft = `${name}_draft`;
    await client.query(`drop database if exists ${draft} with (force)`);
    await client.query(`create database ${draft} template ${from} encoding 'UTF8' locale 'C'`);
    const comment = await fill(databaseUrl(draft));
    await client.query(`comment on database ${draft} is ${client.escapeLiteral(comment)}`);
    await client.query(`alter database ${draft} rename to ${name}`);
    found = await find();
  }
  await client.query("select pg_advisory_unlock(hashtext($1))", [name]);
  return found.rows[0]!.comment ?? "";
}

async function copy(client: pg.Client, template: Template): Promise<string> {
  const name = uniqueName();
  await client.query(`create database ${name} template ${template.name}`);
  return name;
}

async function remove(name: string): Promise<void> {
  await asOwner((client) => client.query(`drop database if exists ${name} with (force)`));
}

function uniqueName(): string {
  return `ndr_test_${crypto.randomUUID().replaceAll("-", "")}`;
}

function databaseUrl(name: string): string {
  return POSTGRES_URL.replace(/\/[^/?]*(\?|$)/, `/${name}$1`);
}

async function asOwner<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: POSTGRES_URL });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
