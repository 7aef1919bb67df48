// The embedded database reclaims the space of replaced rows, in every table.

import assert from "node:assert/strict";
import { sql } from "../../../src/store/engine/sql.ts";
import { freshPglite } from "../../support/database.ts";

const TABLES = ["replaced_a", "replaced_b", "replaced_c"];
/** The first look comes after at most 200, and the others follow soon. */
const TRANSACTIONS = 240;

Deno.test("several tables with replaced rows are all reclaimed soon", async () => {
  const db = await freshPglite();
  try {
    for (const table of TABLES) {
      await db.owner((tx) =>
        tx.script(
          `create table ${table} as select n from generate_series(1, 1000) n; update ${table} set n = n`,
        )
      );
    }
    for (let n = 0; n < TRANSACTIONS; n++) await db.owner((tx) => tx.rows(sql`select 1`));
    const reclaimed = await db.owner((tx) =>
      tx.rows<{ name: string }>(sql`
        select relname::text as name from pg_stat_user_tables
        where relname like 'replaced%' and vacuum_count > 0 order by 1`)
    );
    assert.deepEqual(reclaimed.map(({ name }) => name), TABLES);
  } finally {
    await db.close();
  }
});
