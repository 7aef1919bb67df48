// Rows in every table, found from the catalogue, and a digest of every table to compare.

import type { Database, OwnerTx } from "../../../src/store/engine/database.ts";
import { identifier, sql } from "../../../src/store/engine/sql.ts";

/** Midnight of a day that has a partition, if the caller made those around it. */
export const FILLED_DAY = "2026-11-20 00:00:00+00";
export const FILLED_TENANTS = ["north", "south"];
const ROWS = 5;

/** Values that differ by row `i`, for each type of column. Texts have all characters that COPY escapes. */
const VALUES: Record<string, string> = {
  text: `%s || i || E'\\t\\n\\\\ \\r "é", \\\\N' || t`,
  boolean: "i % 2 = 0",
  smallint: "i",
  integer: "-i * 100000",
  bigint: "9007199254740993 + i",
  "double precision": "i + 0.1",
  uuid: "md5(%s || i || t)::uuid",
  inet: "('10.1.0.' || i)::inet",
  bytea: "decode(md5(i::text), 'hex')",
  date: `(timestamptz '${FILLED_DAY}' + i * interval '1 day')::date`,
  "timestamp with time zone": `timestamptz '${FILLED_DAY}' + i * interval '25 hours 1 microsecond'`,
  jsonb: `'{"a": "b\\\\n", "c": [1, null]}'::jsonb`,
};
/** What checks of the schema allow. */
const ALLOWED: Record<string, string> = {
  only_one: "true",
  parse_status: "'parsed'",
  "telemetry_log.kind": "'baseline'",
  "telemetry_log.outcome": "'sent'",
  drop_credit_us: "i",
  tenant_id: "t",
  // Refers to a row of another table.
  token_hash: "'hash' || i || t",
};

interface Column {
  table: string;
  name: string;
  type: string;
}

/** Puts rows into every table but that of the migrations; those of tenants have some of each tenant. As a superuser. */
export async function fillTables(db: Database): Promise<void> {
  await db.owner(async (tx) => {
    const columns = await tx.rows<Column>(sql`
      select c.relname::text as table, a.attname::text as name, format_type(a.atttypid, null) as type
      from pg_class c join pg_attribute a on a.attrelid = c.oid
      where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
        and a.attnum > 0 and not a.attisdropped and c.relname <> 'schema_migration'
      order by c.relname, a.attnum`);
    for (const [table, own] of Map.groupBy(columns, (column) => column.table)) await fill(tx, table, own);
  });
}

async function fill(tx: OwnerTx, table: string, columns: readonly Column[]): Promise<void> {
  const names = columns.map(({ name }) => `"${name}"`).join(", ");
  const isSingle = columns.some(({ name }) => name === "only_one");
  const ofTenants = columns.some(({ name }) => name === "tenant_id") && table !== "tenant";
  const tenants = ofTenants || table === "tenant" ? FILLED_TENANTS : FILLED_TENANTS.slice(0, 1);
  // Triggers would change other tables.
  await tx.script(`
    alter table "${table}" disable trigger user;
    insert into "${table}" (${names}) overriding system value
    select ${columns.map(value).join(", ")}
    from unnest(array['${tenants.join("', '")}']) as t,
      generate_series(1, ${isSingle || table === "tenant" ? 1 : ROWS}) as i
    on conflict do nothing;
    alter table "${table}" enable trigger user`);
}

function value({ table, name, type }: Column): string {
  const allowed = ALLOWED[`${table}.${name}`] ?? ALLOWED[name];
  if (allowed !== undefined) return allowed;
  const element = type.replace(/\[\]$/, "");
  const one = VALUES[element]?.replaceAll("%s", `'${name}'`);
  if (one === undefined) throw new Error(`give the type ${type} of ${table}.${name} a value`);
  return `(${element === type ? one : `array[${one}, null]`})::${type}`;
}

/** Rows and a digest of each table and partition, by name; whatever the tenant, so as a superuser. */
export async function tableDigests(db: Database): Promise<Map<string, string>> {
  const digests = new Map<string, string>();
  await db.owner(async (tx) => {
    const tables = await tx.rows<{ name: string }>(sql`
      select relname::text as name from pg_class
      where relnamespace = current_schema()::regnamespace and relkind = 'r' order by 1`);
    for (const { name } of tables) {
      const [row] = await tx.rows<{ digest: string }>(sql`
        select count(*) || ' ' || coalesce(md5(string_agg(r::text, ',' order by r::text collate "C")), '') as digest
        from ${identifier(name)} as r`);
      digests.set(name, row!.digest);
    }
  });
  return digests;
}
