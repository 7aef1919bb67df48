import assert from "node:assert/strict";
import type { RecordKind } from "../../../contract/record/kinds.ts";
import type { Fields } from "../fields.ts";
import type { Facts } from "../facts.ts";
import type { ReadObservation } from "../observation.ts";
import { normalise } from "../registry.ts";

const context = { observedAt: 1_700_000_000_000_000, expectedExporters: null };
const id: Fields = {
  ts: 1795222923.25,
  uid: "CH53301MTU21BMj2Bj",
  "id.orig_h": "192.0.2.10",
  "id.orig_p": 50001,
  "id.resp_h": "198.51.100.20",
  "id.resp_p": 443,
};

function observe(kind: RecordKind, payload: Fields): ReadObservation {
  const result = normalise(kind, { ...id, ...payload }, context);
  assert.ok("observation" in result, "unparsed" in result ? result.unparsed : "");
  return result.observation;
}

function factsOf<Type extends Facts["type"]>(kind: RecordKind, type: Type, payload: Fields) {
  const { facts } = observe(kind, payload);
  assert.equal(facts?.type, type);
  return facts as Extract<Facts, { type: Type }>;
}

Deno.test("zeek.ssl, http, ssh: an instant of a TCP connection, without counters", () => {
  for (const kind of ["zeek.ssl", "zeek.http", "zeek.ssh"] as const) {
    const observation = observe(kind, {});
    assert.equal(observation.proto, "tcp");
    assert.equal(observation.start, 1795222923_250000);
    assert.equal(observation.end, observation.start);
    assert.equal(observation.counters, null);
    assert.equal(observation.service, kind.slice("zeek.".length));
    assert.equal(observation.nativeId, "CH53301MTU21BMj2Bj");
    assert.deepEqual(observation.warnings, []);
    assert.equal(observe(kind, { proto: "udp" }).proto, "udp");
    assert.deepEqual(normalise(kind, {}, context), { unparsed: "id.orig_h: expected an address" });
  }
});

Deno.test("zeek.ssl: the transport by version, JA4 or handshake, else TCP", () => {
  const quic = { version: "TLSv13", established: false, ssl_history: "Cs" };
  assert.equal(observe("zeek.ssl", { version: "DTLSv12" }).proto, "udp");
  assert.equal(observe("zeek.ssl", { ja4: "q13d0312h3_55b375c5d22e_06cda9e17597" }).proto, "udp");
  assert.equal(observe("zeek.ssl", { ja4s: "d120200_c02b_234ea6891581" }).proto, "udp");
  assert.equal(observe("zeek.ssl", { ...quic, ja4: "t13d1516h2_8daaf6152771_e5627efa2ab1" }).proto, "tcp");
  const seen = observe("zeek.ssl", quic);
  assert.equal(seen.proto, "udp");
  assert.deepEqual(seen.warnings, ["transport not stated, assumed udp: the handshake looks like QUIC"]);
  const others: Fields[] = [
    { established: true },
    { ssl_history: "CsiI" },
    { ssl_history: "s" },
    { ssl_history: "C" },
    { ssl_history: null },
    { version: "TLSv12" },
    { proto: "tcp" },
  ];
  for (const tcp of others) assert.equal(observe("zeek.ssl", { ...quic, ...tcp }).proto, "tcp");
});

Deno.test("zeek.ssl: the certificate's fingerprint is the chain's first, else a script's SHA-1", () => {
  const [leaf, parent, sha1] = ["a".repeat(64), "b".repeat(64), "c".repeat(40)];
  const fingerprint = (payload: Fields) => factsOf("zeek.ssl", "tls", payload).fingerprint;
  assert.equal(fingerprint({ cert_chain_fps: [leaf, parent], resp_certificate_sha1: sha1 }), leaf);
  assert.equal(fingerprint({ cert_chain_fps: [], resp_certificate_sha1: sha1 }), sha1);
  assert.equal(fingerprint({ cert_chain_fps: [null, parent] }), null);
  assert.equal(fingerprint({ cert_chain_fps: "x" }), null);
});

Deno.test("zeek.ssl: certificate times out of range warn", () => {
  const observation = observe("zeek.ssl", { not_valid_before: -86400, not_valid_after: "never" });
  assert.deepEqual(observation.warnings, [
    "not_valid_before: expected a time from 1970 to 2255",
    "not_valid_after: expected a time from 1970 to 2255",
  ]);
});

Deno.test("zeek.http: the 0 of an unseen message is not a count", () => {
  const lengths = (payload: Fields) => {
    const facts = factsOf("zeek.http", "http", { request_body_len: 0, response_body_len: 0, ...payload });
    return [facts.requestBytes, facts.responseBytes];
  };
  assert.deepEqual(lengths({}), [null, null]);
  assert.deepEqual(lengths({ method: "GET", status_code: 204 }), [0, 0]);
  assert.deepEqual(lengths({ status_code: 200, response_body_len: 7168 }), [null, 7168]);
  assert.deepEqual(lengths({ request_body_len: 12 }), [12, null]);
  const odd = observe("zeek.http", { method: "GET", request_body_len: -1 });
  assert.deepEqual(odd.warnings, ["request_body_len: expected a count"]);
});

Deno.test("zeek.http: a header Zeek could not decode is not a user name", () => {
  const username = (text: string) => factsOf("zeek.http", "http", { username: text, password: "x" }).username;
  assert.equal(username("user5"), "user5");
  assert.equal(username("<problem-decoding> (Basic c2VjcmV0)"), null);
});

Deno.test("zeek.ssh: values Zeek could not tell are null", () => {
  assert.equal(factsOf("zeek.ssh", "ssh", { version: 0 }).version, null);
  assert.equal(factsOf("zeek.ssh", "ssh", { version: 2 }).version, 2);
  assert.equal(factsOf("zeek.ssh", "ssh", { auth_success: true }).authSuccess, true);
  assert.equal(factsOf("zeek.ssh", "ssh", { auth_success: "F" }).authSuccess, false);
  assert.equal(factsOf("zeek.ssh", "ssh", { auth_success: "-" }).authSuccess, null);
  assert.equal(
    factsOf("zeek.ssh", "ssh", { host_key: "00:11", host_key_fingerprint: "SHA256:x" }).hostKey,
    "SHA256:x",
  );
});

Deno.test("zeek: the VLAN tag of any log whose connections are separated by it", () => {
  const nested = { id: { orig_h: "192.0.2.10", resp_h: "198.51.100.20", ctx: { vlan: 61, inner_vlan: 7 } } };
  assert.equal(observe("zeek.ssl", { "id.ctx.vlan": 61 }).vlan, 61);
  assert.equal(observe("zeek.http", { id_ctx_vlan: 61 }).vlan, 61);
  assert.equal(observe("zeek.ssh", nested).vlan, 61);
  assert.equal(observe("zeek.conn", { proto: "tcp", vlan: 62, "id.ctx.vlan": 61 }).vlan, 62);
  assert.equal(observe("zeek.ssl", { "id.ctx.vlan": "x" }).vlan, null);
});

Deno.test("zeek: epoch milliseconds are distinguished from seconds", () => {
  assert.equal(observe("zeek.ssl", { ts: 1795222923250 }).start, 1795222923_250000);
  assert.equal(observe("zeek.ssl", { ts: 1e300 }).start, context.observedAt);
});
