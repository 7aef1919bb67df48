import type { Database } from "./database.ts";
import { identifier, type Sql, sql } from "./sql.ts";

/** A table of fewer pages is read so fast that no plan is bad. */
const SMALL_PAGES = 64;

/**
 * Tables that are more than twice as large as when the planner's statistics of them were taken, or have none: of such a one
 * it does not know which index leads to few rows.
 */
export function outgrownTables(db: Database): Promise<string[]> {
  return largeTables(db, sql`true`, sql`2 * greatest(c.relpages, ${SMALL_PAGES}::integer)`);
}

/** Tables that have no statistics yet, but are no longer so small that it does not matter. */
export function unknownTables(db: Database): Promise<string[]> {
  return largeTables(db, sql`c.relpages = 0`, sql`${SMALL_PAGES}::integer`);
}

async function largeTables(db: Database, which: Sql, pages: Sql): Promise<string[]> {
  const rows = await db.owner((tx) =>
    tx.rows<{ name: string }>(sql`
      select c.relname::text as name from pg_class c
      where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace and ${which}
        and pg_relation_size(c.oid) > (${pages})::bigint * current_setting('block_size')::bigint
      order by 1`)
  );
  return rows.map(({ name }) => name);
}

/**
 * Takes them anew, from a sample of the table's rows. On a server neither readers nor writers wait for it; the embedded
 * database does nothing else meanwhile, for half a second of a large table.
 */
export async function takeStatistics(db: Database, table: string): Promise<void> {
  await db.owner((tx) => tx.run(sql`analyze ${identifier(table)}`));
}
