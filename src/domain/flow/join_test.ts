import assert from "node:assert/strict";
import fc from "fast-check";
import type { FlowState } from "./flow.ts";
import { at, flow } from "../../../test/support/domain/flow-fixtures.ts";
import { CLOCK_TOLERANCE, flowToJoin, type JoinKey, NATIVE_SPAN, OPEN_SPAN, overlaps } from "./join.ts";
import { RANK_WITHOUT_COUNTERS } from "./preference.ts";

const TOLERANCE = CLOCK_TOLERANCE / 1000;

/** By Zeek's record of a connection, unless `more` says otherwise. */
function joined(
  flows: FlowState[],
  start: number,
  end: number,
  nativeHash: bigint | null = null,
  more: Partial<JoinKey> = {},
) {
  const key = { start: at(start), end: at(end), nativeHash, source: "zeek" as const, counted: true, ...more };
  return flowToJoin(flows, key)?.flowId ?? null;
}

/** A flow of which only a transaction is known. */
function open(start: number, more: Partial<FlowState> = {}): FlowState {
  const seen = flow(start, start, more);
  return { ...seen, primary: { ...seen.primary, rank: RANK_WITHOUT_COUNTERS } };
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

const SURICATA = { source: "suricata", counted: false } as const;

Deno.test("what two kinds of sensors say of a connection that nobody has counted yet is one flow", () => {
  // Zeek writes a handshake down where it begins, Suricata where it ends: a round trip later.
  assert.equal(joined([open(0)], 180, 180, 8n, SURICATA), "flow-0");
  const span = OPEN_SPAN / 1000;
  assert.equal(joined([open(0)], span, span, null, SURICATA), "flow-0");
  assert.equal(joined([open(0)], span + 0.001, span + 0.001, null, SURICATA), null);
  assert.equal(joined([open(0), open(500)], 400, 400, null, SURICATA), "flow-500", "the nearest");

  assert.equal(joined([flow(0, 100)], 180, 180, 8n, SURICATA), null, "one that was counted has ended");
  assert.equal(joined([open(0)], 180, 900, 8n, { source: "suricata" }), null, "counters say when it began");
  assert.equal(
    joined([open(0)], 180, 180, 8n, { counted: false }),
    null,
    "the same kind tells them apart itself",
  );
  assert.equal(
    joined([open(0, { sources: ["zeek", "suricata"] })], 180, 180, 8n, SURICATA),
    null,
    "of this connection Suricata has told, by another id",
  );
  assert.equal(
    joined([open(0, { proto: "udp" })], 180, 180, 8n, SURICATA),
    null,
    "datagrams have no connection",
  );
});

Deno.test("a connection that another sensor told in full is meant, not the beginning that was set apart", () => {
  // Suricata's early alerts on one side; on the other Zeek's record of the same connection.
  const alerts = open(70_000, { sources: ["suricata"], nativeHashes: [8n], flowId: "alerts" });
  const whole = flow(0, 90_000, { flowId: "whole" });
  for (const candidates of [[alerts, whole], [whole, alerts]]) {
    assert.equal(joined(candidates, 0, 90_000, 8n, { source: "suricata" }), "whole", "its own record of it");
    assert.equal(joined(candidates, 80_000, 80_000, 8n, SURICATA), "whole", "a later alert");
    assert.equal(joined(candidates, 95_000, 95_000, 8n, SURICATA), "alerts", "not one of after its end");
    assert.equal(
      joined(candidates, 60_000, 300_000, 8n, { source: "suricata" }),
      "alerts",
      "nor another length",
    );
  }
  const told = { ...whole, sources: ["zeek" as const, "suricata" as const] };
  assert.equal(
    joined([alerts, told], 0, 90_000, 8n, { source: "suricata" }),
    "alerts",
    "Suricata's other one",
  );
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
