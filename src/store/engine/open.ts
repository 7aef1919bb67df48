import type { BulkDatabase } from "./bulk.ts";
import { PgliteDatabase } from "./pglite/pglite.ts";
import { PostgresDatabase } from "./postgres/postgres.ts";

/**
 * Opens `postgres://…`, or the embedded database for `embedded:<directory>`. Does not migrate.
 *
 * @throws TypeError for any other form.
 */
export async function openDatabase(url: string): Promise<BulkDatabase> {
  if (/^postgres(ql)?:\/\//.test(url)) return new PostgresDatabase({ url });
  const embedded = /^embedded:(.+)$/.exec(url);
  if (embedded) return await PgliteDatabase.open({ directory: embedded[1]! });
  throw new TypeError(`NDR_DATABASE_URL: expected postgres://… or embedded:<directory>`);
}
