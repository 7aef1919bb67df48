// PGlite in this thread: works while the clock is 40 days ahead, and stays idle after the clock was corrected. Prints how
// many timers it set in that time.

import { PGlite } from "@electric-sql/pglite";
import { limitTimers } from "../../../src/store/engine/pglite/timers.ts";

const DAYS = 40 * 86_400_000;
/** PostgreSQL's statistics of an idle session are due after ten seconds. */
const IDLE = 14_000;

let count = 0;
const { setTimeout: set } = globalThis;
globalThis.setTimeout = ((work: () => void, ...rest: [number]) => {
  count++;
  return set(work, ...rest);
}) as typeof setTimeout;
limitTimers();

const lite = await PGlite.create();
const now = Date.now.bind(Date);
Date.now = () => now() + DAYS;
await lite.exec("create table note (text text); insert into note values ('ahead'); select * from note");
Date.now = now;
count = 0;
await new Promise((resolve) => set(resolve, IDLE));
console.log(count);
Deno.exit();
