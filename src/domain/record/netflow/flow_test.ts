import assert from "node:assert/strict";
import { netflowFlow } from "./flow.ts";
import type { Fields } from "../fields.ts";
import type { ReadObservation } from "../observation.ts";
import { normalise } from "../registry.ts";

const observedAt = 1_700_000_000_000_000;

function observe(payload: Fields): ReadObservation {
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

Deno.test("netflow.flow: the exporter's direction, without counters for the other", () => {
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

Deno.test("netflow.flow: only expected exporters", () => {
  const expect = (payload: Fields, ...exporters: string[]) =>
    normalise("netflow.flow", payload, { observedAt, expectedExporters: new Set(exporters) });
  assert.ok("observation" in expect(goflow2, "192.168.0.1"));
  assert.deepEqual(expect(goflow2, "192.0.2.9"), { unparsed: "exporter 192.168.0.1 is not expected" });
  assert.deepEqual(expect(goflow2), { unparsed: "exporter 192.168.0.1 is not expected" });
  assert.deepEqual(expect({ ...goflow2, sampler_address: null }, "192.168.0.1"), {
    unparsed: "exporter is missing, but only expected exporters are accepted",
  });
  // The IPv4-mapped spelling of an IPv4 exporter.
  assert.ok("observation" in expect({ ...goflow2, sampler_address: "::ffff:192.168.0.1" }, "192.168.0.1"));
  // goflow2's older JSON: base64 of 4 bytes, and of the 16 of an IPv4-mapped address.
  const { sampler_address: _, ...rest } = goflow2;
  for (const SamplerAddress of ["wKgAAQ==", "AAAAAAAAAAAAAP//wKgAAQ=="]) {
    assert.ok("observation" in expect({ ...rest, SamplerAddress }, "192.168.0.1"));
    assert.deepEqual(expect({ ...rest, SamplerAddress }, "192.0.2.9"), {
      unparsed: "exporter 192.168.0.1 is not expected",
    });
  }
  // pmacct and nfdump.
  assert.ok("observation" in expect({ ...rest, peer_ip_src: "192.168.0.1" }, "192.168.0.1"));
  assert.ok("observation" in expect({ ...rest, ip4_router: "192.168.0.1" }, "192.168.0.1"));
  assert.ok("observation" in expect({ ...rest, ip6_router: "2001:DB8:0::1" }, "2001:db8::1"));
  // An invalid address never matches an expected one, whatever it resembles.
  for (
    const spelling of ["192.168.000.001", "192.168.0.1 ", "wKgAAQ", "c0a80001", 3232235521, ["192.168.0.1"]]
  ) {
    assert.deepEqual(expect({ ...goflow2, sampler_address: spelling }, "192.168.0.1"), {
      unparsed: "exporter is missing, but only expected exporters are accepted",
    });
  }
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
  // Type 0 is a reply only if the port is 0 too; ICMPv6 has no type 0; pmacct does not read IPFIX's.
  assert.equal(observe({ ...icmp, dst_port: null, icmp_type: 0, icmp_code: 0 }).icmp, null);
  assert.equal(observe({ ...icmp, src_addr: "fd01::1", proto: "ICMPv6", dst_port: 0 }).icmp, null);
  assert.deepEqual(observe({ ...icmp, dst_port: 0, export_proto_version: 9 }).icmp, { type: 0, code: 0 });
  assert.equal(observe({ ...icmp, dst_port: 0, export_proto_version: 10 }).icmp, null);
  const none = observe({ ...icmp, dst_port: null });
  assert.equal(none.icmp, null);
  assert.deepEqual(none.dst, { ip: "198.51.100.7", port: null });
  assert.deepEqual(none.warnings, ["community_id not computed: no ICMP type"]);
});

Deno.test("netflow.flow: an address that the exporter fills in with zeros is not stated", () => {
  const zeros = { src_addr: "0.0.0.0", dst_addr: "::", sampler_address: "0.0.0.0" };
  const { src, dst, exporter, tuple } = observe({ ...goflow2, ...zeros, src_addr: "10.0.0.5" });
  assert.deepEqual([src.ip, dst.ip, exporter, tuple], ["10.0.0.5", "::", null, null]);
  const unparsed = (payload: Fields) =>
    normalise("netflow.flow", payload, { observedAt, expectedExporters: null });
  assert.deepEqual(unparsed({ ...goflow2, ...zeros }), {
    unparsed: "src_addr, dst_addr: expected an address, but the exporter states neither (0.0.0.0, ::)",
  });
  // Both families in one record, one of them unused.
  const { src_addr: _, dst_addr: __, ...rest } = goflow2;
  const families = { src4_addr: "0.0.0.0", dst4_addr: "0.0.0.0", src6_addr: "fd01::1", dst6_addr: "fd01::2" };
  const six = observe({ ...rest, ...families });
  assert.deepEqual([six.src.ip, six.dst.ip], ["fd01::1", "fd01::2"]);
});

Deno.test("netflow.flow: a missing member is named in the record's own spelling", () => {
  const unparsed = (payload: Fields) =>
    normalise("netflow.flow", payload, { observedAt, expectedExporters: null });
  assert.deepEqual(unparsed({}), { unparsed: "src_addr: expected an address" });
  assert.deepEqual(unparsed({ ip_src: "x" }), { unparsed: "ip_src: expected an address" });
  assert.deepEqual(unparsed({ ...goflow2, proto: 999 }), { unparsed: "proto: expected a protocol" });
  for (const etype of ["IPv4", "IPv6", "", "800", 2048, 34525, null]) {
    assert.deepEqual(unparsed({ ...goflow2, src_addr: "", etype }), {
      unparsed: "src_addr: expected an address",
    });
  }
  // Neither converts to text: an object's own toString, and a number of a million digits.
  for (const etype of [{ toString: 1 }, 10n ** 1_000_000n]) {
    assert.deepEqual(unparsed({ ...goflow2, src_addr: "", etype }), {
      unparsed: "src_addr: expected an address",
    });
  }
  for (const etype of ["ARP", "806", 2054]) {
    assert.deepEqual(unparsed({ ...goflow2, dst_addr: "", etype }), {
      unparsed: `dst_addr: expected an address; etype ${etype} is not IP`,
    });
  }
  assert.deepEqual(unparsed({ event_type: "purge_close", writer_id: "default_kafka/1" }), {
    unparsed: "event_type: purge_close is pmacct's own message, not a flow",
  });
});

Deno.test("netflow.flow: a single port 0 is a port, but two mean unknown", () => {
  const fragment = observe({ ...goflow2, src_port: 0, dst_port: 0 });
  assert.deepEqual([fragment.src.port, fragment.dst.port], [null, null]);
  assert.deepEqual(fragment.warnings, ["community_id not computed: no source port"]);
  assert.deepEqual(observe({ ...goflow2, dst_port: 0 }).dst, { ip: "fd01::2", port: 0 });
});

Deno.test("netflow.flow: the VLAN in each collector's spelling", () => {
  const spellings: Fields[] = [
    { src_vlan: 42, vlan_id: 7 },
    { src_vlan: 0, vlan_id: 42 },
    { SrcVlan: 0, VlanId: 42 },
    { dot1q_vlan_id: 42 },
    { vlan: 42 },
    { vlan_in: 42, vlan_out: 7 },
    { vlanID: 42 },
  ];
  for (const fields of spellings) {
    assert.equal(observe({ ...goflow2, ...fields }).vlan, 42, JSON.stringify(fields));
  }
  assert.equal(observe({ ...goflow2, src_vlan: 0, vlan_id: 0, vlan: "" }).vlan, null);
});

Deno.test("netflow.flow: a firewall's own connection id", () => {
  assert.equal(observe({ ...goflow2, connect_id: "101" }).nativeId, "101");
  assert.equal(observe({ ...goflow2, connect_id: "0" }).nativeId, null);
  assert.equal(observe(goflow2).nativeId, null);
});

Deno.test("an uptime wrap puts the flow at the envelope's time, with a warning", () => {
  const observedAt = 1_795_222_923_000_000;
  const wrapped = (observedAt + 4_294_967_296_000) * 1000;
  const result = netflowFlow.normalise({
    src_addr: "192.0.2.1",
    dst_addr: "192.0.2.2",
    proto: 6,
    time_flow_start_ns: wrapped,
    time_flow_end_ns: wrapped,
  }, { observedAt, expectedExporters: null });
  assert.ok("observation" in result);
  const { start, end, warnings } = result.observation;
  assert.deepEqual([start, end], [observedAt, observedAt]);
  assert.ok(warnings.includes("starts more than a day after the envelope's time"));
});

Deno.test("an end more than a day after the envelope's time gives way to it, with a warning", () => {
  const observedAt = 1_795_222_923_000_000;
  const result = netflowFlow.normalise({
    src_addr: "192.0.2.1",
    dst_addr: "192.0.2.2",
    proto: 6,
    time_flow_start_ns: (observedAt - 1_000_000) * 1000,
    time_flow_end_ns: (observedAt + 4_294_967_296_000) * 1000,
  }, { observedAt, expectedExporters: null });
  assert.ok("observation" in result);
  const { start, end, warnings } = result.observation;
  assert.deepEqual([start, end], [observedAt - 1_000_000, observedAt]);
  assert.ok(warnings.includes("ends more than a day after the envelope's time"));
});
