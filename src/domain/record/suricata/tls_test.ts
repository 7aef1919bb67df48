import assert from "node:assert/strict";
import type { Fields } from "../fields.ts";
import type { TlsFacts } from "../facts.ts";
import type { Observation } from "../observation.ts";
import { normalise } from "../registry.ts";

const context = { observedAt: 1_700_000_000_000_000, expectedExporters: null };

function observe(tls: Fields): Observation {
  const payload = {
    timestamp: "2026-11-21T01:02:03.000001+0000",
    src_ip: "10.0.0.5",
    src_port: 40000,
    dest_ip: "192.0.2.7",
    dest_port: 443,
    proto: "TCP",
    tls,
  };
  const result = normalise("suricata.tls", payload, context);
  assert.ok("observation" in result);
  return result.observation;
}

function factsOf(tls: Fields): TlsFacts {
  const { facts } = observe(tls);
  assert.ok(facts?.type === "tls");
  return facts;
}

Deno.test("suricata.tls: an instant from client to server, without counters", () => {
  const observation = observe({ sni: "Example.ORG." });
  assert.equal(observation.start, 1795222923000001);
  assert.equal(observation.end, observation.start);
  assert.deepEqual(observation.src, { ip: "10.0.0.5", port: 40000 });
  assert.equal(observation.counters, null);
  assert.equal(observation.service, "tls");
  assert.equal(factsOf({ sni: "Example.ORG." }).serverName, "example.org");
});

Deno.test("suricata.tls: the certificate is the server's, never the client's", () => {
  const certificate = {
    subject: "C=US, O=Example, Inc., CN=a.example",
    issuerdn: "CN=CA",
    serial: "00:AB:01",
    fingerprint: "CC:AA:48:48:66:46:0e:91:53:2c:9c:7c:23:2a:b1:74:4d:29:9d:33",
    notbefore: "2026-01-01T00:00:00",
    notafter: "2026-12-31T23:59:59",
  };
  const server = factsOf(certificate);
  assert.equal(server.subject, "CN=a.example,O=Example\\, Inc.,C=US");
  assert.equal(server.issuer, "CN=CA");
  assert.equal(server.serial, "ab01");
  assert.equal(server.fingerprint, "ccaa484866460e91532c9c7c232ab1744d299d33");
  assert.equal(server.notBefore, Date.UTC(2026, 0, 1) * 1000);
  assert.equal(server.notAfter, Date.UTC(2026, 11, 31, 23, 59, 59) * 1000);
  const client = factsOf({ client: certificate });
  assert.deepEqual([client.subject, client.fingerprint, client.notAfter], [null, null, null]);
});

Deno.test("suricata.tls: certificate times are UTC without a warning; an unstorable one gives a warning", () => {
  assert.deepEqual(observe({ notbefore: "2026-01-01T00:00:00" }).warnings, []);
  const endless = observe({ notbefore: "1950-01-01T00:00:00", notafter: "9999-12-31T23:59:59" });
  assert.deepEqual(endless.warnings, [
    "notbefore: expected a time from 1970 to 2255",
    "notafter: expected a time from 1970 to 2255",
  ]);
  assert.ok(endless.facts?.type === "tls" && endless.facts.notAfter === null);
});

Deno.test("suricata.tls: versions in the RFCs' spelling", () => {
  const cases: [string, string | null][] = [
    ["TLS 1.3", "TLS 1.3"],
    ["TLSv1", "TLS 1.0"],
    ["SSLv3", "SSL 3.0"],
    ["TLS 1.3 draft-28", "TLS 1.3 draft-28"],
    ["UNDETERMINED", null],
    ["0x7f1c", "0x7f1c"],
  ];
  for (const [version, expected] of cases) assert.equal(factsOf({ version }).version, expected);
  const heard = { version: "UNDETERMINED", server_handshake: { version: "TLS 1.2" } };
  assert.equal(factsOf(heard).version, "TLS 1.2");
});

Deno.test("suricata.tls: the cipher suite chosen by the server", () => {
  const cipher = (tls: Fields) => factsOf(tls).cipher;
  assert.equal(cipher({ server_handshake: { cipher: 4865 } }), "TLS_AES_128_GCM_SHA256");
  assert.equal(
    cipher({ ja3s: { string: "771,49200,65281-11-35" } }),
    "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
  );
  assert.equal(cipher({ ja3s: { string: "771,49313,65281" } }), "0xc0a1");
  assert.equal(cipher({ server_handshake: { cipher: 0 } }), null);
  for (const string of ["771", "771,x,1", "771,70000,1", "771,49200-49199,1", 7]) {
    assert.equal(cipher({ ja3s: { string } }), null);
  }
  // The client's offers are not what the connection uses.
  assert.equal(cipher({ ja3: { string: "771,4865-4866,0-23,29,0" } }), null);
});

Deno.test("suricata.tls: ALPN is the server's choice", () => {
  assert.equal(factsOf({ client_alpns: ["h2", "http/1.1"], server_alpns: ["h2"] }).alpn, "h2");
  assert.equal(factsOf({ client_alpns: ["h2", "http/1.1"] }).alpn, null);
});

Deno.test("suricata.tls: fingerprints of the hellos", () => {
  const hash = "6271f898ce5be7dd52b0fc260d0662b3";
  const facts = factsOf({
    ja3: { hash, string: "771,1,2,3,4" },
    ja3s: { hash: hash.toUpperCase() },
    ja4: "t13d1516h2_8daaf6152771_e5627efa2ab1",
  });
  assert.deepEqual([facts.ja3, facts.ja3s], [hash, hash]);
  assert.equal(facts.ja4, "t13d1516h2_8daaf6152771_e5627efa2ab1");
  const empty = factsOf({ ja3: {}, ja3s: {}, ja4: "" });
  assert.deepEqual([empty.ja3, empty.ja3s, empty.ja4], [null, null, null]);
});

Deno.test("suricata.tls: resumed or not, if the record allows telling", () => {
  assert.equal(factsOf({ session_resumed: true }).resumed, true);
  assert.equal(factsOf({ subject: "CN=a" }).resumed, false);
  assert.equal(factsOf({ version: "TLS 1.3" }).resumed, null);
});

Deno.test("suricata.tls: a record without its object is rejected", () => {
  const payload = { src_ip: "10.0.0.5", dest_ip: "192.0.2.7", proto: "TCP", tls: "x" };
  assert.deepEqual(normalise("suricata.tls", payload, context), { unparsed: "tls: expected an object" });
});
