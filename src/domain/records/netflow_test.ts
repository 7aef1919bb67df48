import assert from "node:assert/strict";
import type { Fields } from "./fields.ts";
import type { Observation } from "./observation.ts";
import { normalise } from "./registry.ts";

const observedAt = 1_700_000_000_000_000;

function observe(payload: Fields): Observation {
  const result = normalise("netflow.flow", payload, { observedAt, expectedExporters: null });
  assert.ok("observation" in result, "unparsed" in result ? result.unparsed : "");
  return result.observation;
}

const goflow2: Fields = {
  sampler_address: "192.168.0.1",
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

Deno.test("netflow.flow: the exporter's direction, and no counters for the other", () => {
  const observation = observe(goflow2);
  assert.deepEqual(observation.src, { ip: "fd01::1", port: 443 });
  assert.deepEqual(observation.counters, {
    srcToDst: { bytes: 1500, packets: 2 },
    dstToSrc: { bytes: null, packets: null },
    semantics: "unidirectional_export",
  });
  assert.equal(observation.start, 1681583295157626);
  assert.equal(observation.end - observation.start, 1_000_000);
  assert.equal(observation.exporter, "192.168.0.1");
});

Deno.test("netflow.flow: scaled only by a stated rate above 1, and it says so", () => {
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
  assert.deepEqual(over.warnings, ["counters scaled by sampling rate 4096", "bytes: above 2^63 - 1"]);
  const bad = observe({ ...goflow2, sampling_rate: "many" });
  assert.deepEqual(bad.warnings, ["sampling_rate: expected a rate"]);
  assert.equal(bad.counters?.srcToDst.bytes, 1500);
});

Deno.test("netflow.flow: only expected exporters", () => {
  const expect = (payload: Fields, ...exporters: string[]) =>
    normalise("netflow.flow", payload, { observedAt, expectedExporters: new Set(exporters) });
  assert.ok("observation" in expect(goflow2, "192.168.0.1"));
  assert.deepEqual(expect(goflow2, "192.0.2.9"), { unparsed: "exporter 192.168.0.1 is not expected" });
  assert.deepEqual(expect(goflow2), { unparsed: "exporter 192.168.0.1 is not expected" });
  assert.deepEqual(expect({ ...goflow2, sampler_address: null }, "192.168.0.1"), {
    unparsed: "exporter is not stated, so it is not expected",
  });
  // The IPv4-mapped spelling of an IPv4 exporter.
  assert.ok("observation" in expect({ ...goflow2, sampler_address: "::ffff:192.168.0.1" }, "192.168.0.1"));
});

Deno.test("netflow.flow: goflow2's older spelling, base64 addresses and unset times", () => {
  const observation = observe({
    SrcAddr: "10.130.2.2",
    DstAddr: "CoICDQ==",
    Proto: 6,
    SrcPort: 1,
    DstPort: 2,
    Bytes: 3,
    Packets: 4,
    SamplerAddress: "AAAAAAAAAAAAAP//ZEAACA==",
    TimeFlowStart: 0,
    TimeFlowEnd: 0,
    SrcVlan: 0,
    VlanId: 42,
  });
  assert.equal(observation.dst.ip, "10.130.2.13");
  assert.equal(observation.exporter, "100.64.0.8");
  assert.equal(observation.vlan, 42);
  assert.deepEqual([observation.start, observation.end], [observedAt, observedAt]);
});

Deno.test("netflow.flow: ICMP type and code from their fields, else from the destination port", () => {
  const icmp = { ...goflow2, src_addr: "10.0.0.5", dst_addr: "198.51.100.7", proto: "ICMP", src_port: 0 };
  assert.deepEqual(observe({ ...icmp, dst_port: 771 }).icmp, { type: 3, code: 3 });
  assert.deepEqual(observe({ ...icmp, dst_port: 771, icmp_type: 0, icmp_code: 0 }).icmp, {
    type: 3,
    code: 3,
  });
  assert.deepEqual(observe({ ...icmp, dst_port: 0, icmp_type: 8, icmp_code: 0 }).icmp, { type: 8, code: 0 });
  assert.deepEqual(observe({ ...icmp, dst_port: 0, icmp_type: 0, icmp_code: 0 }).icmp, { type: 0, code: 0 });
  const none = observe({ ...icmp, dst_port: null });
  assert.equal(none.icmp, null);
  assert.deepEqual(none.dst, { ip: "198.51.100.7", port: null });
  assert.deepEqual(none.warnings, ["community_id not computed: no ICMP type"]);
});

Deno.test("netflow.flow: nfdump's out counters are the other direction, its zeros are not", () => {
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
  assert.deepEqual(both.warnings, ["time without a zone taken as UTC"]);
  assert.equal(both.end - both.start, 60_234_000);
  const one = observe({ ...nfdump, out_packets: 0, out_bytes: 0 }).counters;
  assert.deepEqual(one?.dstToSrc, { bytes: null, packets: null });
  assert.equal(one?.semantics, "unidirectional_export");
});

Deno.test("netflow.flow: what is missing is named as the record would", () => {
  const unparsed = (payload: Fields) =>
    normalise("netflow.flow", payload, { observedAt, expectedExporters: null });
  assert.deepEqual(unparsed({}), { unparsed: "src_addr: expected an address" });
  assert.deepEqual(unparsed({ ip_src: "x" }), { unparsed: "ip_src: expected an address" });
  assert.deepEqual(unparsed({ ...goflow2, proto: 999 }), { unparsed: "proto: expected a protocol" });
});
