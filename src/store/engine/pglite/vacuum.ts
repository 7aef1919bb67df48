// A server's autovacuum reclaims the space of deleted and replaced rows. The embedded database has none: a table whose rows
// are replaced all the time grew without end.

import { quoted } from "../bulk.ts";
import type { PgliteInstance } from "./instance.ts";

/** Transactions between two looks; a look takes about a millisecond. */
const EVERY = 200;

/** As autovacuum decides by default, the table with the most dead rows first. */
const WORST = `
  select relname::text as name from pg_stat_user_tables
  where n_dead_tup > 50 + 0.2 * n_live_tup order by n_dead_tup desc limit 1`;

export class Vacuum {
  #transactions = 0;

  /** Call it between transactions. One table at a time, because everything waits for it. */
  async afterTransaction(instance: PgliteInstance): Promise<void> {
    if (++this.#transactions % EVERY !== 0) return;
    try {
      const [table] = (await instance.ask({ op: "query", text: WORST, values: [] })).rows as {
        name: string;
      }[];
      // A vacuum alone would make the table look as if it had statistics.
      if (table) await instance.ask({ op: "script", text: `vacuum (analyze) ${quoted(table.name)}` });
    } catch {
      // On a full disk, for example: a later one may succeed.
    }
  }
}
