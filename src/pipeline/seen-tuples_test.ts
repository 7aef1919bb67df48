import assert from "node:assert/strict";
import { SeenTuples } from "./seen-tuples.ts";

const KIB = 1024;
const tuple = (n: number) => `1:tuple ${n}`;

Deno.test("before it has begun, and after a gap, it knows nothing", () => {
  const seen = new SeenTuples();
  assert.equal(seen.hasSeen(0), false);
  assert.equal(seen.mayHave(tuple(1), 0), true);

  seen.begin(4, -Infinity);
  assert.equal(seen.hasSeen(4), true);
  assert.equal(seen.hasSeen(5), false);
  seen.end(7);
  assert.equal(seen.hasSeen(5), true, "a round that is taken up again");
  assert.equal(seen.hasSeen(7), true);
  assert.equal(seen.hasSeen(8), false, "somebody else took up batch 8");
  seen.end(6);
  assert.equal(seen.hasSeen(7), true);
});

Deno.test("a tuple that was never added has no flow but among those stored before", () => {
  const seen = new SeenTuples();
  seen.begin(0, 1000);
  seen.add(tuple(1), 2000);
  assert.equal(seen.mayHave(tuple(1), 1500), true);
  assert.equal(seen.mayHave(tuple(2), 1001), false);
  assert.equal(seen.mayHave(tuple(2), 1000), true, "one may have ended at 1000");
});

Deno.test("of a tuple that it has not seen it tells by when all flows had ended", () => {
  const seen = new SeenTuples();
  assert.equal(seen.noneAfter(tuple(1)), Infinity, "it has not begun");
  seen.begin(0, 1000);
  assert.equal(seen.noneAfter(tuple(1)), 1000);
  seen.add(tuple(1), 500);
  assert.equal(seen.noneAfter(tuple(1)), Infinity);
  assert.equal(seen.noneAfter(tuple(2)), 1000);
});

Deno.test("what ended before does not count, what ended just then does", () => {
  const seen = new SeenTuples();
  seen.begin(0, -Infinity);
  seen.add(tuple(1), 2000);
  assert.equal(seen.mayHave(tuple(1), 2000), true);
  assert.equal(seen.mayHave(tuple(1), 2001), false);
  seen.add(tuple(2), 3000);
  assert.equal(seen.mayHave(tuple(1), 3000), true, "its last record may have been the newest one");
  assert.equal(seen.mayHave(tuple(2), 3001), false);
});

Deno.test("a flood stays within the bound: the oldest go, and are then asked for", () => {
  const seen = new SeenTuples(64 * KIB);
  seen.begin(0, -Infinity);
  for (let n = 0; n < 200_000; n++) seen.add(tuple(n), n);
  assert.ok(seen.bytes <= 64 * KIB, `${seen.bytes} bytes`);
  for (let n = 0; n < 200_000; n += 7) assert.ok(seen.mayHave(tuple(n), n), `tuple ${n} was forgotten`);
  assert.equal(seen.mayHave(tuple(-1), 0), true, "it may be one of those that went");
  let asked = 0;
  for (let n = 1; n <= 1000; n++) if (seen.mayHave(tuple(-n), 190_000)) asked++;
  assert.ok(asked < 50, `${asked} of 1,000 new tuples`);
});
