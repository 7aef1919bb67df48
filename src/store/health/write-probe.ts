import type { Tx } from "../engine/database.ts";
import { missingRights } from "../engine/schema/requirements.ts";
import { sql } from "../engine/sql.ts";

/** Writes a row, so that the commit of this transaction shows whether the database can; returns missing rights. */
export async function probeWrite(tx: Tx): Promise<string[]> {
  const missing = await missingRights(tx);
  // A refused statement would fail with less detail.
  if (missing.length > 0) return missing;
  await tx.run(sql`
    insert into write_probe (at) values (now()) on conflict (only_one) do update set at = excluded.at`);
  return [];
}
