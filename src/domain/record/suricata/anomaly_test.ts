import assert from "node:assert/strict";
import type { Fields } from "../fields.ts";
import type { Observation } from "../observation.ts";
import { normalise } from "../registry.ts";

const context = { observedAt: 1_700_000_000_000_000, expectedExporters: null };

function observe(more: Fields): Observation {
  const payload = {
    timestamp: "2026-11-21T01:02:03.000001+0000",
    src_ip: "192.0.2.25",
    src_port: 25,
    dest_ip: "10.0.0.5",
    dest_port: 40000,
    proto: "TCP",
    ...more,
  };
  const result = normalise("suricata.anomaly", payload, context);
  assert.ok("observation" in result, "unparsed" in result ? result.unparsed : "");
  return result.observation;
}

const unnamed = { anomalyType: "unknown", layer: null, appProto: null };

Deno.test("suricata.anomaly: event, layer and protocol", () => {
  const anomaly = {
    app_proto: "smtp",
    type: "applayer",
    event: "INVALID_REPLY",
    layer: "proto_parser",
  };
  const observation = observe({ anomaly });
  assert.equal(observation.evidenceKind, "alert");
  assert.equal(observation.service, "smtp");
  assert.equal(observation.start, observation.end);
  assert.deepEqual(observation.facts, {
    type: "anomaly",
    anomalyType: "applayer",
    event: "INVALID_REPLY",
    layer: "proto_parser",
    appProto: "smtp",
  });
  // Suricata 5 writes the protocol beside the object; `failed` means none.
  const older = observe({ app_proto: "tls", anomaly: { ...anomaly, app_proto: null } });
  assert.equal(older.service, "tls");
  assert.equal(observe({ anomaly: { ...anomaly, app_proto: "failed" } }).service, null);
});

Deno.test("suricata.anomaly: the direction is the packet's", () => {
  const observation = observe({ anomaly: { type: "stream", event: "stream.pkt_invalid_ack" } });
  assert.deepEqual(observation.src, { ip: "192.0.2.25", port: 25 });
});

Deno.test("suricata.anomaly: an event without a name is identified by its number", () => {
  const { facts } = observe({ anomaly: { type: "unknown", code: 213 } });
  assert.deepEqual(facts, { type: "anomaly", event: "213", ...unnamed });
});

Deno.test("suricata.anomaly: ports the decoder could not read are not port 0", () => {
  const noPorts = { src_port: 0, dest_port: 0, proto: "UDP" };
  const broken = observe({ ...noPorts, anomaly: { type: "decode", event: "decoder.udp.pkt_too_small" } });
  assert.deepEqual([broken.src.port, broken.dst.port], [null, null]);
  assert.equal(broken.tuple, null);
  assert.deepEqual(broken.warnings, ["community_id not computed: no source port"]);
  const whole = observe({ src_port: 0, anomaly: { type: "decode", event: "decoder.udp.hlen_invalid" } });
  assert.deepEqual([whole.src.port, whole.dst.port], [0, 40000]);
  const stream = observe({ ...noPorts, proto: "TCP", anomaly: { type: "stream", event: "stream.x" } });
  assert.deepEqual([stream.src.port, stream.dst.port], [0, 0]);
});

Deno.test("suricata.anomaly: rejected records state the reason", () => {
  const unparsed = (payload: Fields) => normalise("suricata.anomaly", payload, context);
  const anomaly = { type: "decode", event: "decoder.ethernet.pkt_too_small" };
  const noAddresses = "src_ip: expected an address; an event about a non-IP packet has no flow";
  assert.deepEqual(unparsed({ anomaly }), { unparsed: noAddresses });
  assert.deepEqual(unparsed({ anomaly, src_ip: "", dest_ip: "", proto: "" }), { unparsed: noAddresses });
  const packet = { src_ip: "10.0.0.5", dest_ip: "10.0.0.6", proto: "UDP" };
  assert.deepEqual(unparsed({ ...packet, proto: "", anomaly }), { unparsed: "proto: expected a protocol" });
  assert.deepEqual(unparsed(packet), { unparsed: "anomaly: expected an object" });
  const incompletes: Fields[] = [{}, { type: "decode" }, { event: "x" }];
  for (const incomplete of incompletes) {
    assert.deepEqual(unparsed({ ...packet, anomaly: incomplete }), {
      unparsed: "anomaly: expected a type, and an event or a code",
    });
  }
});
