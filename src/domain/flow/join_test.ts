import assert from "node:assert/strict";
import fc from "fast-check";
import type { FlowState } from "./flow.ts";
import { at, flow } from "../../../test/support/domain/flow-fixtures.ts";
import { CLOCK_TOLERANCE, flowToJoin, type JoinKey, NATIVE_SPAN, OPEN_SPAN, overlaps } from "./join.ts";
import { nativeHasher } from "./native-hash.ts";
import { RANK_WITHOUT_COUNTERS } from "./preference.ts";

const TOLERANCE = CLOCK_TOLERANCE / 1000;

/** Joins Zeek's connection record, unless `more` overrides it. */
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

/** A flow known only from a transaction. */
function open(start: number, more: Partial<FlowState> = {}): FlowState {
  const seen = flow(start, start, more);
  return { ...seen, primary: { ...seen.primary, rank: RANK_WITHOUT_COUNTERS } };
}

Deno.test("observations that share some time are one flow", () => {
  assert.equal(joined([flow(0, 1000)], 500, 1500), "flow-0");
  assert.equal(joined([flow(0, 1000)], 200, 300), "flow-0", "one inside the other");
  assert.equal(joined([flow(200, 300)], 0, 1000), "flow-200", "and vice versa");
  assert.equal(joined([flow(0, 1000)], 0, 1000), "flow-0");
});

Deno.test("sequential connections of one tuple stay separate", () => {
  assert.equal(joined([flow(0, 1000)], 1001, 2000), null);
  assert.equal(joined([flow(1001, 2000)], 0, 1000), null, "also if the later one was known first");
});

Deno.test("an exporter's next slice, starting where the last one ended, is a separate flow", () => {
  assert.equal(joined([flow(0, 1000)], 1000, 2000), null);
  assert.equal(joined([flow(0, 1000)], 999.999, 2000), "flow-0", "a shared microsecond is an overlap");
});

Deno.test("an instant joins a flow it lies in, touches, or is within clock tolerance of", () => {
  assert.equal(joined([flow(0, 1000)], 500, 500), "flow-0");
  assert.equal(joined([flow(0, 1000)], 1000, 1000), "flow-0");
  assert.equal(joined([flow(0, 1000)], 1000 + TOLERANCE, 1000 + TOLERANCE), "flow-0");
  assert.equal(joined([flow(0, 1000)], 1001 + TOLERANCE, 1001 + TOLERANCE), null);
  assert.equal(joined([flow(0, 0)], -TOLERANCE, -TOLERANCE), "flow-0", "two sensors' times of one packet");
  assert.equal(joined([flow(0, 0)], 1000, 1000), null, "two one-packet connections, a second apart");
});

Deno.test("an instant joins the flow it lies in rather than one that has just ended", () => {
  assert.equal(joined([flow(0, 1000), flow(1005, 2000)], 1008, 1008), "flow-1005");
});

Deno.test("the longest overlap wins, then the earliest flow", () => {
  assert.equal(joined([flow(0, 1000), flow(900, 5000)], 950, 3000), "flow-900");
  assert.equal(joined([flow(1000, 2000), flow(0, 1000)], 500, 1500), "flow-0");
  const twins = [flow(0, 1000, { flowId: "b" }), flow(0, 1000, { flowId: "a" })];
  assert.equal(joined(twins, 0, 1000), "a", "the id breaks ties");
});

Deno.test("a sensor's own flow id joins without overlap, for a limited time", () => {
  const named = flow(0, 1000, { nativeHashes: [7n] });
  assert.equal(joined([named], 60_000, 60_000, 7n), "flow-0");
  assert.equal(joined([named], 60_000, 60_000, 8n), null);
  const span = NATIVE_SPAN / 1000;
  assert.equal(joined([named], 1000 + span, 1000 + span, 7n), "flow-0");
  assert.equal(joined([named], 1001 + span, 1001 + span, 7n), null);
  assert.equal(joined([flow(5000, 6000), named], 5500, 5600, 7n), "flow-0", "it beats an overlap");
});

Deno.test("two records of one sensor with different ids are two flows, however close", () => {
  const zeek = nativeHasher("zeek-1", null);
  const first = flow(0, 3, { nativeHashes: [zeek("C1")] });
  const second = flow(20, 23, { nativeHashes: [zeek("C2")] });
  assert.equal(joined([first], 20, 23, zeek("C2")), null);
  assert.equal(joined([first, second], 40, 43, zeek("C3")), null);
  assert.equal(joined([flow(0, 1000, { nativeHashes: [zeek("C1")] })], 500, 1500, zeek("C2")), null);
  assert.equal(
    joined([first], 20, 23, nativeHasher("zeek-2", null)("C2")),
    "flow-0",
    "clocks of two sensors",
  );
  const exporters = ["192.0.2.1", "192.0.2.2"].map((exporter) => nativeHasher("nfacctd", exporter));
  const exported = flow(0, 3, { nativeHashes: [exporters[0]!("7")] });
  assert.equal(joined([exported], 1, 4, exporters[1]!("9")), "flow-0", "two exporters of one connection");
});

Deno.test("another sensor's record that fits two flows joins the nearest that it has not named yet", () => {
  const zeek = nativeHasher("zeek-1", null);
  const suricata = nativeHasher("suricata-1", null);
  const first = flow(0, 3, { nativeHashes: [zeek("C1")] });
  const second = flow(20, 23, { nativeHashes: [zeek("C2")] });
  assert.equal(joined([first, second], 5, 8, suricata("1")), "flow-0");
  assert.equal(joined([second, first], 15, 18, suricata("1")), "flow-20");
  first.nativeHashes.push(suricata("1"));
  assert.equal(joined([first, second], 5, 8, suricata("2")), "flow-20");
});

Deno.test("of several flows with the same sensor flow id the nearest wins, in any order", () => {
  const flows = [flow(0, 1000, { nativeHashes: [7n] }), flow(60_000, 61_000, { nativeHashes: [7n] })];
  for (const candidates of [flows, flows.toReversed()]) {
    assert.equal(joined(candidates, 10_000, 10_001, 7n), "flow-0");
    assert.equal(joined(candidates, 50_000, 50_001, 7n), "flow-60000");
  }
});

Deno.test("connections no longer than the tolerance join across a clock offset", () => {
  // Two real sensors on one network, 14 ms apart, observing a 3 ms connection.
  assert.equal(joined([flow(0, 3.2)], 13.8, 16.8), "flow-0");
  assert.equal(joined([flow(0, 3.2)], 3.3 + TOLERANCE, 6 + TOLERANCE), null);
  assert.equal(joined([flow(0, 1000)], 1014, 2014), null, "longer ones must overlap");
});

const SURICATA = { source: "suricata", counted: false } as const;

Deno.test("two kinds of sensors observing a connection without counters yet give one flow", () => {
  // Zeek logs a handshake at its start, Suricata at its end: one round trip later.
  assert.equal(joined([open(0)], 180, 180, 8n, SURICATA), "flow-0");
  const span = OPEN_SPAN / 1000;
  assert.equal(joined([open(0)], span, span, null, SURICATA), "flow-0");
  assert.equal(joined([open(0)], span + 0.001, span + 0.001, null, SURICATA), null);
  assert.equal(joined([open(0), open(500)], 400, 400, null, SURICATA), "flow-500", "the nearest");

  assert.equal(joined([flow(0, 100)], 180, 180, 8n, SURICATA), null, "one with counters has ended");
  assert.equal(joined([open(0)], 180, 900, 8n, { source: "suricata" }), null, "counters say when it started");
  assert.equal(
    joined([open(0)], 180, 180, 8n, { counted: false }),
    null,
    "the same kind separates them by id",
  );
  assert.equal(
    joined([open(0, { sources: ["zeek", "suricata"] })], 180, 180, 8n, SURICATA),
    null,
    "Suricata already reported this connection with another id",
  );
  assert.equal(
    joined([open(0, { proto: "udp" })], 180, 180, 8n, SURICATA),
    null,
    "UDP has no connections",
  );
});

Deno.test("an observation joins the whole connection another sensor reported, not its own partial flow", () => {
  // Suricata's early alerts on one side, Zeek's record of the same connection on the other.
  const alerts = open(70_000, { sources: ["suricata"], nativeHashes: [8n], flowId: "alerts" });
  const whole = flow(0, 90_000, { flowId: "whole" });
  for (const candidates of [[alerts, whole], [whole, alerts]]) {
    assert.equal(
      joined(candidates, 0, 90_000, 8n, { source: "suricata" }),
      "whole",
      "its own record of the connection",
    );
    assert.equal(joined(candidates, 80_000, 80_000, 8n, SURICATA), "whole", "a later alert");
    assert.equal(joined(candidates, 95_000, 95_000, 8n, SURICATA), "alerts", "but not one after its end");
    assert.equal(
      joined(candidates, 60_000, 300_000, 8n, { source: "suricata" }),
      "alerts",
      "nor one of another length",
    );
  }
  const reported = { ...whole, sources: ["zeek" as const, "suricata" as const] };
  assert.equal(
    joined([alerts, reported], 0, 90_000, 8n, { source: "suricata" }),
    "alerts",
    "Suricata's other flow",
  );
});

Deno.test("nothing joins without a candidate", () => {
  assert.equal(joined([], 0, 1000, 7n), null);
});

Deno.test("overlap is symmetric and independent of candidate order", () => {
  const span = fc.tuple(fc.integer({ min: 0, max: 100_000 }), fc.integer({ min: 0, max: 50_000 }))
    .map(([start, length]) => ({ start, end: start + length }));
  fc.assert(fc.property(span, span, (a, b) => overlaps(a, b) === overlaps(b, a)));
  fc.assert(fc.property(fc.array(span, { maxLength: 6 }), span, (spans, key) => {
    const flows = spans.map((one, index) => flow(one.start, one.end, { flowId: `f${index}` }));
    assert.equal(joined(flows, key.start, key.end), joined(flows.toReversed(), key.start, key.end));
  }));
});
