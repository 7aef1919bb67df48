import assert from "node:assert/strict";
import fc from "fast-check";
import { RECORD_KINDS } from "../../contract/record/kinds.ts";
import { canonicalIp } from "../../kit/net/ip.ts";
import { type JsonValue, parseJson, stringifyJson } from "../../kit/json/json.ts";
import type { Fields } from "./fields.ts";
import type { CaptureSample, ReadObservation } from "./observation.ts";
import { normalise, normaliserFor } from "./registry.ts";

const context = { observedAt: 1_700_000_000_000_000, expectedExporters: null };

Deno.test("every kind is registered, with the source its name begins with", () => {
  for (const kind of RECORD_KINDS) {
    const type = normaliserFor(kind);
    assert.equal(type.source, kind.split(".")[0]);
  }
});

// Every member name that a normaliser reads.
const NAMES =
  ("ts uid id id.orig_h id.orig_p id.resp_h id.resp_p id_orig_h id_resp_h orig_h orig_p resp_h resp_p " +
    "proto ip_proto duration rtt orig_bytes resp_bytes orig_pkts resp_pkts service vlan community_id conn_state " +
    "ctx id.ctx.vlan id_ctx_vlan server_name next_protocol ssl_history established resumed cert_chain_fps ja4s issuer " +
    "issuer_subject not_valid_before not_valid_after validation_status resp_certificate_sha1 certificate " +
    "certificate.serial host uri user_agent referrer status_code request_body_len response_body_len resp_mime_types " +
    "mime_type username hasshServer host_key host_key_fingerprint auth_success auth_attempts peer pkts_proc pkts_link " +
    "pkts_dropped ts_delta acks percent_lost " +
    "query qtype qtype_name rcode rcode_name answers timestamp flow_id src_ip src_port dest_ip dest_port icmp_type " +
    "icmp_code app_proto direction flow dns alert start end bytes_toserver pkts_toserver bytes_toclient " +
    "pkts_toclient version type rrname rrtype rdata queries grouped srv priority weight port name signature " +
    "signature_id gid rev category severity action metadata src_addr dst_addr sampler_address SamplerAddress bytes " +
    "tls sni ja3 ja3s ja4 hash string subject issuerdn serial fingerprint notbefore notafter session_resumed " +
    "server_alpns server_handshake cipher http hostname url http_user_agent http_method status length protocol " +
    "http_content_type http_refer request_headers response_headers value authorization ssh client server hassh " +
    "proto_version software_version anomaly event code layer soa sshfp " +
    "smb dialect command status_code share filename directory rename to named_pipe dcerpc interfaces uuid opnum ntlmssp user domain host kerberos " +
    "realm dhcp dhcp_type client_mac client_id vendor_class_identifier requested_ip client_ip assigned_ip relay_ip " +
    "lease_time routers dns_servers subnet_mask krb5 msg_type cname sname encryption weak_encryption " +
    "ticket_encryption ticket_weak_encryption error_code message source destination network transport ip " +
    "destination.ip " +
    "packets sampling_rate time_flow_start_ns time_flow_end_ns first last src4_addr dst4_addr in_bytes out_bytes " +
    "out_packets ip_src ip_dst peer_ip_src stamp_inserted t_first t_event sampled etype event_type nat_event fw_event " +
    "connect_id tcp_flags in_if output_snmp src4_xlt_ip dst6_xlt_ip src_xlt_port post_nat_ip_dst post_nat_src_addr " +
    "export_proto_version vlan_in __proto__ constructor").split(" ");

const WORDS =
  ("10.0.0.1 192.0.2.7 fe80::1 ::ffff:10.0.0.1 010.0.0.1 ZEAACA== tcp udp icmp ICMP IPv6-ICMP SCTP 47 answer " +
    "response query to_client to_server failed REJ S0 2026-11-21T01:02:03Z 2026-11-21T01:02:03.123456+0100 " +
    "TLSv13 DTLSv12 Cs CjCs T F -ssl,http 1795222923123 [fe80::1]:80 e0fe397a5edfba9a6facc7c7b341f4eb 3.5% " +
    "t13d1516h2_8daaf6152771_e5627efa2ab1 q130200_1301_234ea6891581 0A:1B:2C CN=a\\,b,C=US " +
    "TLSv1 771,49200,11 HTTP/2 :status SSH-2.0-x 1.99 YTpi decode " +
    "reply request KRB_AS_REP <empty> <none> 00:11:22:aa:bb:cc 255.255.255.255 0.0.0.0 doh " +
    "...AP.SF EVENT purge_init 0a000005 2026-11-21T01:02:03.7 1970-01-01T01:00:00.000 ARP " +
    "2026-11-21T01:02:03 1588205199.82437 1:wCb3OG7yAFWelaUydu0D+125CLM= a\0b \0").split(" ");

const leaf: fc.Arbitrary<JsonValue> = fc.oneof(
  fc.constantFrom(...WORDS),
  fc.nat({ max: 70_000 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }),
  fc.string({ maxLength: 40 }),
  fc.constantFrom<JsonValue>("x".repeat(5000), "\0".repeat(3000), "a😀".repeat(1200), 2 ** 53, -1, 1e300),
  fc.constantFrom<JsonValue>(Array(50).fill("192.0.2.1"), Array(50).fill({ rdata: "192.0.2.1" })),
  fc.constantFrom(null, true, false),
);
const value = fc.letrec<{ any: JsonValue; object: Fields }>((tie) => ({
  any: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    leaf,
    fc.array(tie("any"), { maxLength: 3 }),
    tie("object"),
  ),
  object: fc.dictionary(fc.oneof(fc.constantFrom(...NAMES), fc.string({ maxLength: 5 })), tie("any"), {
    maxKeys: 6,
  }),
}));
// Mostly plausible, so that the readers after the tuple are reached.
const plausible = fc.record({
  "id.orig_h": fc.constantFrom("10.0.0.1", "fe80::1"),
  "id.resp_h": fc.constantFrom("10.0.0.2", "ff02::2"),
  src_ip: fc.constantFrom("10.0.0.1", "fe80::1"),
  dest_ip: fc.constantFrom("10.0.0.2", "fe80::2"),
  src_addr: fc.constantFrom("10.0.0.1", "fe80::1"),
  dst_addr: fc.constantFrom("10.0.0.2", "fe80::2"),
  proto: fc.constantFrom<JsonValue>("tcp", "UDP", "icmp", "IPv6-ICMP", 47),
  flow: value.object,
  dns: value.object,
  tls: value.object,
  http: value.object,
  ssh: value.object,
  smb: value.object,
  dhcp: value.object,
  krb5: value.object,
  message: fc.oneof(value.any, fc.constantFrom("192.0.2.7 a. A IN", "[1700000000] u[1:0] info: ::1 a. A IN")),
  anomaly: fc.oneof(value.object, fc.record({ type: leaf, event: leaf, code: leaf })),
  alert: fc.oneof(value.object, fc.record({ signature: leaf, signature_id: leaf, metadata: value.object })),
});
const payload: fc.Arbitrary<Fields> = fc.oneof(
  value.object,
  fc.tuple(plausible, value.object).map(([sound, wild]) => ({ ...sound, ...wild })),
  fc.tuple(plausible, value.object).map(([sound, wild]) => ({ ...wild, ...sound })),
);

Deno.test("any payload gives a valid observation or a reason", () => {
  let observations = 0;
  fc.assert(
    fc.property(fc.constantFrom(...RECORD_KINDS), payload, (kind, input) => {
      const before = stringifyJson(input);
      const result = normalise(kind, input, context);
      assert.equal(stringifyJson(input), before, "the payload was modified");
      assert.deepEqual(normalise(kind, input, context), result);
      if ("unparsed" in result) {
        assert.ok(result.unparsed.length > 0 && result.unparsed.length <= 200);
        return;
      }
      if ("capture" in result) {
        checkCapture(result.capture);
        return;
      }
      observations++;
      checkObservation(result.observation);
      assert.deepEqual(parseJson(stringifyJson(result.observation)), { ...result.observation });
    }),
    { numRuns: 1500 },
  );
  assert.ok(observations > 200, `only ${observations} observations`);
});

function checkObservation(observation: ReadObservation): void {
  assert.ok(Number.isSafeInteger(observation.start) && Number.isSafeInteger(observation.end));
  assert.ok(observation.start <= observation.end && observation.end - observation.start <= 366 * 86_400e6);
  for (const end of [observation.src, observation.dst]) {
    assert.equal(canonicalIp(end.ip), end.ip);
    assert.ok(end.port === null || (end.port >= 0 && end.port <= 65535));
  }
  for (const direction of [observation.counters?.srcToDst, observation.counters?.dstToSrc]) {
    for (const counter of [direction?.bytes, direction?.packets]) {
      if (counter === null || counter === undefined) continue;
      assert.ok(counter >= 0 && counter <= 2n ** 63n - 1n);
      assert.equal(typeof counter === "bigint", counter > Number.MAX_SAFE_INTEGER);
    }
  }
  if (observation.facts?.type === "dns") {
    assert.ok((observation.facts.query?.length ?? 0) <= 1024 && observation.facts.answers.length <= 32);
  }
  if (observation.facts?.type === "alert") assert.ok(observation.facts.signature.length <= 512);
  for (const fact of Object.values(observation.facts ?? {})) {
    assert.ok(typeof fact !== "string" || fact.length <= 2048);
  }
  assert.ok((observation.service?.length ?? 0) <= 64 && (observation.nativeId?.length ?? 0) <= 64);
  assert.ok(
    observation.warnings.length <= 16 && observation.warnings.every((warning) => warning.length <= 100),
  );
  const written = stringifyJson(observation);
  assert.ok(!written.includes("\\u0000"), "contains a NUL character");
  assert.ok(written.isWellFormed());
}

function checkCapture(sample: CaptureSample): void {
  assert.ok(Number.isSafeInteger(sample.at));
  assert.ok(sample.interval === null || (Number.isSafeInteger(sample.interval) && sample.interval >= 0));
  assert.ok(sample.lossPercent === null || (sample.lossPercent >= 0 && sample.lossPercent <= 100));
  for (const counter of [sample.packets, sample.dropped]) {
    assert.ok(counter === null || (counter >= 0 && counter <= 2n ** 63n - 1n));
  }
  assert.ok((sample.peer?.length ?? 0) <= 64 && sample.warnings.length <= 16);
  assert.ok(!stringifyJson({ ...sample }).includes("\\u0000"), "contains a NUL character");
}

Deno.test("an end stays an exact integer, however late a record starts", () => {
  const payload = {
    ts: Number.MAX_SAFE_INTEGER,
    "id.orig_h": "10.0.0.1",
    "id.orig_p": 1,
    "id.resp_h": "10.0.0.2",
  };
  const connection = { ...payload, "id.resp_p": 2, proto: "tcp", duration: 10.5 };
  const result = normalise("zeek.conn", connection, {
    observedAt: 1_700_000_000_000_000,
    expectedExporters: null,
  });
  assert.ok("observation" in result);
  assert.ok(Number.isSafeInteger(result.observation.end));
});
