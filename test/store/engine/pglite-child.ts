// A separate process on an embedded database. `hold` opens it, reports that, and waits. `write` commits batch
// after batch, each in its own transaction, and prints each number once it is acknowledged, until it is
// killed.

import { PgliteDatabase } from "../../../src/store/engine/pglite/pglite.ts";
import { commit, record } from "../record/records.ts";

const [work, directory, first] = Deno.args;
try {
  const db = await PgliteDatabase.open({ directory: directory! });
  if (work === "hold") {
    console.log("open");
    await new Promise((resolve) => setTimeout(resolve, 60_000));
  }
  for (let number = Number(first); work === "write"; number++) {
    await commit(db, [record(`record ${number}`)]);
    console.log(number);
  }
} catch (error) {
  console.log((error as Error).message);
  Deno.exit(1);
}
