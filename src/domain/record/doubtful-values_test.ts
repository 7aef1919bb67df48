import assert from "node:assert/strict";
import type { RecordKind } from "../../contract/record/kinds.ts";
import type { Fields } from "./fields.ts";
import type { ReadObservation } from "./observation.ts";
import { normalise } from "./registry.ts";

const OBSERVED: number = 1_763_686_901_500_000;
const ZEEK = { "id.orig_h": "10.0.0.5", "id.orig_p": 40_000, "id.resp_h": "192.0.2.7", "id.resp_p": 53 };
const EVE = { src_ip: "10.0.0.5", src_port: 40_000, dest_ip: "192.0.2.7", dest_port: 443, proto: "TCP" };
const EXPORT = { src_addr: "10.0.0.5", dst_addr: "192.0.2.7", src_port: 40_000, dst_port: 443, proto: 6 };

const QUERY = "[1763686900] unbound[12:0] info: 10.0.0.5 a.example. A IN";

function observe(kind: RecordKind, payload: Fields): ReadObservation {
  const result = normalise(kind, payload, { observedAt: OBSERVED, expectedExporters: null });
  assert.ok("observation" in result, "unparsed" in result ? result.unparsed : "");
  return result.observation;
}

Deno.test("zeek: epoch microseconds and nanoseconds are times", () => {
  for (const ts of [1_763_686_900_250_000, 1_763_686_900_250_000_000n, 1_763_686_900_250, 1_763_686_900.25]) {
    const { start, warnings } = observe("zeek.conn", { ts, proto: "udp", ...ZEEK });
    assert.deepEqual([start, warnings], [1_763_686_900_250_000, []], String(ts));
  }
  const { start, warnings } = observe("zeek.conn", { ts: 5e24, proto: "udp", ...ZEEK });
  assert.deepEqual([start, warnings], [OBSERVED, ["ts: expected a time"]]);
});

Deno.test("zeek: an ISO 8601 duration is an interval, anything else a warning", () => {
  const spans: [string, number | null][] = [
    ["PT1.25S", 1_250_000],
    ["PT1M0.5S", 60_500_000],
    ["P1DT2H", 93_600_000_000],
    ["P", null],
    ["PT", null],
    ["1.25 s", null],
  ];
  for (const [text, length] of spans) {
    for (const [kind, name] of [["zeek.conn", "duration"], ["zeek.dns", "rtt"]] as const) {
      const { start, end, warnings } = observe(kind, {
        ts: 1_763_686_900,
        proto: "udp",
        ...ZEEK,
        [name]: text,
      });
      assert.equal(end - start, length ?? 0, text);
      assert.deepEqual(warnings, length === null ? [`${name}: expected seconds`] : [], text);
    }
  }
});

Deno.test("a port of -1 leaves a warning that names the field", () => {
  const cases: [RecordKind, Fields, string][] = [
    ["zeek.conn", { ...ZEEK, ts: 1_763_686_900, proto: "udp", "id.orig_p": -1 }, "id.orig_p"],
    ["zeek.ssl", { ...ZEEK, ts: 1_763_686_900, "id.resp_p": -1 }, "id.resp_p"],
    ["suricata.alert", { ...EVE, dest_port: -1, alert: { signature: "s" } }, "dest_port"],
    ["suricata.flow", { ...EVE, src_port: -1, flow: {} }, "src_port"],
    ["netflow.flow", { ...EXPORT, src_port: -1 }, "src_port"],
    ["netflow.flow", { ...EXPORT, post_nat_port_src: -1 }, "post_nat_port_src"],
  ];
  for (const [kind, payload, name] of cases) {
    const { warnings } = observe(kind, payload);
    assert.ok(warnings.includes(`${name}: expected a port`), `${kind} ${name}: ${warnings}`);
  }
});

Deno.test("netflow.flow: a field that the exporter does not export leaves a warning", () => {
  const fields: [Fields, string][] = [
    [{ bytes: 0xffffffff, packets: 2 }, 'bytes: 4294967295 stands for "not exported"'],
    [{ bytes: 9, packets: 2n ** 64n - 1n }, 'packets: 18446744073709551615 stands for "not exported"'],
    [{ in_if: 0xffffffff }, 'in_if: 4294967295 stands for "not exported"'],
    [{ in_if: "ge-0/0" }, "in_if: expected an interface index"],
    [{ src_vlan: 65_535 }, "src_vlan: expected a VLAN identifier"],
    [{ time_flow_start_ns: 2n ** 64n - 1n }, "time_flow_start_ns: expected a time"],
    [{ timestamp_start: "yesterday" }, "timestamp_start: expected a time"],
  ];
  for (const [added, warning] of fields) {
    const { warnings } = observe("netflow.flow", { ...EXPORT, ...added });
    assert.ok(warnings.includes(warning), `${warning}: ${warnings}`);
  }
  const unset = { time_flow_start_ns: 0, timestamp_start: "0000-00-00 00:00:00", in_if: 0, src_vlan: 0 };
  assert.deepEqual(observe("netflow.flow", { ...EXPORT, ...unset, bytes: 9, packets: 1 }).warnings, []);
});

Deno.test("a value of a form that its member cannot have leaves a warning that names the member", () => {
  const zeek = { ...ZEEK, ts: 1_763_686_900 };
  const http = { status: 200 };
  const icmp = { src_ip: "10.0.0.5", dest_ip: "192.0.2.7", proto: "ICMP", icmp_type: 8, icmp_code: 0 };
  const cases: [RecordKind, Fields, string][] = [
    ["zeek.conn", { ...zeek, proto: "tcp", vlan: 70_000 }, "vlan: expected a VLAN identifier"],
    ["zeek.conn", { ...zeek, proto: "tcp", uid: 7 }, "uid: expected text"],
    ["zeek.conn", { ...zeek, proto: "tcp", service: 7 }, "service: expected text"],
    ["zeek.conn", { ...zeek, proto: "icmp" }, "id.orig_p: expected an ICMP type"],
    [
      "zeek.conn",
      { ...zeek, proto: "icmp", "id.orig_p": 3, "id.resp_p": 300 },
      "id.resp_p: expected an ICMP code",
    ],
    ["zeek.http", { ...zeek, status_code: 1000 }, "status_code: expected an HTTP status"],
    ["zeek.http", { ...zeek, status_code: "OK" }, "status_code: expected an HTTP status"],
    ["zeek.http", { ...zeek, uri: 7 }, "uri: expected text"],
    ["zeek.http", { ...zeek, resp_mime_types: {} }, "resp_mime_types: expected a list"],
    ["zeek.dns", { ...zeek, proto: "udp", rcode: -1 }, "rcode: expected a response code"],
    ["zeek.dns", { ...zeek, proto: "udp", qtype: 70_000 }, "qtype: expected a query type"],
    ["zeek.dns", { ...zeek, proto: "udp", answers: 7 }, "answers: expected a list"],
    ["zeek.dns", { ...zeek, proto: "udp", answers: ["a", 7] }, "answers: expected texts"],
    ["zeek.ssh", { ...zeek, version: -2 }, "version: expected an SSH version"],
    ["zeek.ssh", { ...zeek, auth_attempts: -1 }, "auth_attempts: expected a count"],
    ["zeek.ssh", { ...zeek, auth_success: "maybe" }, "auth_success: expected a boolean"],
    ["zeek.ssh", { ...zeek, hassh: "x" }, "hassh: expected a fingerprint"],
    ["zeek.ssl", { ...zeek, established: 2 }, "established: expected a boolean"],
    ["zeek.ssl", { ...zeek, ja3: "x" }, "ja3: expected a fingerprint"],
    ["zeek.ssl", { ...zeek, ja4: "x" }, "ja4: expected a JA4 fingerprint"],
    ["zeek.ssl", { ...zeek, cert_chain_fps: ["x"] }, "cert_chain_fps: expected a fingerprint"],
    ["zeek.ssl", { ...zeek, "certificate.serial": "x" }, "certificate.serial: expected a serial number"],
    ["suricata.http", { ...EVE, http: { ...http, status: 1000 } }, "status: expected an HTTP status"],
    ["suricata.http", { ...EVE, http: { ...http, url: 7 } }, "url: expected text"],
    ["suricata.http", { ...EVE, http: { request_headers: 7 } }, "request_headers: expected a list"],
    ["suricata.http", { ...EVE, vlan: [70_000], http }, "vlan: expected a VLAN identifier"],
    ["suricata.http", { ...EVE, flow_id: -1, http }, "flow_id: expected an identifier"],
    ["suricata.flow", { ...icmp, icmp_type: 256, flow: {} }, "icmp_type: expected an ICMP type"],
    ["suricata.flow", { ...icmp, icmp_code: "x", flow: {} }, "icmp_code: expected an ICMP code"],
    ["suricata.flow", { ...EVE, app_proto: 7, flow: {} }, "app_proto: expected text"],
    [
      "suricata.alert",
      { ...EVE, alert: { signature: "s", severity: 256 } },
      "severity: expected an integer from 0 to 255",
    ],
    [
      "suricata.alert",
      { ...EVE, alert: { signature: "s", rev: -1 } },
      "rev: expected an integer from 0 to 4294967295",
    ],
    ["suricata.alert", { ...EVE, alert: { signature: "s", metadata: "m" } }, "metadata: expected an object"],
    ["suricata.dhcp", { ...EVE, dhcp: { lease_time: -1 } }, "lease_time: expected seconds"],
    ["suricata.dhcp", { ...EVE, dhcp: { client_mac: "x" } }, "client_mac: expected a MAC address"],
    ["suricata.dhcp", { ...EVE, dhcp: { assigned_ip: "x" } }, "assigned_ip: expected an address"],
    ["suricata.dhcp", { ...EVE, dhcp: { routers: ["x"] } }, "routers: expected an address"],
    ["suricata.dns", { ...EVE, dns: { type: "answer", rcode: -1 } }, "rcode: expected a response code"],
    ["suricata.dns", { ...EVE, dns: { rrname: 7 } }, "rrname: expected text"],
    ["suricata.tls", { ...EVE, tls: { fingerprint: "x" } }, "fingerprint: expected a fingerprint"],
    ["suricata.tls", { ...EVE, tls: { serial: 7 } }, "serial: expected a serial number"],
    ["suricata.ssh", { ...EVE, ssh: { client: { software_version: 7 } } }, "software_version: expected text"],
    ["suricata.ssh", { ...EVE, ssh: { client: { proto_version: "x" } } }, "proto_version: expected 1 or 2"],
    ["suricata.smb", { ...EVE, smb: { ntlmssp: { user: 7 } } }, "user: expected text"],
    ["suricata.krb5", { ...EVE, krb5: { cname: 7 } }, "cname: expected text"],
    [
      "suricata.krb5",
      { ...EVE, krb5: { encryption: "e", weak_encryption: 1 } },
      "weak_encryption: expected a boolean",
    ],
    ["netflow.flow", { ...EXPORT, proto: 1, icmp_type: 300 }, "icmp_type: expected an ICMP type"],
    ["netflow.flow", { ...EXPORT, proto: 1, icmp_code: -1 }, "icmp_code: expected an ICMP code"],
    ["netflow.flow", { ...EXPORT, connect_id: -1 }, "connect_id: expected an identifier"],
    ["netflow.flow", { ...EXPORT, bytes: 9, fw_event: 300 }, "fw_event: expected an event code"],
    ["netflow.flow", { ...EXPORT, tcp_flags: ["SYN", "NEW"] }, "tcp_flags: expected TCP flags"],
    ["netflow.flow", { ...EXPORT, sampled: 2, bytes: 9 }, "sampled: expected 0 or 1"],
    ["netflow.flow", { ...EXPORT, direction: 2 }, "direction: expected 0 or 1"],
    ["unbound.query", { message: QUERY, "source.port": -1 }, "source.port: expected a port"],
    ["unbound.query", { message: QUERY, "destination.ip": "x" }, "destination.ip: expected an address"],
    [
      "unbound.query",
      { message: QUERY, "network.transport": "x" },
      "network.transport: expected a transport",
    ],
  ];
  for (const [kind, payload, warning] of cases) {
    const { warnings } = observe(kind, payload);
    assert.ok(warnings.includes(warning), `${kind} ${warning}: ${warnings}`);
  }
});

Deno.test("values that stand for none leave no warning", () => {
  const cases: [RecordKind, Fields][] = [
    ["zeek.conn", { ...ZEEK, ts: 1_763_686_900, proto: "tcp", vlan: 0, service: "" }],
    ["suricata.dhcp", {
      ...EVE,
      dhcp: { client_mac: "00:00:00:00:00:00", assigned_ip: "0.0.0.0", hostname: "", lease_time: 0 },
    }],
    ["suricata.tls", { ...EVE, vlan: [], tls: { version: "UNDETERMINED", ja3: { hash: "" } } }],
    ["suricata.ssh", { ...EVE, ssh: { client: { proto_version: "", software_version: "" } } }],
    ["netflow.flow", { ...EXPORT, bytes: 9, connect_id: "0", icmp_type: 0, tcp_flags: 0, sampled: 0 }],
    ["unbound.query", { message: QUERY, "source.port": 0 }],
  ];
  for (const [kind, payload] of cases) {
    const { warnings } = observe(kind, payload);
    assert.deepEqual(warnings.filter((text) => !text.startsWith("community_id")), [], kind);
  }
});

Deno.test("zeek.dns: a single answer that a log shipper wrote without its list is kept", () => {
  const { facts, warnings } = observe("zeek.dns", {
    ...ZEEK,
    ts: 1_763_686_900,
    proto: "udp",
    rcode: 0,
    answers: "192.0.2.80",
  });
  assert.ok(facts?.type === "dns");
  assert.deepEqual([facts.answers, warnings], [["192.0.2.80"], []]);
});
