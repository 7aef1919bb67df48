import assert from "node:assert/strict";
import fc from "fast-check";
import {
  dnsFacts,
  httpFacts,
  kerberosFacts,
  observation,
  smbFacts,
  sshFacts,
  tlsFacts,
} from "../../../test/support/domain/flow-fixtures.ts";
import type { Facts } from "../record/facts.ts";
import { DEVICE_FACT_KINDS, deviceFacts } from "./fact.ts";

/** `src domain example.com`, with the detail in parentheses. */
function shown(facts: Facts | null, dst = { ip: "192.0.2.53", port: 53 }): string[] {
  return deviceFacts(observation(0, 0, { facts, dst }))
    .map(({ end, kind, value, detail }) => `${end} ${kind} ${value}${detail === null ? "" : ` (${detail})`}`);
}

Deno.test("a DNS query shows the client's domain, answered or not", () => {
  assert.deepEqual(shown(dnsFacts({ query: "www.example.co.uk" })), ["src domain example.co.uk"]);
  assert.deepEqual(shown(dnsFacts({ query: "x.example.com", answered: false, rcode: "NXDOMAIN" })), [
    "src domain example.com",
  ]);
  for (const query of [null, "wpad", "1.2.0.192.in-addr.arpa", "com"]) {
    assert.deepEqual(shown(dnsFacts({ query })), [], String(query));
  }
  assert.deepEqual(shown(dnsFacts({ query: "printer.local" }), { ip: "224.0.0.251", port: 5353 }), []);
});

Deno.test("a TLS handshake shows the client's fingerprints and the server's certificate", () => {
  assert.deepEqual(
    shown(tlsFacts({
      serverName: "a.example.com",
      ja3: "c3",
      ja4: "c4",
      ja3s: "s3",
      ja4s: "s4",
      subject: "CN=a",
      fingerprint: "ab12",
    })),
    [
      "src domain example.com",
      "src ja3 c3",
      "src ja4 c4",
      "dst ja3s s3",
      "dst ja4s s4",
      "dst certificate ab12 (CN=a)",
    ],
  );
  assert.deepEqual(shown(tlsFacts({ subject: "CN=a" })), ["dst certificate CN=a (CN=a)"]);
  assert.deepEqual(shown(tlsFacts({ serverName: "192.0.2.1" })), []);
});

Deno.test("an HTTP request shows host and user agent", () => {
  assert.deepEqual(shown(httpFacts({ host: "a.example.com", userAgent: "curl/8" })), [
    "src domain example.com",
    "src user_agent curl/8",
  ]);
  assert.deepEqual(shown(httpFacts({ host: "10.0.0.1" })), []);
});

Deno.test("an SSH connection shows the software of both ends", () => {
  const facts = sshFacts({
    clientSoftware: "OpenSSH_9",
    serverSoftware: "dropbear",
    hassh: "c",
    hasshServer: "s",
    hostKey: "SHA256:x",
  });
  assert.deepEqual(shown(facts), [
    "src ssh_client OpenSSH_9",
    "src hassh c",
    "dst ssh_server dropbear",
    "dst hassh_server s",
    "dst ssh_host_key SHA256:x",
  ]);
});

Deno.test("an SMB session shows user and machine; a refused one only the machine", () => {
  const session = { user: "ana", domain: "CORP", host: "WS-77" };
  assert.deepEqual(shown(smbFacts({ ...session, status: "STATUS_SUCCESS" })), [
    "src smb_user CORP\\ana",
    "src smb_host WS-77 (WS-77)",
    "src smb_domain CORP",
  ]);
  assert.deepEqual(shown(smbFacts({ ...session, status: "STATUS_LOGON_FAILURE" })), [
    "src smb_host WS-77 (WS-77)",
    "src smb_domain CORP",
  ]);
  assert.deepEqual(shown(smbFacts({ user: "ana" })), ["src smb_user ana"]);
  assert.deepEqual(
    shown(smbFacts({ host: "\x01\x02" })),
    ["src smb_host \x01\x02"],
    "not suitable for display",
  );
});

Deno.test("a ticket shows the account it was issued to; a machine account also shows its name", () => {
  const issued = { messageType: "AS-REP", realm: "CORP.EXAMPLE" };
  assert.deepEqual(shown(kerberosFacts({ ...issued, client: "ana" })), [
    "src kerberos_principal ana@CORP.EXAMPLE",
  ]);
  assert.deepEqual(shown(kerberosFacts({ ...issued, client: "WS-77$" })), [
    "src kerberos_principal WS-77$@CORP.EXAMPLE (WS-77)",
  ]);
  assert.deepEqual(shown(kerberosFacts({ ...issued, client: "host/ws-77.corp.example" })), [
    "src kerberos_principal host/ws-77.corp.example@CORP.EXAMPLE (ws-77.corp.example)",
  ]);
  assert.deepEqual(shown(kerberosFacts({ ...issued, client: "ana", error: "KDC_ERR_PREAUTH_FAILED" })), []);
  assert.deepEqual(shown(kerberosFacts({ ...issued, client: "ana", messageType: "ERROR" })), []);
  assert.deepEqual(shown(kerberosFacts({ ...issued, client: null })), []);
});

Deno.test("uninformative records show nothing", () => {
  assert.deepEqual(shown(null), []);
  assert.deepEqual(
    shown({ type: "anomaly", anomalyType: "decode", event: "x", layer: null, appProto: null }),
    [],
  );
});

Deno.test("any value is short enough for an index", () => {
  const text = fc.option(fc.string({ unit: "binary", maxLength: 1024 }));
  fc.assert(fc.property(text, text, text, (a, b, c) => {
    const facts = [
      dnsFacts({ query: a }),
      tlsFacts({ serverName: a, subject: b, ja3: c }),
      httpFacts({ host: a, userAgent: b }),
      smbFacts({ user: a, domain: b, host: c }),
      kerberosFacts({ messageType: "AS-REP", client: a, realm: b }),
    ];
    for (const fact of facts.flatMap((one) => deviceFacts(observation(0, 0, { facts: one })))) {
      assert.ok(DEVICE_FACT_KINDS.includes(fact.kind));
      assert.ok(new TextEncoder().encode(fact.value).length <= 1536);
    }
  }));
});
