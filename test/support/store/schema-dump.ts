// The schema of a database as readable SQL, made from the catalogs: the same text on every supported version
// of PostgreSQL.

import type { Database, Tx } from "../../../src/store/engine/database.ts";
import { sql } from "../../../src/store/engine/sql.ts";
import { APP_ROLE } from "../../../src/store/engine/tables.ts";

/**
 * Tables by name, each with its indexes, policies and grants, then views, functions and triggers. Day
 * partitions are left out.
 */
export async function dumpSchema(db: Database): Promise<string> {
  return await db.owner(async (tx) => {
    const catalogs = await readCatalogs(tx);
    const tables = catalogs.relations.filter(({ kind }) => kind !== "v").map((one) => table(one, catalogs));
    const views = catalogs.relations.filter(({ kind }) => kind === "v").map((one) => view(one, catalogs));
    const functions = await functionsOf(tx);
    const triggers = await triggersOf(tx);
    return readable([...tables, ...views, ...functions, ...triggers].join("\n"));
  });
}

/** Shortens what the server spells out, and writes keywords in lower case. */
function readable(text: string): string {
  const short = text.replaceAll("timestamp with time zone", "timestamptz").replaceAll(" USING btree", "")
    .replaceAll(/ ON (?:ONLY )?public\./g, " on ");
  return short.replaceAll(
    /'[^']*'|\b[A-Z]{2,}\b/g,
    (word) => word.startsWith("'") ? word : word.toLowerCase(),
  );
}

interface Relation {
  name: string;
  kind: "r" | "p" | "v";
  options: string | null;
  partition_key: string | null;
  parent: string | null;
  row_security: boolean;
  forced: boolean;
  definition: string | null;
}

interface Part {
  relation: string;
  text: string;
}

interface Catalogs {
  relations: Relation[];
  columns: (Part & { name: string; storage: string | null })[];
  constraints: Part[];
  indexes: Part[];
  policies: Part[];
  grants: Part[];
}

async function readCatalogs(tx: Tx): Promise<Catalogs> {
  const relations = await tx.rows<Relation>(sql`
    select c.relname::text as name, c.relkind::text as kind, array_to_string(c.reloptions, ', ') as options,
      pg_get_partkeydef(c.oid) as partition_key, p.relname::text as parent,
      c.relrowsecurity as row_security, c.relforcerowsecurity as forced,
      case when c.relkind = 'v' then pg_get_viewdef(c.oid, true) end as definition
    from pg_class c
    left join pg_inherits i on i.inhrelid = c.oid left join pg_class p on p.oid = i.inhparent
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p', 'v')
      and (p.oid is null or c.relname = p.relname || '_default')
    order by c.relname collate "C"`);
  const columns = await tx.rows<Catalogs["columns"][number]>(sql`
    select c.relname::text as relation, a.attname::text as name,
      a.attname || ' ' || format_type(a.atttypid, a.atttypmod)
        || case when a.attnotnull then ' not null' else '' end
        || case when a.attidentity <> '' then ' generated always as identity' else '' end
        || coalesce(' default ' || pg_get_expr(d.adbin, d.adrelid), '') as text,
      case when a.attstorage <> t.typstorage
        then case a.attstorage when 'p' then 'plain' when 'e' then 'external' when 'm' then 'main' else 'extended' end
      end as storage
    from pg_class c join pg_attribute a on a.attrelid = c.oid join pg_type t on t.oid = a.atttypid
    left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p', 'v')
      and a.attnum > 0 and not a.attisdropped
    order by a.attnum`);
  // Since version 18 a column that is not null has a constraint of its own.
  const constraints = await tx.rows<Part>(sql`
    select conrelid::regclass::text as relation, 'constraint ' || conname || ' ' || pg_get_constraintdef(oid) as text
    from pg_constraint
    where connamespace = current_schema()::regnamespace and conrelid <> 0 and contype <> 'n' and conparentid = 0
      and coninhcount = 0
    order by case contype when 'p' then 0 else 1 end, conname collate "C"`);
  const indexes = await tx.rows<Part>(sql`
    select x.indrelid::regclass::text as relation, pg_get_indexdef(x.indexrelid) as text
    from pg_index x join pg_class c on c.oid = x.indexrelid
    where c.relnamespace = current_schema()::regnamespace
      and not exists (select from pg_constraint where conindid = x.indexrelid and contype in ('p', 'u', 'x'))
      and not exists (select from pg_inherits where inhrelid = x.indexrelid)
    order by c.relname collate "C"`);
  const policies = await tx.rows<Part>(sql`
    select polrelid::regclass::text as relation, 'policy ' || polname || ' on ' || polrelid::regclass || ' for '
      || case polcmd when '*' then 'all' when 'r' then 'select' when 'a' then 'insert' when 'w' then 'update' else 'delete' end
      || coalesce(' using ' || pg_get_expr(polqual, polrelid), '')
      || coalesce(' with check ' || pg_get_expr(polwithcheck, polrelid), '') as text
    from pg_policy order by polname collate "C"`);
  const grants = await tx.rows<Part>(sql`
    select c.relname::text as relation, string_agg(lower(a.privilege_type), ', ' order by a.privilege_type) as text
    from pg_class c cross join lateral aclexplode(c.relacl) a join pg_roles r on r.oid = a.grantee
    where c.relnamespace = current_schema()::regnamespace and r.rolname = ${APP_ROLE} group by 1`);
  return { relations, columns, constraints, indexes, policies, grants };
}

function of(parts: readonly Part[], { name }: Relation): string[] {
  return parts.filter(({ relation }) => relation === name).map(({ text }) => text);
}

function table(relation: Relation, catalogs: Catalogs): string {
  const { name, parent, partition_key: key, options } = relation;
  const settings = `${key === null ? "" : ` partition by ${key}`}${
    options === null ? "" : ` with (${options})`
  }`;
  const body = [...of(catalogs.columns, relation), ...of(catalogs.constraints, relation)];
  const storage = catalogs.columns.filter((column) => column.relation === name && column.storage !== null);
  const lines = [
    parent === null
      ? `create table ${name} (\n${body.map((line) => `  ${line}`).join(",\n")}\n)${settings};`
      : `create table ${name} partition of ${parent} default${settings};`,
    ...storage.map((column) =>
      `alter table ${name} alter column ${column.name} set storage ${column.storage};`
    ),
    ...of(catalogs.indexes, relation).map((text) => `${text};`),
  ];
  if (relation.row_security) lines.push(`alter table ${name} enable row level security;`);
  if (relation.forced) lines.push(`alter table ${name} force row level security;`);
  lines.push(...of(catalogs.policies, relation).map((text) => `create ${text};`));
  lines.push(...grantsOn(relation, catalogs));
  return lines.join("\n") + "\n";
}

/** Before version 16, the server qualifies columns of a query with one table, too. */
function view(relation: Relation, catalogs: Catalogs): string {
  const { name, options, definition } = relation;
  const body = definition!.replace(/;$/, "").replaceAll(/\b(?:flow|evidence)\./g, "").split("\n")
    .map((line) => `  ${line.trim()}`);
  return [
    `create view ${name}${options === null ? "" : ` with (${options})`} as`,
    `${body.join("\n")};`,
    ...grantsOn(relation, catalogs),
  ].join("\n") + "\n";
}

function grantsOn(relation: Relation, { grants }: Catalogs): string[] {
  return of(grants, relation).map((text) => `grant ${text} on ${relation.name} to ${APP_ROLE};`);
}

async function functionsOf(tx: Tx): Promise<string[]> {
  const rows = await tx.rows<{ text: string }>(sql`
    select 'create function ' || p.proname || '(' || pg_get_function_arguments(p.oid) || ')'
      || E'\n  returns ' || pg_get_function_result(p.oid) || ' language ' || l.lanname
      || case p.provolatile when 'i' then ' immutable' when 's' then ' stable' else '' end
      || case when p.proisstrict then ' strict' else '' end
      || case p.proparallel when 's' then ' parallel safe' when 'r' then ' parallel restricted' else '' end
      || case when p.proleakproof then ' leakproof' else '' end
      || coalesce(E'\n' || pg_get_function_sqlbody(p.oid), ' as $$' || p.prosrc || '$$') || E';\n' as text
    from pg_proc p join pg_language l on l.oid = p.prolang
    where p.pronamespace = current_schema()::regnamespace order by p.proname collate "C"`);
  return rows.map(({ text }) => text);
}

async function triggersOf(tx: Tx): Promise<string[]> {
  const rows = await tx.rows<{ text: string }>(sql`
    select pg_get_triggerdef(t.oid) || E';\n' as text
    from pg_trigger t join pg_class c on c.oid = t.tgrelid
    where c.relnamespace = current_schema()::regnamespace and not t.tgisinternal and t.tgparentid = 0
    order by c.relname collate "C", t.tgname collate "C"`);
  return rows.map(({ text }) => text);
}
