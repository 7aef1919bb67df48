import assert from "node:assert/strict";
import fc from "fast-check";
import { type DiskState, diskState, fullBelow, lowBelow, resumeFrom, sizeText } from "./disk.ts";

const MIB = 1024 ** 2;
const GIB = 1024 ** 3;
const TIB = 1024 ** 4;

Deno.test("the thresholds follow the size, within fixed bounds", () => {
  const at = (size: number) => [lowBelow({ size, free: 0 }), fullBelow({ size, free: 0 })];
  assert.deepEqual(at(20 * GIB), [2 * GIB, 256 * MIB], "small: enough time to act");
  assert.deepEqual(at(100 * GIB), [5 * GIB, GIB]);
  assert.deepEqual(at(20 * TIB), [50 * GIB, 10 * GIB], "large: capped");
  assert.deepEqual(at(GIB).map(Math.round), [0.2 * GIB, 0.1 * GIB].map(Math.round), "tiny: still usable");
});

Deno.test("low comes before full, and leaving a state takes more space than entering it", () => {
  const size = 100 * GIB;
  const states = (...gib: number[]) => {
    let state: DiskState = "ok";
    return gib.map((free) => state = diskState(state, { size, free: free * GIB }));
  };
  assert.deepEqual(states(90, 5, 4.9, 1, 0.9, 0), ["ok", "ok", "low", "low", "full", "full"]);
  assert.deepEqual(states(0.9, 1.1, 1.24, 1.25, 5, 6.2, 6.25), [
    "full",
    "full",
    "full",
    "low",
    "low",
    "low",
    "ok",
  ]);
  assert.deepEqual(states(0, 90), ["full", "ok"], "in one step, too");
});

const space = fc.record({
  size: fc.integer({ min: 1, max: 2 ** 50 }),
  share: fc.double({ min: 0, max: 1, noNaN: true }),
})
  .map(({ size, share }) => ({ size, free: Math.floor(size * share) }));

Deno.test("states are ordered, and more free space is never a worse state", () => {
  const order: DiskState[] = ["ok", "low", "full"];
  fc.assert(fc.property(space, space, fc.constantFrom(...order), (one, { free }, before) => {
    const other = { size: one.size, free: Math.min(free, one.size) };
    const [less, more] = one.free <= other.free ? [one, other] : [other, one];
    assert.ok(order.indexOf(diskState(before, more)) <= order.indexOf(diskState(before, less)));
    assert.ok(fullBelow(one) < resumeFrom(one) && resumeFrom(one) <= lowBelow(one));
    assert.equal(diskState(before, { size: one.size, free: one.size }), "ok", "an empty disk is ok");
    const again = diskState(before, one);
    assert.equal(diskState(again, one), again, "checking twice changes nothing");
  }));
});

Deno.test("human-readable sizes", () => {
  assert.deepEqual([0, 1023, 1024, 1.5 * GIB, 3000 * TIB].map(sizeText), [
    "0 bytes",
    "1023 bytes",
    "1.0 KiB",
    "1.5 GiB",
    "3000.0 TiB",
  ]);
});
