import { communityId } from "../community-id.ts";
import assert from "node:assert/strict";
import type { Fields } from "../fields.ts";
import type { Observation } from "../observation.ts";
import { normalise } from "../registry.ts";

const context = { observedAt: 1_700_000_000_000_000, expectedExporters: null };

function observe(kind: "zeek.conn" | "zeek.dns", payload: Fields): Observation {
  const result = normalise(kind, payload, context);
  assert.ok("observation" in result, "unparsed" in result ? result.unparsed : "");
  return result.observation;
}

const conn: Fields = {
  ts: 1575413096.052279,
  uid: "CH53301MTU21BMj2Bj",
  "id.orig_h": "10.18.20.97",
  "id.orig_p": 49187,
  "id.resp_h": "10.18.20.8",
  "id.resp_p": 88,
  proto: "tcp",
  duration: 0.5,
  orig_bytes: 242,
  resp_bytes: 283,
  orig_pkts: 4,
  orig_ip_bytes: 414,
  resp_pkts: 5,
};

Deno.test("zeek.conn: the three spellings of the tuple give the same observation", () => {
  const rest = Object.fromEntries(Object.entries(conn).filter(([key]) => !key.startsWith("id.")));
  const id = { orig_h: "10.18.20.97", orig_p: 49187, resp_h: "10.18.20.8", resp_p: 88 };
  const underscored = Object.fromEntries(Object.entries(id).map(([key, value]) => [`id_${key}`, value]));
  const expected = observe("zeek.conn", conn);
  assert.deepEqual(observe("zeek.conn", { ...rest, id }), expected);
  assert.deepEqual(observe("zeek.conn", { ...rest, ...underscored }), expected);
  assert.deepEqual(expected.src, { ip: "10.18.20.97", port: 49187 });
  assert.equal(expected.end - expected.start, 500_000);
});

Deno.test("zeek.conn: unset payload bytes are null, neither 0 nor the IP bytes", () => {
  const { orig_bytes: _o, resp_bytes: _r, duration: _d, ...rest } = conn;
  const observation = observe("zeek.conn", rest);
  assert.deepEqual(observation.counters?.srcToDst, { bytes: null, packets: 4 });
  assert.deepEqual(observation.counters?.dstToSrc, { bytes: null, packets: 5 });
  assert.equal(observation.start, observation.end);
});

Deno.test("zeek.conn: an impossible byte count is dropped for a refused connection, kept for an established one", () => {
  const huge = { ...conn, resp_bytes: 1982834349, resp_pkts: 3 };
  const refused = observe("zeek.conn", { ...huge, conn_state: "REJ" });
  assert.equal(refused.counters?.dstToSrc.bytes, null);
  assert.deepEqual(refused.warnings, ["resp_bytes: more than its packets can carry"]);
  const shunted = observe("zeek.conn", { ...huge, conn_state: "SF" });
  assert.equal(shunted.counters?.dstToSrc.bytes, 1982834349);
});

Deno.test("zeek.conn: ICMP type and code come from the ports", () => {
  const icmp = { ...conn, proto: "icmp", "id.orig_p": 3, "id.resp_p": 1 };
  const unreachable = observe("zeek.conn", icmp);
  assert.deepEqual(unreachable.icmp, { type: 3, code: 1 });
  assert.deepEqual(unreachable.src, { ip: "10.18.20.97", port: null });
  const echo = observe("zeek.conn", { ...icmp, "id.orig_p": 8, "id.resp_p": 0 });
  assert.deepEqual(echo.icmp, { type: 8, code: null });
  const solicitation = observe("zeek.conn", {
    ...icmp,
    "id.orig_h": "fe80::2c23:b96c:78d:e116",
    "id.orig_p": 133,
    "id.resp_h": "ff02::2",
    "id.resp_p": 134,
  });
  assert.equal(solicitation.proto, "ipv6-icmp");
  assert.deepEqual(solicitation.icmp, { type: 133, code: null });
  assert.notEqual(solicitation.tuple, null);
});

Deno.test("zeek.conn: several services are sorted", () => {
  assert.equal(observe("zeek.conn", { ...conn, service: "gssapi,smb,krb" }).service, "gssapi,krb,smb");
  assert.equal(observe("zeek.conn", { ...conn, service: "dns" }).service, "dns");
});

Deno.test("zeek.conn: a ruled-out service is dropped", () => {
  assert.equal(observe("zeek.conn", { ...conn, service: "-ssl,http" }).service, "http");
  assert.equal(observe("zeek.conn", { ...conn, service: "-ssl" }).service, null);
  assert.equal(observe("zeek.conn", { ...conn, service: "spicy-x" }).service, "spicy-x");
});

Deno.test("zeek.conn: a transport without a name in Zeek", () => {
  const raw = { ...conn, proto: "unknown_transport" };
  const unnamed = observe("zeek.conn", raw);
  assert.equal(unnamed.proto, "unknown_transport");
  assert.deepEqual(unnamed.warnings, ["community_id not computed: unknown protocol"]);
  assert.equal(observe("zeek.conn", { ...raw, ip_proto: 47 }).proto, "gre");
});

Deno.test("zeek.conn: implausible times", () => {
  assert.equal(observe("zeek.conn", { ...conn, ts: "never" }).start, context.observedAt);
  for (const duration of [-1, 1e300, 400 * 86_400]) {
    const observation = observe("zeek.conn", { ...conn, duration });
    assert.equal(observation.end, observation.start);
    assert.equal(observation.warnings.length, 1);
  }
});

Deno.test("community_id: verified, never adopted, never a reason to reject", () => {
  const { tuple, src, dst, proto, icmp } = observe("zeek.conn", conn);
  const ends = { proto, srcIp: src.ip, dstIp: dst.ip, srcPort: src.port, dstPort: dst.port, icmp };
  assert.deepEqual(observe("zeek.conn", { ...conn, community_id: communityId(ends) }).warnings, []);
  for (const claimed of ["1:nonsense", 7, {}]) {
    const observation = observe("zeek.conn", { ...conn, community_id: claimed });
    assert.equal(observation.tuple, tuple);
    assert.deepEqual(observation.warnings, ["community_id does not match the tuple"]);
  }
  const portless = observe("zeek.conn", { ...conn, "id.orig_p": null, community_id: "1:nonsense" });
  assert.equal(portless.tuple, null);
  assert.deepEqual(portless.warnings, ["community_id not computed: no source port"]);
});

Deno.test("zeek.dns: a transaction lasts until its answer", () => {
  const { duration: _, ...rest } = conn;
  const query = { ...rest, proto: "udp", query: "WWW.Example.ORG.", qtype: 65, rtt: 0.25 };
  const open = observe("zeek.dns", query);
  assert.equal(open.end - open.start, 250_000);
  assert.deepEqual(open.facts, {
    type: "dns",
    query: "www.example.org",
    qtype: "TYPE65",
    rcode: null,
    answers: [],
    answered: false,
  });
  assert.equal(open.counters, null);
  const answered = observe("zeek.dns", { ...query, rcode: 3 }).facts;
  assert.ok(answered?.type === "dns" && answered.answered && answered.rcode === "NXDOMAIN");
  const many = observe("zeek.dns", { ...query, answers: Array(100).fill("192.0.2.1") }).facts;
  assert.ok(many?.type === "dns" && many.answers.length === 32);
});

Deno.test("zeek: a missing member is named", () => {
  const unparsed = (payload: Fields) => normalise("zeek.conn", payload, context);
  assert.deepEqual(unparsed({}), { unparsed: "id.orig_h: expected an address" });
  assert.deepEqual(unparsed({ ...conn, "id.resp_h": "fe80::1%eth0" }), {
    unparsed: "id.resp_h: expected an address",
  });
  assert.deepEqual(unparsed({ ...conn, proto: null }), { unparsed: "proto: expected a protocol" });
});
