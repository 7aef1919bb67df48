import assert from "node:assert/strict";
import { SeenTuples } from "./seen-tuples.ts";

const KIB = 1024;
const tuple = (n: number) => `1:tuple ${n}`;

Deno.test("seen tuples: nothing is known before begin and after a gap", () => {
  const seen = new SeenTuples();
  assert.equal(seen.hasSeen(0), false);
  assert.equal(seen.noneAfter(tuple(1)), Infinity);

  seen.begin(4, -Infinity);
  assert.equal(seen.hasSeen(4), true);
  assert.equal(seen.hasSeen(5), false);
  seen.end(7);
  assert.equal(seen.hasSeen(5), true, "a round is repeated");
  assert.equal(seen.hasSeen(7), true);
  assert.equal(seen.hasSeen(8), false, "another core processed batch 8");
  seen.end(6);
  assert.equal(seen.hasSeen(7), true);
});

Deno.test("seen tuples: flows of an unknown tuple ended before everything was stored at begin", () => {
  const seen = new SeenTuples();
  seen.begin(0, 1000);
  assert.equal(seen.noneAfter(tuple(1)), 1000);
  seen.add(tuple(1), 2000);
  assert.equal(seen.noneAfter(tuple(1)), 2000);
  assert.equal(seen.noneAfter(tuple(2)), 1000);
  seen.add(tuple(3), 500);
  assert.equal(seen.noneAfter(tuple(2)), 1000);
  assert.equal(seen.noneAfter(tuple(3)), 2000, "a record in the same generation ended then");
  const fresh = new SeenTuples();
  fresh.begin(0, 1000);
  fresh.add(tuple(3), 500);
  assert.equal(fresh.noneAfter(tuple(3)), 1000, "a flow may have been stored before");
});

Deno.test("seen tuples: flows of a known tuple ended by the latest end of its generation", () => {
  const seen = new SeenTuples();
  seen.begin(0, -Infinity);
  seen.add(tuple(1), 2000);
  assert.equal(seen.noneAfter(tuple(1)), 2000);
  seen.add(tuple(2), 3000);
  assert.equal(seen.noneAfter(tuple(1)), 3000, "its last record may be the newest one");
  assert.equal(seen.noneAfter(tuple(3)), -Infinity);
});

Deno.test("seen tuples: a tuple that returns counts with its last record", () => {
  const seen = new SeenTuples();
  seen.begin(0, -Infinity);
  seen.add(tuple(0), 1);
  for (let n = 1; n < 300_000; n++) seen.add(tuple(n), n);
  assert.ok(seen.noneAfter(tuple(0)) < 200_000, "it was added once, at first");
  seen.add(tuple(0), 300_000);
  assert.equal(seen.noneAfter(tuple(0)), 300_000);
});

Deno.test("seen tuples: a flood stays within the bound, and dropped generations count as unknown", () => {
  const seen = new SeenTuples(64 * KIB);
  seen.begin(0, -Infinity);
  for (let n = 0; n < 200_000; n++) seen.add(tuple(n), n);
  assert.ok(seen.bytes <= 64 * KIB, `${seen.bytes} bytes`);
  for (let n = 0; n < 200_000; n += 7) assert.ok(seen.noneAfter(tuple(n)) >= n, `tuple ${n} is missing`);
  assert.ok(seen.noneAfter(tuple(-1)) > 0, "it may be in a dropped generation");
  let asked = 0;
  for (let n = 1; n <= 1000; n++) if (seen.noneAfter(tuple(-n)) >= 190_000) asked++;
  assert.ok(asked < 50, `${asked} of 1,000 new tuples`);
});
