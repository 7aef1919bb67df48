import { randomUuid } from "../../../kit/id.ts";
import type { BulkDatabase } from "../../engine/bulk.ts";
import { PostgresDatabase } from "../../engine/postgres/postgres.ts";
import { sql } from "../../engine/sql.ts";

/**
 * Works with an empty database on the server of `db`, which is dropped afterwards. Null if there is no server, or its user
 * may not create a database.
 */
export async function withScratchDatabase<T>(
  db: BulkDatabase,
  work: (scratch: BulkDatabase) => Promise<T>,
): Promise<{ result: T } | null> {
  if (!(db instanceof PostgresDatabase)) return null;
  const [role] = await db.owner((tx) =>
    tx.rows<{ creates: boolean }>(
      sql`select rolcreatedb or rolsuper as creates from pg_roles where rolname = current_user`,
    )
  );
  if (!role!.creates) return null;
  const name = `ndr_verify_${randomUuid().replaceAll("-", "")}`;
  await db.outside(`create database ${name} template template0 encoding 'UTF8' locale 'C'`);
  try {
    const scratch = db.sibling(name);
    return { result: await work(scratch).finally(() => scratch.close()) };
  } finally {
    await db.outside(`drop database ${name} with (force)`);
  }
}
