import { timestampLiteral } from "./literals.ts";
import { type Sql, sql } from "./sql.ts";

/** A value of a row as a cursor carries it: a time in microseconds, any other value as it was read; null: unknown. */
export type KeyValue = string | number | null;

/** What a list is sorted by; unknown values come last in both directions. */
export interface SortKey {
  value: Sql;
  type: "text" | "numeric" | "double" | "integer" | "address" | "time";
}

/** Longer texts are compared by their beginnings, so that they fit into a cursor. */
const TEXT_LENGTH = 256;

/** A text without the case of ASCII letters, in the same order on every database. */
export function textKey(value: Sql): SortKey {
  return {
    value: sql`left(lower((${value}) collate "C"), ${TEXT_LENGTH}::integer) collate "C"`,
    type: "text",
  };
}

/** `order by` terms: the key, then those that break ties. */
export function keyOrder(column: Sql, descending: boolean, ties: Sql): Sql {
  return sql`${column} ${descending ? sql`desc` : sql`asc`} nulls last, ${ties}`;
}

/** That a row follows the one with this key; `tie`: that it follows among rows with equal keys. */
export function isBeyond(
  column: Sql,
  { type, descending }: Pick<SortKey, "type"> & { descending: boolean },
  key: KeyValue,
  tie: Sql,
): Sql {
  if (key === null) return sql`(${column} is null and ${tie})`;
  const value = literal(type, key);
  const comes = descending ? sql`<` : sql`>`;
  return sql`(${column} ${comes} ${value} or ${column} is null or (${column} = ${value} and ${tie}))`;
}

function literal(type: SortKey["type"], key: string | number): Sql {
  switch (type) {
    case "text":
      return sql`(${String(key)}::text collate "C")`;
    case "numeric":
      return sql`${String(key)}::numeric`;
    case "double":
      return sql`${key}::double precision`;
    case "integer":
      return sql`${key}::bigint`;
    case "address":
      return sql`${key}::inet`;
    case "time":
      return sql`${timestampLiteral(Number(key))}::timestamptz`;
  }
}
