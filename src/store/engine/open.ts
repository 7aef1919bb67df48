import type { Database } from "./database.ts";
import { PgliteDatabase } from "./pglite/pglite.ts";
import { PostgresDatabase } from "./postgres/postgres.ts";

/**
 * Opens `postgres://…`, or the embedded database for `embedded:<directory>`. Does not migrate.
 *
 * @throws TypeError for any other form.
 */
export async function openDatabase(url: string): Promise<Database> {
  if (/^postgres(ql)?:\/\//.test(url)) return new PostgresDatabase({ url });
  const embedded = /^embedded:(.+)$/.exec(url);
  if (embedded) return await PgliteDatabase.open({ directory: embedded[1]! });
  throw new TypeError(`NDR_DATABASE_URL: expected postgres://… or embedded:<directory>`);
}

/**
 * The same database for work that writes much at once: its connections are fed by a thread of their own. The embedded
 * one has a thread already.
 */
export function openWriting(database: Database, url: string, poolSize: number): Database {
  if (database.engine !== "postgres") return database;
  return new PostgresDatabase({ url, poolSize }, { thread: true });
}
