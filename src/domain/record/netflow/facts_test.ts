import assert from "node:assert/strict";
import type { ExportFacts } from "../facts.ts";
import type { Fields } from "../fields.ts";
import type { Observation } from "../observation.ts";
import { normalise } from "../registry.ts";

function observe(payload: Fields): Observation {
  const context = { observedAt: 1_700_000_000_000_000, expectedExporters: null };
  const result = normalise("netflow.flow", payload, context);
  assert.ok("observation" in result, "unparsed" in result ? result.unparsed : "");
  return result.observation;
}

const flow: Fields = {
  src_addr: "10.0.0.5",
  dst_addr: "192.0.2.80",
  proto: "TCP",
  src_port: 51000,
  dst_port: 443,
  packets: 1,
};

function factsOf(fields: Fields): ExportFacts | null {
  const { facts } = observe({ ...flow, ...fields });
  assert.ok(facts === null || facts.type === "export");
  return facts;
}

Deno.test("netflow.flow: no facts if the record states none", () => {
  assert.equal(factsOf({}), null);
  const unset = {
    tcp_flags: 0,
    in_if: 0,
    out_if: 0,
    sampling_rate: 1,
    post_nat_ip_src: "",
    post_nat_ip_dst: "",
  };
  assert.equal(factsOf({ ...unset, post_nat_port_src: 0, post_nat_port_dst: 0 }), null);
});

Deno.test("netflow.flow: the translated tuple is a fact; the flow keeps its own tuple and Community ID", () => {
  const nat = { src: { ip: "203.0.113.1", port: 23001 }, dst: { ip: "192.0.2.80", port: 443 } };
  const spellings: Fields[] = [
    { src4_xlt_ip: "203.0.113.1", dst4_xlt_ip: "192.0.2.80", src_xlt_port: "23001", dst_xlt_port: "443" },
    { post_nat_ip_src: "203.0.113.1", post_nat_ip_dst: "", post_nat_port_src: 23001, post_nat_port_dst: 0 },
    { post_nat_src_addr: "203.0.113.1", post_napt_src_port: 23001, post_napt_dst_port: 443 },
    { post_nat_src_addr: "cb007101", post_nat_dst_addr: "c0000250", post_napt_src_port: 23001 },
  ];
  const plain = observe(flow);
  for (const fields of spellings) {
    assert.deepEqual(factsOf(fields)?.nat, nat);
    const { src, dst, tuple, warnings } = observe({ ...flow, ...fields });
    assert.deepEqual({ src, dst, tuple }, {
      src: plain.src,
      dst: plain.dst,
      tuple: plain.tuple,
    });
    assert.deepEqual(warnings, []);
  }
});

Deno.test("netflow.flow: no translation if the record states the same tuple or none", () => {
  assert.equal(factsOf({ src4_xlt_ip: "10.0.0.5", dst4_xlt_ip: "192.0.2.80", src_xlt_port: "51000" }), null);
  assert.equal(factsOf({ src4_xlt_ip: "0.0.0.0", dst4_xlt_ip: "0.0.0.0", src_xlt_port: "0" }), null);
  // From one address family to the other.
  const nat64 = factsOf({ src4_xlt_ip: "0.0.0.0", src6_xlt_ip: "2001:db8::5" })?.nat;
  assert.deepEqual(nat64?.src, { ip: "2001:db8::5", port: 51000 });
  const bad = observe({ ...flow, post_nat_ip_src: "inside", post_nat_port_src: -1 });
  assert.equal(bad.facts, null);
  assert.deepEqual(bad.warnings, [
    "post_nat_port_src: expected a port",
    "post_nat_ip_src: expected an address",
  ]);
});

Deno.test("netflow.flow: TCP flags as a number, text, names or letters; TCP only", () => {
  for (
    const tcp_flags of [27, "27", "...AP.SF", ".AP.SF", ["ACK", "PSH", "SYN", "FIN"], [
      "FIN",
      "SYN",
      "PSH",
      "ACK",
      "?",
    ]]
  ) {
    assert.equal(factsOf({ tcp_flags })?.tcpFlags, 27, JSON.stringify(tcp_flags));
  }
  assert.equal(factsOf({ tcp_flags: "CEUAPRSF" })?.tcpFlags, 255);
  assert.equal(factsOf({ TCPFlags: 2 })?.tcpFlags, 2);
  for (const tcp_flags of [0, "0", "........", [], ["none"]]) assert.equal(factsOf({ tcp_flags }), null);
  assert.equal(factsOf({ tcp_flags: 27, proto: "UDP" }), null);
  assert.deepEqual(observe({ ...flow, tcp_flags: "SYN" }).warnings, ["tcp_flags: expected TCP flags"]);
});

Deno.test("netflow.flow: interfaces, without placeholder values", () => {
  for (
    const names of [["in_if", "out_if"], ["InIf", "OutIf"], ["iface_in", "iface_out"], [
      "input_snmp",
      "output_snmp",
    ]]
  ) {
    const facts = factsOf({ [names[0]!]: 3, [names[1]!]: "4" });
    assert.deepEqual([facts?.inputInterface, facts?.outputInterface], [3, 4]);
  }
  assert.equal(factsOf({ in_if: 0x3fffffff, out_if: 0 }), null);
});

Deno.test("netflow.flow: the sampling rate is a fact if it was used", () => {
  assert.equal(factsOf({ sampling_rate: 100 })?.samplingRate, 100);
  assert.equal(factsOf({ sampling_rate: 100, packets: 0 }), null);
});
