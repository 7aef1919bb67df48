// The databases of tests themselves: a test must not be able to see what an earlier one did.

import assert from "node:assert/strict";
import { systemClock } from "../../../src/kit/clock.ts";
import type { Database } from "../../../src/store/engine/database.ts";
import { createPartitions } from "../../../src/store/engine/schema/partitions.ts";
import { type Sql, sql } from "../../../src/store/engine/sql.ts";
import { PostgresDatabase } from "../../../src/store/engine/postgres/postgres.ts";
import { type Engine, ENGINES, freshDatabase, freshPostgres, POSTGRES_URL } from "../../support/database.ts";
import { fingerprint } from "../../support/store/emptied.ts";

const POSTGRES = ENGINES.filter((engine) => engine === "postgres");

/** One row for each table, as far as its constraints accept plain values. */
const FILL = `
  set local session_replication_role = replica;
  do $$
  declare
    target record;
  begin
    for target in
      select c.oid::regclass as name, string_agg(quote_ident(a.attname), ',') as columns,
        string_agg(case
          when t.typcategory = 'A' then '''{}'''
          when t.typname = 'uuid' then 'gen_random_uuid()'
          when t.typname = 'jsonb' then '''{}'''
          when t.typname = 'inet' then '''10.0.0.1'''
          when t.typname = 'bytea' then '''\\x00'''
          when t.typcategory = 'D' then 'now()'
          when t.typcategory = 'B' then 'true'
          when t.typcategory = 'N' then '1'
          else '''x''' end || '::' || format_type(a.atttypid, a.atttypmod), ',') as vals
      from pg_class c
        join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attnotnull
          and a.attidentity = '' and a.attgenerated = ''
        join pg_type t on t.oid = a.atttypid
      where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and c.relname <> 'schema_migration'
      group by c.oid
    loop
      begin
        execute format('insert into %s (%s) values (%s)', target.name, target.columns, target.vals);
      exception when check_violation then null;
      end;
    end loop;
  end $$;`;

/** The tables with rows, of all that can hold some. */
async function filled(db: Database): Promise<string[]> {
  return await db.owner(async (tx) => {
    const tables = await tx.rows<{ name: string }>(
      sql`select oid::regclass::text as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`,
    );
    await tx.script(
      tables.map(({ name }) =>
        `create temp table if not exists found (name text) on commit drop; insert into found select '${name}' from ${name} limit 1;`
      ).join(""),
    );
    const rows = await tx.rows<{ name: string }>(sql`select name from found order by 1`);
    return rows.map(({ name }) => name);
  });
}

async function use<T>(engine: Engine, body: (db: Database) => Promise<T>): Promise<T> {
  const db = await freshDatabase(engine);
  try {
    return await body(db);
  } finally {
    await db.close();
  }
}

const state = (db: Database) => db.owner(fingerprint);
const script = (text: string) => (db: Database) => db.owner((tx) => tx.script(text));
/** Tells databases of one server apart. */
const identity = (db: Database) =>
  number(db, sql`select oid::bigint as n from pg_database where datname = current_database()`);
/** Grows with the use of an embedded database. */
const age = (db: Database) => number(db, sql`select pg_current_xact_id()::text::bigint as n`);

async function number(db: Database, query: Sql): Promise<number> {
  return (await db.owner((tx) => tx.rows<{ n: number }>(query)))[0]!.n;
}

const CHANGES: readonly [what: string, text: string, engines: readonly Engine[]][] = [
  ["a column", "alter table tenant add column more text", ENGINES],
  ["a constraint", "alter table tenant drop constraint tenant_pkey cascade", POSTGRES],
  ["a right", "revoke insert on raw_batch from ndr_app", POSTGRES],
  ["a policy", "alter table flow disable row level security", POSTGRES],
  ["a storage parameter", "alter table tenant set (fillfactor = 50)", POSTGRES],
  ["a function", "create function more() returns int language sql as 'select 1'", POSTGRES],
  ["a migration", "update schema_migration set checksum = 'x' where version = 1", POSTGRES],
];

for (const engine of ENGINES) {
  Deno.test(`a database that was used before is like a fresh one (${engine})`, async () => {
    // Held, so that the databases below are one that was used and one that was not.
    const fresh = await freshDatabase(engine);
    const before = await state(fresh);
    const used = await use(engine, async (db) => {
      await createPartitions(db, systemClock.now(), 7);
      await script(FILL)(db);
      await script("analyze")(db);
      const tables = await filled(db);
      assert.ok(tables.length > 60, tables.join(" "));
      assert.ok(tables.includes("audit") && tables.includes("session"), "also those that refuse truncation");
      return { identity: await identity(db), age: await age(db) };
    });
    await use(engine, async (db) => {
      assert.equal(await identity(db), used.identity);
      assert.ok(await age(db) > used.age, "the same database");
      assert.deepEqual(await filled(db), ["schema_migration"]);
      assert.equal(await state(db), before);
    });
    await fresh.close();
  });

  Deno.test(`a closed database refuses work and waits for what runs (${engine})`, async () => {
    const db = await freshDatabase(engine);
    let ended = false;
    const running = db.shared(async (tx) => {
      await tx.rows(sql`select pg_sleep(0.05)`);
      ended = true;
    });
    await db.close();
    assert.ok(ended);
    await running;
    await assert.rejects(db.shared(() => Promise.resolve()), /the store is not available/);
  });
}

for (const [what, text, engines] of CHANGES) {
  for (const engine of engines) {
    Deno.test(`a database with another schema is not used again: ${what} (${engine})`, async () => {
      const before = await use(engine, state);
      const changed = await use(engine, async (db) => {
        await script(text)(db);
        return await state(db);
      });
      assert.notEqual(changed, before);
      assert.equal(await use(engine, state), before);
    });
  }
}

Deno.test(
  "a database that something still uses is not used again",
  { ignore: POSTGRES_URL === "" },
  async () => {
    const { url, drop } = await freshPostgres();
    const left = new PostgresDatabase({ url });
    try {
      const used = await identity(left);
      await drop();
      assert.notEqual(await use("postgres", identity), used);
    } finally {
      await left.close();
    }
  },
);

Deno.test(
  "a program that connects late does not reach the next test",
  { ignore: POSTGRES_URL === "" },
  async () => {
    const { url, drop } = await freshPostgres();
    await drop();
    await use("postgres", async () => {
      const late = new PostgresDatabase({ url });
      await assert.rejects(identity(late), /does not exist/);
      await late.close();
    });
  },
);
