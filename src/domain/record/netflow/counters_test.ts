import assert from "node:assert/strict";
import type { Fields } from "../fields.ts";
import type { Observation } from "../observation.ts";
import { normalise } from "../registry.ts";
import { exportedCounters } from "./counters.ts";

function observe(payload: Fields): Observation {
  const context = { observedAt: 1_763_686_901_000_000, expectedExporters: null };
  const result = normalise("netflow.flow", payload, context);
  assert.ok("observation" in result, "unparsed" in result ? result.unparsed : "");
  return result.observation;
}

const goflow2: Fields = {
  time_flow_start_ns: 1681583295157626000n,
  time_flow_end_ns: 1681583296157626000n,
  bytes: 1500,
  packets: 2,
  src_addr: "fd01::1",
  dst_addr: "fd01::2",
  proto: "TCP",
  src_port: 443,
  dst_port: 50001,
};

Deno.test("netflow.flow: counters are scaled only by a stated rate above 1, with a warning", () => {
  for (const rate of [undefined, null, 0, 1]) {
    assert.deepEqual(
      observe({ ...goflow2, sampling_rate: rate ?? null }).counters,
      observe(goflow2).counters,
    );
  }
  const scaled = observe({ ...goflow2, sampling_rate: 100, packets: 9007199254740993n });
  assert.deepEqual(scaled.counters?.srcToDst, { bytes: 150_000, packets: 900719925474099300n });
  assert.deepEqual(scaled.warnings, ["counters scaled by sampling rate 100"]);
  const over = observe({ ...goflow2, sampling_rate: 4096, bytes: 9223372036854775807n });
  assert.equal(over.counters?.srcToDst.bytes, null);
  assert.deepEqual(over.warnings, ["bytes: above 2^63 - 1", "counters scaled by sampling rate 4096"]);
  const bad = observe({ ...goflow2, sampling_rate: "many" });
  assert.deepEqual(bad.warnings, ["sampling_rate: expected a rate"]);
  assert.equal(bad.counters?.srcToDst.bytes, 1500);
});

Deno.test("netflow.flow: nfdump's out counters are the other direction; its zeros mean not counted", () => {
  const nfdump = {
    first: "2025-11-21T01:01:41.000",
    last: "2025-11-21T01:02:41.234",
    in_packets: 10,
    in_bytes: 1500,
    proto: 6,
    src_port: 51000,
    dst_port: 443,
    src4_addr: "10.0.0.5",
    dst4_addr: "192.0.2.80",
    ip4_router: "127.0.0.1",
  };
  const both = observe({ ...nfdump, out_packets: 8, out_bytes: 9000 });
  assert.deepEqual(both.counters, {
    srcToDst: { bytes: 1500, packets: 10 },
    dstToSrc: { bytes: 9000, packets: 8 },
    semantics: "session",
  });
  assert.deepEqual(both.warnings, ["time has no zone, assumed UTC"]);
  assert.equal(both.end - both.start, 60_234_000);
  const one = observe({ ...nfdump, out_packets: 0, out_bytes: 0 }).counters;
  assert.deepEqual(one?.dstToSrc, { bytes: null, packets: null });
  assert.equal(one?.semantics, "unidirectional_export");
});

Deno.test("netflow.flow: 0 means not counted", () => {
  const counters = (fields: Fields) => observe({ ...goflow2, ...fields });
  assert.deepEqual(counters({ packets: 0 }).counters?.srcToDst, { bytes: 1500, packets: null });
  assert.deepEqual(counters({ bytes: 0 }).counters?.srcToDst, { bytes: null, packets: 2 });
  const nothing = counters({ bytes: 0, packets: 0, sampling_rate: 100, sampled: 1 });
  assert.equal(nothing.counters, null);
  assert.deepEqual(nothing.warnings, ["all counters are 0, treated as not counted"]);
  const absent = counters({ bytes: null, packets: null });
  assert.deepEqual([absent.counters, absent.warnings], [null, []]);
  assert.deepEqual(counters({ bytes: -1 }).warnings, ["bytes: expected a count"]);
});

Deno.test("netflow.flow: an event without counters gives no warning", () => {
  const events: Fields[] = [
    { type: "EVENT" },
    { nat_event: 1 },
    { nat_event: 0, fw_event: 3 },
    { nat_event: "2" },
  ];
  for (const fields of events) {
    const event = observe({ ...goflow2, bytes: 0, packets: 0, ...fields });
    assert.deepEqual([event.counters, event.warnings], [null, []], JSON.stringify(fields));
  }
  const end = observe({
    ...goflow2,
    type: "EVENT",
    bytes: 1200,
    packets: 0,
    out_bytes: 45_000,
    out_packets: 0,
  });
  assert.deepEqual(end.counters, {
    srcToDst: { bytes: 1200, packets: null },
    dstToSrc: { bytes: 45_000, packets: null },
    semantics: "session",
  });
});

Deno.test("netflow.flow: an egress export counts the flow's own direction", () => {
  const out = { ...goflow2, bytes: 0, packets: 0, out_bytes: 7000, out_packets: 11 };
  assert.deepEqual(observe({ ...out, direction: 1 }).counters, {
    srcToDst: { bytes: 7000, packets: 11 },
    dstToSrc: { bytes: null, packets: null },
    semantics: "unidirectional_export",
  });
  // From a bidirectional export in which only the other side sent anything.
  assert.deepEqual(observe({ ...out, direction: 0 }).counters, {
    srcToDst: { bytes: null, packets: null },
    dstToSrc: { bytes: 7000, packets: 11 },
    semantics: "session",
  });
});

Deno.test("netflow.flow: counters scaled by the collector are marked and not scaled again", () => {
  const sampled = observe({ ...goflow2, sampled: 1 });
  assert.equal(sampled.counters?.srcToDst.bytes, 1500);
  assert.deepEqual(sampled.warnings, [
    "counters scaled by the collector at an unstated rate",
  ]);
  assert.equal(sampled.facts, null);
  assert.deepEqual(observe({ ...goflow2, sampled: 0 }).warnings, []);
});

Deno.test("counters are deltas unless the record states totals or is a sample", () => {
  const cases: [object, boolean][] = [
    [{ bytes: 10 }, true],
    [{ type: "IPFIX", bytes: 10 }, true],
    [{ type: "SFLOW_5", bytes: 10 }, false],
    [{ octetTotalCount: 10, bytes: 3 }, false],
    [{ type: "EVENT", event_id: "5", in_bytes: 10 }, true],
    [{ type: "EVENT", event_id: "2", in_bytes: 10 }, false],
    [{ fw_event: 2, bytes: 10 }, false],
    [{ bytes: 0 }, false],
  ];
  for (const [payload, isDelta] of cases) {
    const counted = exportedCounters(payload as Fields, []);
    assert.equal(counted.isDelta, isDelta, JSON.stringify(payload));
    if (counted.counters !== null) assert.equal(counted.counters.srcToDst.bytes, 10);
  }
});

Deno.test("a direction that a firewall's connection did not use has 0 bytes", () => {
  for (const event_id of ["2", "5"]) {
    const { counters } = exportedCounters({ type: "EVENT", event_id, in_bytes: 31, out_bytes: 0 }, []);
    assert.deepEqual(counters, {
      srcToDst: { bytes: 31, packets: null },
      dstToSrc: { bytes: 0, packets: null },
      semantics: "session",
    });
  }
});
