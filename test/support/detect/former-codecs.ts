// Compares a declared state with the handwritten codec that it replaces.
import assert from "node:assert/strict";
import fc from "fast-check";
import type { StateType } from "../../../src/domain/detect/kernel/detector.ts";

/** Asserts equal bytes, equal decoded states and a similar size estimate. */
export function assertSameCodec<S>(former: StateType<S>, type: StateType<S>, states: fc.Arbitrary<S>): void {
  assert.equal(type.id, former.id);
  assert.equal(type.keepDays, former.keepDays);
  assert.deepEqual(type.encode(type.empty()).slice(), former.encode(former.empty()).slice());
  const ratios: number[] = [];
  fc.assert(
    fc.property(states, (state) => {
      const bytes = former.encode(state).slice();
      assert.deepEqual(type.encode(state).slice(), bytes);
      assert.deepEqual(type.decode(bytes), former.decode(bytes));
      ratios.push(type.size(state) / former.size(state));
    }),
    { numRuns: 300 },
  );
  ratios.sort((a, b) => a - b);
  console.log(type.name, "size ratio", ratios[0], ratios[ratios.length >> 1], ratios.at(-1));
}
