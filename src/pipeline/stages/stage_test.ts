import assert from "node:assert/strict";
import type { Tx } from "../../store/engine/database.ts";
import { type Preparation, Round, RoundWriting, type Stage } from "./stage.ts";

const NO_TX = {} as Tx;
const PREPARATION = {} as Preparation;

function round(): Round {
  return new Round({
    tenantId: "main",
    settings: { networks: [], networksAssumed: true, site: { vlans: [] } },
    before: { batchNo: 0, longestFlow: 0, historySince: null, latestEnd: null },
    batches: 1,
    last: 1,
    records: [],
    samples: [],
    intel: null,
  });
}

Deno.test("round: a stage uses what earlier stages have prepared, and no later one", async () => {
  const first: Stage<number> = { prepare: () => Promise.resolve(7), write: () => [] };
  const second: Stage<string> = { prepare: (round) => `after ${round.of(first)}`, write: () => [] };
  const prepared = round();
  await assert.rejects(prepared.prepare(second, PREPARATION), /comes later/);
  await prepared.prepare(first, PREPARATION);
  await prepared.prepare(second, PREPARATION);
  assert.equal(prepared.of(second), "after 7");
});

Deno.test("round writing: finish fails with the first write in order, not the first in time", async () => {
  const writing = new RoundWriting(NO_TX, 0);
  const first = Promise.withResolvers<void>();
  writing.start(null, first.promise);
  writing.start(null, Promise.reject(new Error("second")));
  setTimeout(() => first.reject(new Error("first")), 1);
  await assert.rejects(writing.finish(), /first/);
});

Deno.test("round writing: a stage can wait for the writes of an earlier one", async () => {
  const earlier: Stage<void> = { write: () => [] };
  const writing = new RoundWriting(NO_TX, 0);
  const write = Promise.withResolvers<void>();
  writing.start(earlier, write.promise);
  writing.start(null, new Promise(() => {}));
  let done = false;
  const waiting = writing.done(earlier).then(() => done = true);
  await Promise.resolve();
  assert.equal(done, false);
  write.resolve();
  await waiting;
});
