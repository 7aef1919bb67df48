import assert from "node:assert/strict";
import { type Database, StoreUnavailable, type Tx } from "../../../src/store/engine/database.ts";
import { errorCode } from "../../../src/store/engine/retry.ts";
import { createPartitions } from "../../../src/store/engine/schema/partitions.ts";
import { identifier, Sql, sql } from "../../../src/store/engine/sql.ts";
import { APP_ROLE, APPEND_ONLY_TABLES, GLOBAL_TABLES } from "../../../src/store/engine/tables.ts";
import { testDatabases } from "../../support/database.ts";
import { testDatabase } from "./one-database.ts";

interface Table {
  name: string;
  secured: boolean;
  forced: boolean;
  policies: string[] | null;
  key: string[] | null;
}

/** Every table except partitions, which only the owner may use. */
function tables(db: Database): Promise<Table[]> {
  return db.owner((tx) =>
    tx.rows<Table>(sql`
      select c.relname::text as name, c.relrowsecurity as secured, c.relforcerowsecurity as forced,
        (select array_agg(p.polname || ': ' || p.polcmd::text || ' ' || pg_get_expr(p.polqual, c.oid)
           || coalesce(' / ' || pg_get_expr(p.polwithcheck, c.oid), '')) from pg_policy p where p.polrelid = c.oid) as policies,
        (select array_agg(a.attname::text order by k.place)
          from pg_index i cross join lateral unnest(i.indkey::smallint[]) with ordinality as k (attnum, place)
          join pg_attribute a on a.attrelid = c.oid and a.attnum = k.attnum
          where i.indrelid = c.oid and i.indisprimary) as key
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition order by 1`)
  );
}

/**
 * Applies to written rows, too. Evaluated for each row instead of once per statement, it took a tenth of the
 * insert of a narrow row.
 */
const POLICY =
  "tenant_only: * (tenant_id = ( SELECT NULLIF(current_setting('ndr.tenant'::text, true), ''::text) AS \"nullif\"))";

/** The primary keys of these end with the tenant, all others start with it. */
const WRITTEN_WITH_EACH_RECORD = [
  "raw_record",
  "flow",
  "evidence",
  "dns_answer",
  "device_fact",
  "term",
];

/** Appended to once per round, and found by other indexes. */
const WITHOUT_KEY = ["flow_term", "graph_traffic"];

testDatabases("every table is global or under forced row-level security", async (db) => {
  const all = await tables(db);
  assert.deepEqual(
    all.filter((table) => !table.secured).map((table) => table.name),
    [...GLOBAL_TABLES].sort(),
  );
  for (const table of all.filter(({ name }) => !GLOBAL_TABLES.includes(name))) {
    assert.equal(table.forced, true, `${table.name} forces row-level security on its owner, too`);
    assert.deepEqual(table.policies, [POLICY], table.name);
    if (WITHOUT_KEY.includes(table.name)) {
      assert.equal(table.key, null, table.name);
      continue;
    }
    const place = WRITTEN_WITH_EACH_RECORD.includes(table.name) ? -1 : 0;
    assert.equal(table.key?.at(place), "tenant_id", `the primary key of ${table.name}: ${table.key}`);
  }
});

testDatabases("a tenant cannot see, change or insert another tenant's rows", async (db) => {
  const names = (await tables(db)).map((table) => table.name).filter((name) => !GLOBAL_TABLES.includes(name));
  assert.ok(names.length >= 24);
  for (const name of names) {
    const insert = await insertion(db, name);
    const touch = sql`update ${identifier(name)} set tenant_id = tenant_id`;
    const remove = sql`delete from ${identifier(name)}`;
    // The rows of other tables are counted in this one.
    if (name === "list_change") await db.tenant("main", (tx) => tx.run(remove));
    assert.equal(await db.tenant("main", (tx) => tx.run(insert("main"))), 1, name);

    for (const [who, as] of strangers(db)) {
      assert.equal(await as((tx) => count(tx, name)), 0, `${who} sees ${name}`);
      if (APPEND_ONLY_TABLES.includes(name)) {
        await refused(as((tx) => tx.run(touch)), `${who} updates ${name}`);
        await refused(as((tx) => tx.run(remove)), `${who} deletes from ${name}`);
      } else {
        assert.equal(await as((tx) => tx.run(touch)), 0, `${who} updates ${name}`);
        assert.equal(await as((tx) => tx.run(remove)), 0, `${who} deletes from ${name}`);
      }
      await refused(as((tx) => tx.run(insert("main"))), `${who} inserts into ${name}`);
      await refused(as((tx) => tx.run(insert(""))), `${who} inserts nobody's row into ${name}`);
    }
    await refused(
      db.tenant("main", (tx) => tx.run(sql`update ${identifier(name)} set tenant_id = 'branch'`)),
      `a row of ${name} is given away`,
    );
    assert.equal(await db.tenant("main", (tx) => count(tx, name)), 1, name);
    const change = db.tenant("main", (tx) => tx.run(touch));
    if (APPEND_ONLY_TABLES.includes(name)) await refused(change, `${name} is changed`);
    else assert.equal(await change, 1, name);
  }
});

testDatabases("a view shows only the rows that the caller may see", async (db) => {
  const views = await db.owner((tx) =>
    tx.rows<{ name: string; kind: string; invoker: boolean; writable: boolean }>(sql`
      select c.relname::text as name, c.relkind::text as kind,
        coalesce('security_invoker=true' = any(c.reloptions), false) as invoker,
        has_table_privilege(${APP_ROLE}::text, c.oid, 'insert, update, delete, truncate') as writable
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = 'public' and c.relkind in ('v', 'm') order by 1`)
  );
  assert.deepEqual(views, [{ name: "observation", kind: "v", invoker: true, writable: false }]);
  // The two tables behind the view.
  for (const table of ["evidence", "flow"]) {
    const insert = await insertion(db, table);
    await db.tenant("main", (tx) => tx.run(insert("main")));
  }
  assert.equal(await db.tenant("main", (tx) => count(tx, "observation")), 2);
  for (const [who, as] of strangers(db)) {
    assert.equal(await as((tx) => count(tx, "observation")), 0, `${who} sees observations`);
  }
});

testDatabases(
  "the plain role cannot access a partition, which has no policy of its own",
  async (db) => {
    await createPartitions(db, Date.now() * 1000, 30);
    const partitions = await db.owner((tx) =>
      tx.rows<{ name: string; granted: boolean }>(sql`
      select c.relname::text as name, has_table_privilege(${APP_ROLE}::text, c.oid, 'select, insert, update, delete')
        as granted
      from pg_class c where c.relispartition and c.relkind = 'r'`)
    );
    assert.ok(partitions.length >= 4 * 6, "a default and five days of four tables");
    assert.deepEqual(partitions.filter((partition) => partition.granted), []);
    const { name } = partitions.find((partition) => /^flow_\d{8}$/.test(partition.name))!;
    for (const partition of [name, "flow_default"]) {
      await refused(db.tenant("main", (tx) => count(tx, partition)), partition);
      await refused(db.tenant("main", (tx) => tx.run(sql`delete from ${identifier(partition)}`)), partition);
    }
  },
);

testDatabase("the plain role cannot change the schema, policies or other tables", async (db) => {
  const attempts = [
    sql`create table public.mine (a int)`,
    sql`alter table flow disable row level security`,
    sql`drop policy tenant_only on flow`,
    sql`truncate flow`,
    sql`insert into schema_migration (version, name, checksum) values (99, 'x', 'x')`,
    sql`select * from schema_migration`,
    sql`select pg_read_file('/etc/passwd')`,
    sql`copy flow to program 'true'`,
  ];
  for (const attempt of attempts) {
    await refused(db.tenant("main", (tx) => tx.run(attempt)), attempt.compile().text);
  }
});

// The role is a safety net for our queries, not a sandbox for hostile SQL: a statement could set another
// tenant or `reset role`. No outside text ever becomes a statement. But the settings of a transaction must
// not leak into the next one.
testDatabase("settings of a transaction do not leak into the next one", async (db) => {
  const insert = await insertion(db, "tenant_counter");
  await db.tenant("main", (tx) => tx.run(insert("main")));
  let kept: Tx | null = null;
  await db.tenant("branch", async (tx) => {
    kept = tx;
    await tx.run(sql`set ndr.tenant = 'main'`);
    await tx.run(sql`reset role`);
  });
  for (const [who, as] of strangers(db)) assert.equal(await as((tx) => count(tx, "tenant_counter")), 0, who);
  const [role] = await db.shared((tx) => tx.rows(sql`select current_user::text as name`));
  assert.deepEqual(role, { name: APP_ROLE });
  await assert.rejects(kept!.rows(sql`select 1`), /after the end of its transaction/);
});

testDatabase("a tenant id that is not a plain identifier is rejected", async (db) => {
  for (const id of ["", "'", "main'; reset role; --", "a b", "main\n", "é", "-main", "x".repeat(65)]) {
    await assert.rejects(
      db.tenant(id, (tx) => tx.rows(sql`select 1`)),
      /not a tenant id/,
      JSON.stringify(id),
    );
  }
});

type As = <T>(work: (tx: Tx) => Promise<T>) => Promise<T>;

function strangers(db: Database): [who: string, as: As][] {
  return [
    ["another tenant", (work) => db.tenant("branch", work)],
    ["a transaction without tenant", (work) => db.shared(work)],
    ["the role without any setting", (work) =>
      db.owner(async (tx) => {
        await tx.script(`set local role ${APP_ROLE}; reset ndr.tenant`);
        return await work(tx);
      })],
  ];
}

async function count(tx: Tx, table: string): Promise<number> {
  const [row] = await tx.rows<{ n: number }>(sql`select count(*)::int as n from ${identifier(table)}`);
  return row!.n;
}

/** Fails with SQLSTATE 42501, insufficient privilege, rather than any other error. */
async function refused(attempt: Promise<unknown>, what: string): Promise<void> {
  const isDenied = (error: unknown) =>
    errorCode(error instanceof StoreUnavailable ? error.cause : error) === "42501";
  await assert.rejects(attempt, isDenied, what);
}

const SAMPLES: Record<string, string> = {
  text: "'parsed'",
  uuid: "gen_random_uuid()",
  bytea: "'\\x00'",
  boolean: "true",
  inet: "'10.0.0.1'",
  jsonb: "'{}'",
  date: "'2026-01-31'",
  "timestamp with time zone": "now()",
};

/** A statement that inserts a row of a tenant, made from the catalog. */
async function insertion(db: Database, table: string): Promise<(tenantId: string) => Sql> {
  const columns = await db.owner((tx) =>
    tx.rows<{ name: string; type: string }>(sql`
      select attname::text as name, format_type(atttypid, null) as type from pg_attribute
      where attrelid = ${table}::regclass and attnum > 0 and not attisdropped and attidentity = ''
        and attname <> 'tenant_id' order by attnum`)
  );
  const values = columns.map(({ type }) => type.endsWith("[]") ? "'{}'" : SAMPLES[type] ?? "1").join(", ");
  const names = columns.map((column) => `"${column.name}"`).join(", ");
  const text = `insert into "${table}" (${names}, tenant_id) values (${values}, `;
  return (tenantId) => sql`${new Sql([text], [])}${tenantId})`;
}
