import { type Sql, sql } from "../engine/sql.ts";

// Lists are walked page by page while their rows change. A value that decides where a list shows a row, or whether it
// does, would let a walk meet a row twice or never when it changes between two pages; so such rows keep their last moves
// (migration 13), and a walk that names the snapshot of its first page finds each row where it stood then.

/** Moves that a row remembers; the row of a walk that is slower than so many is found where it stands now. */
const MAX_MOVES = 64;
/** A longer one, of a server with hundreds of writers, would not fit into a cursor. */
const MAX_SNAPSHOT = 1500;

/** A column `as_of` with the snapshot that its own statement sees. */
export const SNAPSHOT_COLUMN = sql`(select pg_current_snapshot()::text) as as_of`;

/** A snapshot as a cursor may carry it: where it is too long, one of which little less is known. */
export function portableSnapshot(text: string): string {
  if (text.length <= MAX_SNAPSHOT) return text;
  const xmin = text.slice(0, text.indexOf(":"));
  return `${xmin}:${xmin}:`;
}

/** Whether the row `alias` has moved since a snapshot. The first half finds an index, the second is exact. */
export function movedSince(alias: Sql, asOf: string): Sql {
  const xmin = asOf.slice(0, asOf.indexOf(":"));
  return sql`(${alias}.moved_xid >= ${xmin}::xid8
    and not pg_visible_in_snapshot(${alias}.moved_xid, ${asOf}::pg_snapshot))`;
}

/** Whether it has moved so often since then that the value of the time is forgotten. */
export function forgotten(alias: Sql, asOf: string): Sql {
  return sql`(cardinality(${alias}.move_xids) >= ${MAX_MOVES}
    and not pg_visible_in_snapshot(${alias}.move_xids[1], ${asOf}::pg_snapshot))`;
}

/** What stood in `value` of the row `alias` at the time of the snapshot. */
export function valueAt(alias: Sql, value: Sql, asOf: string): Sql {
  // Few rows ever move, and a call of the function takes longer than to look a row up.
  return sql`case when ${alias}.move_xids is null then ${value}
    else value_at(${asOf}::pg_snapshot, ${alias}.move_xids, ${alias}.moved_from, ${value}) end`;
}

/** Assignments that note a move of a row of `table` where the update gives `column` another value. */
export function noteMove(table: Sql, column: Sql, next: Sql): Sql {
  const moves = (past: Sql, last: Sql) =>
    sql`case when ${table}.${column} = ${next} then ${past}
      else (array_append(${past}, ${last}))[greatest(1, coalesce(cardinality(${past}), 0) + 2 - ${MAX_MOVES}):] end`;
  return sql`
    moved_xid = case when ${table}.${column} = ${next} then ${table}.moved_xid else pg_current_xact_id() end,
    move_xids = ${moves(sql`${table}.move_xids`, sql`pg_current_xact_id()`)},
    moved_from = ${moves(sql`${table}.moved_from`, sql`${table}.${column}`)}`;
}
