import assert from "node:assert/strict";
import fc from "fast-check";
import type { FlowState } from "./flow.ts";
import { at, flow } from "./flow_fixtures.ts";
import { CLOCK_TOLERANCE, flowToJoin, NATIVE_SPAN, overlaps } from "./join.ts";

const TOLERANCE = CLOCK_TOLERANCE / 1000;

function joined(flows: FlowState[], start: number, end: number, nativeHash: bigint | null = null) {
  return flowToJoin(flows, { start: at(start), end: at(end), nativeHash })?.flowId ?? null;
}

Deno.test("observations that cover some time together are one flow", () => {
  assert.equal(joined([flow(0, 1000)], 500, 1500), "flow-0");
  assert.equal(joined([flow(0, 1000)], 200, 300), "flow-0", "one inside of the other");
  assert.equal(joined([flow(200, 300)], 0, 1000), "flow-200", "and the other way round");
  assert.equal(joined([flow(0, 1000)], 0, 1000), "flow-0");
});

Deno.test("sequential connections of one tuple stay apart", () => {
  assert.equal(joined([flow(0, 1000)], 1001, 2000), null);
  assert.equal(joined([flow(1001, 2000)], 0, 1000), null, "also when the later one was known first");
});

Deno.test("an exporter's next slice begins where the last one ended, and is no part of it", () => {
  assert.equal(joined([flow(0, 1000)], 1000, 2000), null);
  assert.equal(joined([flow(0, 1000)], 999.999, 2000), "flow-0", "a microsecond together is an overlap");
});

Deno.test("a moment joins what it lies in, touches, or is within the clocks' tolerance of", () => {
  assert.equal(joined([flow(0, 1000)], 500, 500), "flow-0");
  assert.equal(joined([flow(0, 1000)], 1000, 1000), "flow-0");
  assert.equal(joined([flow(0, 1000)], 1000 + TOLERANCE, 1000 + TOLERANCE), "flow-0");
  assert.equal(joined([flow(0, 1000)], 1001 + TOLERANCE, 1001 + TOLERANCE), null);
  assert.equal(joined([flow(0, 0)], -TOLERANCE, -TOLERANCE), "flow-0", "two sensors' moments of one packet");
  assert.equal(joined([flow(0, 0)], 1000, 1000), null, "two one-packet connections, a second apart");
});

Deno.test("a moment belongs to the flow it lies in rather than to one that has just ended", () => {
  assert.equal(joined([flow(0, 1000), flow(1005, 2000)], 1008, 1008), "flow-1005");
});

Deno.test("of several flows the longest overlap wins, then the earliest", () => {
  assert.equal(joined([flow(0, 1000), flow(900, 5000)], 950, 3000), "flow-900");
  assert.equal(joined([flow(1000, 2000), flow(0, 1000)], 500, 1500), "flow-0");
  const twins = [flow(0, 1000, { flowId: "b" }), flow(0, 1000, { flowId: "a" })];
  assert.equal(joined(twins, 0, 1000), "a", "what time cannot settle, the id does");
});

Deno.test("a sensor's own identifier joins without overlap, for a while", () => {
  const named = flow(0, 1000, { nativeHashes: [7n] });
  assert.equal(joined([named], 60_000, 60_000, 7n), "flow-0");
  assert.equal(joined([named], 60_000, 60_000, 8n), null);
  const span = NATIVE_SPAN / 1000;
  assert.equal(joined([named], 1000 + span, 1000 + span, 7n), "flow-0");
  assert.equal(joined([named], 1001 + span, 1001 + span, 7n), null);
  assert.equal(joined([flow(5000, 6000), named], 5500, 5600, 7n), "flow-0", "it is stronger than an overlap");
});

Deno.test("of several flows that carry the identifier the nearest is meant, whatever their order", () => {
  const flows = [flow(0, 1000, { nativeHashes: [7n] }), flow(60_000, 61_000, { nativeHashes: [7n] })];
  for (const candidates of [flows, flows.toReversed()]) {
    assert.equal(joined(candidates, 10_000, 10_001, 7n), "flow-0");
    assert.equal(joined(candidates, 50_000, 50_001, 7n), "flow-60000");
  }
});

Deno.test("connections no longer than the tolerance meet although two clocks put one behind the other", () => {
  // Two real sensors of one network, 14 ms apart, on a connection of 3 ms.
  assert.equal(joined([flow(0, 3.2)], 13.8, 16.8), "flow-0");
  assert.equal(joined([flow(0, 3.2)], 3.3 + TOLERANCE, 6 + TOLERANCE), null);
  assert.equal(joined([flow(0, 1000)], 1014, 2014), null, "longer ones have an overlap to go by");
});

Deno.test("without a candidate nothing joins", () => {
  assert.equal(joined([], 0, 1000, 7n), null);
});

Deno.test("an overlap is the same seen from either side, and whatever the order of candidates", () => {
  const span = fc.tuple(fc.integer({ min: 0, max: 100_000 }), fc.integer({ min: 0, max: 50_000 }))
    .map(([start, length]) => ({ start, end: start + length }));
  fc.assert(fc.property(span, span, (a, b) => overlaps(a, b) === overlaps(b, a)));
  fc.assert(fc.property(fc.array(span, { maxLength: 6 }), span, (spans, key) => {
    const flows = spans.map((one, index) => flow(one.start, one.end, { flowId: `f${index}` }));
    assert.equal(joined(flows, key.start, key.end), joined(flows.toReversed(), key.start, key.end));
  }));
});
