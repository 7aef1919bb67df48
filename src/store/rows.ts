// Many rows in one statement: one array parameter for each column.

import type { Sql } from "./sql.ts";
import { identifier, sql } from "./sql.ts";
import { plainArray, textArray, timestampArray } from "./literals.ts";

/** How one column of `T` travels. */
export interface Column<T> {
  name: string;
  /** Element type of the array parameter. */
  type:
    | "text"
    | "uuid"
    | "bigint"
    | "integer"
    | "smallint"
    | "boolean"
    | "timestamptz"
    | "double precision"
    | "inet";
  /** What the element is cast to on arrival, where that is another type. */
  cast?: "jsonb" | "text[]" | "bigint[]" | "bytea";
  of(row: T): string | number | bigint | boolean | null;
}

function arrayLiteral<T>(column: Column<T>, rows: readonly T[]): string {
  if (column.type === "text") return textArray(rows.map((row) => column.of(row) as string | null));
  if (column.type === "timestamptz") {
    return timestampArray(rows.map((row) => column.of(row) as number | null));
  }
  return plainArray(rows.map((row) => column.of(row)));
}

const TYPES = {
  text: sql`text[]`,
  uuid: sql`uuid[]`,
  bigint: sql`bigint[]`,
  integer: sql`integer[]`,
  smallint: sql`smallint[]`,
  boolean: sql`boolean[]`,
  timestamptz: sql`timestamptz[]`,
  "double precision": sql`double precision[]`,
  inet: sql`inet[]`,
};

const CASTS = {
  jsonb: sql`::jsonb`,
  "text[]": sql`::text[]`,
  "bigint[]": sql`::bigint[]`,
  bytea: sql`::bytea`,
};

function list(parts: readonly Sql[]): Sql {
  return parts.reduce((left, right) => sql`${left}, ${right}`);
}

/** `unnest(…) as u (a, b, …)`: the rows as a relation named `u`. */
export function relation<T>(columns: readonly Column<T>[], rows: readonly T[]): Sql {
  const arrays = list(columns.map((column) => sql`${arrayLiteral(column, rows)}::${TYPES[column.type]}`));
  return sql`unnest(${arrays}) as u (${list(columns.map((column) => identifier(column.name)))})`;
}

function arriving<T>(column: Column<T>): Sql {
  return column.cast
    ? sql`u.${identifier(column.name)}${CASTS[column.cast]}`
    : sql`u.${identifier(column.name)}`;
}

/** `insert into table (tenant_id, …) select …`, to be followed by an `on conflict` clause or nothing. */
export function insertRows<T>(
  table: string,
  tenantId: string,
  columns: readonly Column<T>[],
  rows: readonly T[],
): Sql {
  return sql`
    insert into ${identifier(table)} (tenant_id, ${list(columns.map((column) => identifier(column.name)))})
    select ${tenantId}, ${list(columns.map(arriving))} from ${relation(columns, rows)}`;
}

/** `a = u.a, b = u.b, …` for an update from `relation`. */
export function assignments<T>(columns: readonly Column<T>[]): Sql {
  return list(columns.map((column) => sql`${identifier(column.name)} = ${arriving(column)}`));
}

/** `{zeek,suricata}`: an array inside a text element. */
export function nestedArray(values: readonly (string | bigint | number)[]): string {
  return textArray(values.map(String));
}
