import assert from "node:assert/strict";
import type { Database } from "../../../src/store/engine/database.ts";
import { migrate, MigrationError } from "../../../src/store/engine/schema/migrate.ts";
import { type Migration, MIGRATIONS } from "../../../src/store/engine/schema/migrations.ts";
import { createPartitions } from "../../../src/store/engine/schema/partitions.ts";
import { sql } from "../../../src/store/engine/sql.ts";
import { APP_ROLE, PARTITIONED_TABLES } from "../../../src/store/engine/tables.ts";
import { POSTGRES_URL, testDatabases } from "../../support/database.ts";
import { installedPrograms, startPostgres } from "../../support/postgres.ts";
import { onServer, withEmptyDatabase } from "./empty-databases.ts";
import { testDatabase, withPools } from "./one-database.ts";

const NAMES = MIGRATIONS.map((migration) => migration.name);
const NEWEST = MIGRATIONS.at(-1)!.version;
const NEXT = NEWEST + 1;

function next(text: string): Migration[] {
  return [...MIGRATIONS, { version: NEXT, name: "next", text }];
}

function applied(db: Database): Promise<{ version: number; name: string }[]> {
  return db.owner((tx) => tx.rows(sql`select version, name from schema_migration order by version`));
}

async function exists(db: Database, table: string): Promise<boolean> {
  const [row] = await db.owner((tx) => tx.rows<{ oid: unknown }>(sql`select to_regclass(${table}) as oid`));
  return row!.oid !== null;
}

testDatabase("a migrated database is left alone, and only new migrations run", async (db) => {
  assert.deepEqual(await migrate(db), []);
  assert.deepEqual(await migrate(db, next("create table extra (a int); insert into extra values (1)")), [
    "next",
  ]);
  assert.deepEqual(await migrate(db, next("create table extra (a int); insert into extra values (1)")), []);
  const rows = await db.owner((tx) => tx.rows(sql`select a from extra`));
  assert.deepEqual(rows, [{ a: 1 }]);
  assert.deepEqual(
    (await applied(db)).map((row) => row.version),
    MIGRATIONS.map((one) => one.version).concat(NEXT),
  );
});

testDatabases("a migration that fails halfway leaves nothing behind", async (db) => {
  await assert.rejects(migrate(db, next("create table half (a int); select 1 / 0")), { code: "22012" });
  assert.equal(await exists(db, "half"), false);
  assert.equal((await applied(db)).length, MIGRATIONS.length);
  assert.deepEqual(await migrate(db, next("create table half (a int)")), ["next"], "and can be fixed");
});

testDatabase("a modified or newer database is refused with the reason", async (db) => {
  const edited = MIGRATIONS.map((one) => ({ ...one, text: `${one.text}\n-- edited` }));
  await assert.rejects(migrate(db, edited), (error: Error) => {
    assert.ok(error instanceof MigrationError);
    assert.match(error.message, /migration 1 \(engine\) was applied with a different text/);
    return true;
  });
  await migrate(db, next("select 1"));
  await assert.rejects(migrate(db), (error: Error) => {
    assert.ok(error instanceof MigrationError);
    assert.match(
      error.message,
      new RegExp(`schema version ${NEXT} \\(next\\).*versions up to ${NEWEST}`),
    );
    return true;
  });
});

testDatabase("a database of a development build is refused with what to do", async (db) => {
  await db.owner((tx) => tx.run(sql`update schema_migration set name = 'spine' where version = 1`));
  await db.owner((tx) =>
    tx.run(sql`
      insert into schema_migration (version, name, checksum)
      select version, 'old ' || version, '' from generate_series(${NEXT}::integer, 28) as version`)
  );
  await assert.rejects(migrate(db), (error: Error) => {
    assert.ok(error instanceof MigrationError);
    assert.match(error.message, /development build .*"spine".*start with an empty database/);
    return true;
  });
});

Deno.test(
  "programs that start together on an empty database take turns",
  { ignore: POSTGRES_URL === "" },
  async () => {
    await withEmptyDatabase(POSTGRES_URL, (url) =>
      withPools([url, url, url], async (pools) => {
        const ran = await Promise.all(pools.map((db) => migrate(db)));
        assert.deepEqual(ran.flat().sort(), [...NAMES].sort(), "each migration ran once");
        assert.deepEqual((await applied(pools[0]!)).map((row) => row.name), NAMES);
      }));
  },
);

/** Roles belong to a whole server, so this needs its own. */
const ownServer = { ignore: (await installedPrograms()).length === 0 };

Deno.test(
  "on a new server, the role is created once, also by a user who is not a superuser",
  ownServer,
  async () => {
    const server = (await startPostgres())!;
    const empty = (body: (url: string) => Promise<void>, owner: string | null = null) =>
      withEmptyDatabase(server.url, body, owner);
    try {
      await onServer(server.url, "create role appliance login createrole; create role poor login");
      await empty(async (url) => {
        await withPools([url], async ([db]) => {
          await assert.rejects(
            migrate(db!),
            /may not create the role ndr_app; run as a superuser: create role/,
          );
        });
      }, "poor");

      await empty((first) =>
        empty((second) =>
          withPools([first, second], async (pools) => {
            const ran = await Promise.all(pools.map((db) => migrate(db)));
            assert.deepEqual(ran, [NAMES, NAMES], "databases of one server start together");
            assert.equal(
              (await createPartitions(pools[0]!, Date.now() * 1000, 30)).length,
              PARTITIONED_TABLES.length * 5,
              "and these rights suffice for partition upkeep",
            );
          }), "appliance"), "appliance");

      await empty(async (url) => {
        await withPools([url], async ([db]) => {
          await onServer(server.url, `alter role ${APP_ROLE} bypassrls`);
          await assert.rejects(migrate(db!), /run as ndr_app, which bypasses row-level security/);
        });
      });
    } finally {
      await server.stop();
    }
  },
);
