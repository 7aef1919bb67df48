// A server's autovacuum reclaims the space of deleted and replaced rows. The embedded database has none: a table whose rows
// are replaced all the time grew without end.

import { quoted } from "../bulk.ts";
import type { PgliteInstance } from "./instance.ts";

/** Transactions between two looks; a look takes about a millisecond. */
const EVERY = 200;
/** Transactions between a vacuum and the next look: other tables may need one, too. */
const SOON = 20;

/** Row counts are otherwise up to a second old, in which thousands of rows may be written. */
const COUNTED = "select pg_stat_force_next_flush()";

/** As autovacuum decides by default, the table with the most dead rows first. */
const WORST = `
  select relname::text as name from pg_stat_user_tables
  where n_dead_tup > 50 + 0.2 * n_live_tup order by n_dead_tup desc limit 1`;

export class Vacuum {
  #transactionsLeft = EVERY;

  /** Call it between transactions. One table at a time, because everything waits for it. */
  async afterTransaction(instance: PgliteInstance): Promise<void> {
    if (--this.#transactionsLeft > 0) return;
    this.#transactionsLeft = EVERY;
    try {
      await instance.ask({ op: "query", text: COUNTED, values: [] });
      const [table] = (await instance.ask({ op: "query", text: WORST, values: [] })).rows as {
        name: string;
      }[];
      if (table === undefined) return;
      this.#transactionsLeft = SOON;
      // A vacuum alone would make the table look as if it had statistics.
      await instance.ask({ op: "script", text: `vacuum (analyze) ${quoted(table.name)}` });
    } catch {
      // On a full disk, for example: a later one may succeed.
    }
  }
}
