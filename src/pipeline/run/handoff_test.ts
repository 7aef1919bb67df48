import assert from "node:assert/strict";
import type { ParsedBatch } from "../../store/record/parsed-batch.ts";
import { Handoff, type TenantHandoff } from "./handoff.ts";

const SIZE = { batches: 10, records: 1000 };

function batch(batchNo: number, bytes = 100, records = 1): ParsedBatch {
  return {
    head: { sensorId: "zeek-1", trust: "packet", receivedAt: 1_769_860_800_000_000, batchNo },
    records,
    parsed: new Uint8Array(bytes),
  };
}

/** Numbers of the batches taken after `after`. */
function taken(batches: TenantHandoff, after: number, size = SIZE): number[] {
  return batches.take(after, size).map(({ head }) => head.batchNo);
}

Deno.test("handoff: batches are taken in order, each once, up to the first gap", () => {
  const batches = new Handoff().of("main");
  assert.deepEqual(taken(batches, 4), []);
  for (const batchNo of [6, 5, 8]) batches.put(batch(batchNo));
  assert.equal(batches.missingAfter(4), 0);
  assert.deepEqual(taken(batches, 4), [5, 6]);
  assert.equal(batches.missingAfter(6), 1);
  assert.deepEqual(taken(batches, 6), []);
  assert.deepEqual(taken(batches, 7), [8]);
  assert.equal(batches.missingAfter(8), Infinity);
});

Deno.test("handoff: a take is limited to the size of a round", () => {
  const batches = new Handoff().of("main");
  batches.take(0, SIZE);
  for (let batchNo = 1; batchNo <= 6; batchNo++) batches.put(batch(batchNo, 100, 400));
  assert.deepEqual(taken(batches, 0, { batches: 2, records: 1000 }), [1, 2]);
  assert.deepEqual(taken(batches, 2), [3, 4, 5]);
  assert.deepEqual(taken(batches, 5), [6]);
});

Deno.test("handoff: a batch that was read from the store is not kept", () => {
  const batches = new Handoff().of("main");
  batches.take(0, SIZE);
  batches.take(7, SIZE);
  batches.put(batch(7));
  assert.equal(batches.missingAfter(0), Infinity);
  // The pipeline restarts at an earlier batch after a failed round.
  batches.put(batch(9));
  assert.deepEqual(taken(batches, 5), []);
  assert.equal(batches.missingAfter(5), 3);
});

Deno.test("handoff: all tenants share one bound, and taken batches free their room", () => {
  const handoff = new Handoff(250);
  const [main, branch] = [handoff.of("main"), handoff.of("branch")];
  assert.equal(main.wanted, false, "no rounds run yet");
  main.put(batch(1));
  assert.deepEqual(taken(main, 0), []);
  assert.deepEqual(taken(branch, 0), []);
  for (const batchNo of [1, 2]) main.put(batch(batchNo));
  assert.equal(branch.wanted, true);
  branch.put(batch(1));
  assert.deepEqual([main.wanted, branch.wanted], [false, false]);
  main.put(batch(3));
  assert.deepEqual(taken(main, 0), [1, 2]);
  assert.equal(branch.wanted, true);
  branch.clear();
  assert.equal(branch.wanted, false, "another core has the lease");
  assert.deepEqual(taken(branch, 0), []);
  for (const batchNo of [3, 4]) main.put(batch(batchNo, 150));
  assert.deepEqual(taken(main, 2), [3, 4], "all room is free again");
});
