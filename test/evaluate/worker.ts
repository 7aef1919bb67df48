/// <reference lib="deno.worker" />
// One worker of the evaluation.

import type { PgliteDatabase } from "../../src/store/engine/pglite/pglite.ts";
import { freshPglite } from "../support/database.ts";
import { capturesOf } from "./captures.ts";
import { evaluate } from "./evaluate.ts";
import type { Answer, Task } from "./workers.ts";

const answer = (message: Answer) => self.postMessage(message);

let db: PgliteDatabase | null = null;

self.onmessage = async ({ data: { set, name } }: MessageEvent<Task>) => {
  try {
    const captures = (await capturesOf(set)).filter((capture) => capture.name === name);
    let line = "";
    db ??= await freshPglite();
    const [outcome] = await evaluate(db, captures, (text) => line = text);
    // The large ones leave an embedded database slow.
    if (captures.some(({ generated }) => generated !== undefined)) {
      await db.close();
      db = null;
    }
    answer({ outcome: outcome!, line });
  } catch (error) {
    answer({ error });
  }
};
answer({ ready: true });
