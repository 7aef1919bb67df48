import assert from "node:assert/strict";
import type { PackedUnderstood } from "../../store/record/packed-records.ts";
import { SpillFile } from "../../kit/threads/spill-file.ts";
import { type HandedBatches, HandOver } from "./handoff.ts";

const SIZE = { batches: 10, records: 1000 };

function batch(batchNo: number, bytes = 100, records = 1): PackedUnderstood {
  return {
    head: { sensorId: "zeek-1", trust: "packet", receivedAt: 1_769_860_800_000_000, batchNo },
    records,
    understood: new Uint8Array(bytes),
  };
}

/** Numbers of the batches that follow `after`. */
function taken(batches: HandedBatches, after: number, size = SIZE): number[] {
  return batches.take(after, size).map(({ head }) => head.batchNo);
}

Deno.test("batches are taken in their order, each once, up to the first that is not there", () => {
  const batches = new HandOver().of("main");
  assert.deepEqual(taken(batches, 4), []);
  for (const batchNo of [6, 5, 8]) batches.put(batch(batchNo));
  assert.equal(batches.missingAfter(4), 0);
  assert.deepEqual(taken(batches, 4), [5, 6]);
  assert.equal(batches.missingAfter(6), 1);
  assert.deepEqual(taken(batches, 6), []);
  assert.deepEqual(taken(batches, 7), [8]);
  assert.equal(batches.missingAfter(8), Infinity);
});

Deno.test("a round takes no more than its size", () => {
  const batches = new HandOver().of("main");
  batches.take(0, SIZE);
  for (let batchNo = 1; batchNo <= 6; batchNo++) batches.put(batch(batchNo, 100, 400));
  assert.deepEqual(taken(batches, 0, { batches: 2, records: 1000 }), [1, 2]);
  assert.deepEqual(taken(batches, 2), [3, 4, 5]);
  assert.deepEqual(taken(batches, 5), [6]);
});

Deno.test("what comes after it was read from the store is not kept", () => {
  const batches = new HandOver().of("main");
  batches.take(0, SIZE);
  batches.take(7, SIZE);
  batches.put(batch(7));
  assert.equal(batches.missingAfter(0), Infinity);
  // The pipeline begins again at an earlier one: a round came to nothing.
  batches.put(batch(9));
  assert.deepEqual(taken(batches, 5), []);
  assert.equal(batches.missingAfter(5), 3);
});

Deno.test("what waits is bounded for all tenants together, and what is taken makes room", () => {
  const handOver = new HandOver(250);
  const [main, branch] = [handOver.of("main"), handOver.of("branch")];
  assert.equal(main.wanted, false, "nobody takes batches yet");
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
  assert.equal(branch.wanted, false, "another core takes them");
  assert.deepEqual(taken(branch, 0), []);
  for (const batchNo of [3, 4]) main.put(batch(batchNo, 150));
  assert.deepEqual(taken(main, 2), [3, 4], "all room was given back");
});

Deno.test("what finds no room in memory waits on disk, and comes back in its order as it was", async () => {
  const directory = await Deno.makeTempDir();
  const file = new SpillFile(directory, 1000);
  const main = new HandOver(150, file).of("main");
  main.take(0, SIZE);
  for (let batchNo = 1; batchNo <= 11; batchNo++) {
    const packed = batch(batchNo);
    packed.understood.fill(batchNo);
    assert.equal(main.wanted, true);
    main.put(packed);
  }
  const read = main.take(0, SIZE);
  assert.deepEqual(read.map(({ head, understood }) => [head.batchNo, understood.length, understood[99]]), [
    ...Array.from({ length: 10 }, (_, at) => [at + 1, 100, at + 1]),
  ]);
  main.put(batch(13, 2000));
  main.put(batch(14, 2000));
  assert.deepEqual(taken(main, 10), [11]);
  assert.deepEqual(taken(main, 12), [13], "what has no room anywhere is left to the store");
  file.close();
  await Deno.remove(directory, { recursive: true });
});

Deno.test("what the disk does not give back is left to the store", async () => {
  const directory = await Deno.makeTempDir();
  const file = new SpillFile(directory, 1000);
  const main = new HandOver(100, file).of("main");
  main.take(0, SIZE);
  for (let batchNo = 1; batchNo <= 3; batchNo++) main.put(batch(batchNo));
  file.close();
  assert.deepEqual(taken(main, 0), [1]);
  assert.equal(main.missingAfter(1), 1, "the next one is asked for at once, the one behind it later");
  main.clear();
  file.close();
  await Deno.remove(directory, { recursive: true });
});
