import assert from "node:assert/strict";
import { TERM_KINDS } from "../../contract/filter/field.ts";
import type { Facts } from "../record/facts.ts";
import {
  dhcpFacts,
  dnsFacts,
  httpFacts,
  kerberosFacts,
  observation,
  smbFacts,
  sshFacts,
  tlsFacts,
} from "../../../test/support/domain/flow-fixtures.ts";
import {
  forEachTerm,
  MAX_TERM_LENGTH,
  nameText,
  reversedText,
  shownTerm,
  termPart,
  termText,
} from "./terms.ts";

/** `kind text`, in order, each once. */
function termsIn(facts: Facts | null): string[] {
  const terms = new Set<string>();
  forEachTerm(observation(0, 1, { facts }), (kind, text) => terms.add(`${kind} ${text}`));
  return [...terms];
}

const RECORDS: [string, Facts, string[]][] = [
  [
    "a DNS answer",
    dnsFacts({ query: "a.example", answers: ["192.0.2.80", "b.example", "192.0.2.80"] }),
    [
      "dns_query a.example",
      "dns_type A",
      "dns_rcode NOERROR",
      "dns_answer 192.0.2.80",
      "dns_answer b.example",
    ],
  ],
  [
    "a TLS handshake",
    tlsFacts({
      serverName: "www.example.com",
      version: "TLS 1.2",
      ja3: "0a",
      ja3s: "0b",
      ja4: "t13d1516h2_8daaf6152771_b186095e22b6",
      ja4s: "t130200_1301_234ea6891581",
      fingerprint: "0c",
      subject: "CN=www.example.com",
      issuer: "CN=R3",
    }),
    [
      "server_name www.example.com",
      "tls_version TLS 1.2",
      "ja3 0a",
      "ja3s 0b",
      "ja4 t13d1516h2_8daaf6152771_b186095e22b6",
      "ja4s t130200_1301_234ea6891581",
      "certificate 0c",
      "certificate_subject CN=www.example.com",
      "certificate_issuer CN=R3",
    ],
  ],
  [
    "an HTTP request",
    httpFacts({
      host: "example.com",
      uri: "/a?b",
      method: "GET",
      status: 401,
      userAgent: "curl/8",
      username: "Ana",
    }),
    [
      "server_name example.com",
      "http_host example.com",
      "http_path /a?b",
      "http_method GET",
      "http_status 401",
      "user_agent curl/8",
      "user Ana",
      "logon failed",
    ],
  ],
  ["an HTTP request to an address", httpFacts({ host: "192.0.2.1" }), ["http_host 192.0.2.1"]],
  [
    "an SSH session",
    sshFacts({
      clientSoftware: "libssh",
      serverSoftware: "OpenSSH_7",
      hassh: "0d",
      hasshServer: "0e",
      authSuccess: true,
    }),
    ["ssh_client libssh", "ssh_server OpenSSH_7", "hassh 0d", "hassh_server 0e", "logon succeeded"],
  ],
  [
    "an SMB file",
    smbFacts({ share: "\\\\files\\ADMIN$", filename: "a.exe", status: "STATUS_SUCCESS" }),
    ["smb_share \\\\files\\ADMIN$", "smb_file a.exe"],
  ],
  ["an alert", {
    type: "alert",
    gid: 1,
    signatureId: 2024897,
    revision: 3,
    signature: "ET MALWARE",
    category: "A Trojan",
    priority: 1,
    action: null,
    metadata: {},
  }, ["alert ET MALWARE", "alert_id 2024897", "alert_category A Trojan"]],
  [
    "an anomaly",
    { type: "anomaly", anomalyType: "stream", event: "STREAM_BAD", layer: null, appProto: null },
    ["anomaly STREAM_BAD"],
  ],
  ["a DHCP message", dhcpFacts({ hostName: "ws" }), []],
];

for (const [name, facts, expected] of RECORDS) {
  Deno.test(`terms: ${name}`, () => assert.deepEqual(termsIn(facts), expected));
}

Deno.test("terms: every kind comes from some record", () => {
  const kinds = new Set(RECORDS.flatMap(([, , terms]) => terms.map((term) => term.split(" ")[0])));
  assert.deepEqual(TERM_KINDS.filter((kind) => !kinds.has(kind)), []);
});

Deno.test("terms: a record without content has none", () => {
  assert.deepEqual(termsIn(null), []);
  assert.deepEqual(termsIn(tlsFacts()), []);
});

const LOGONS: [Facts, string[]][] = [
  [sshFacts({ authSuccess: false }), ["logon failed"]],
  [sshFacts({ authSuccess: null }), []],
  [kerberosFacts({ messageType: "AS-REP", client: "ana" }), ["user ana", "logon succeeded"]],
  [kerberosFacts({ messageType: "TGS-REP", client: "ana" }), ["user ana"]],
  [kerberosFacts({ error: "KDC_ERR_PREAUTH_FAILED", client: "ana" }), ["user ana", "logon failed"]],
  [kerberosFacts({ error: "KDC_ERR_PREAUTH_REQUIRED", client: "ana" }), ["user ana"]],
  [smbFacts({ command: "SMB2_COMMAND_SESSION_SETUP", status: "STATUS_LOGON_FAILURE", user: "ana" }), [
    "user ana",
    "logon failed",
  ]],
  [smbFacts({ command: "SMB2_COMMAND_SESSION_SETUP", status: "STATUS_SUCCESS", user: "ana" }), [
    "user ana",
    "logon succeeded",
  ]],
  [
    smbFacts({
      command: "SMB2_COMMAND_SESSION_SETUP",
      status: "STATUS_MORE_PROCESSING_REQUIRED",
      user: "ana",
    }),
    ["user ana"],
  ],
  [httpFacts({ username: "ana", status: 403 }), ["http_status 403", "user ana", "logon failed"]],
  [httpFacts({ username: "ana", status: 302 }), ["http_status 302", "user ana", "logon succeeded"]],
  [httpFacts({ username: "ana", status: 500 }), ["http_status 500", "user ana"]],
  [httpFacts({ status: 401 }), ["http_status 401"]],
];

Deno.test("terms: the outcome of a logon is a term", () => {
  for (const [facts, expected] of LOGONS) assert.deepEqual(termsIn(facts), expected, JSON.stringify(facts));
});

Deno.test("terms: a text is compared in lower case and without what is not significant", () => {
  assert.equal(termText("dns_query", "WWW.Example.COM."), "www.example.com");
  assert.equal(termText("dns_query", "."), ".");
  assert.equal(termText("dns_answer", "2001:0DB8:0000:0000:0000:0000:0000:0007"), "2001:db8::7");
  assert.equal(termText("dns_answer", "5 443 a:b"), "5 443 a:b");
  assert.equal(termText("http_path", "2001:0db8::7"), "2001:0db8::7");
  const names = {
    "B\u00dcCHER.example": "xn--bcher-kva.example",
    "xn--bcher-kva.example": "xn--bcher-kva.example",
  };
  for (const [name, text] of Object.entries(names)) assert.equal(termText("server_name", name), text);
  assert.equal(termText("dns_query", "a b\u00e9.example"), "a b\u00e9.example", "no host");
  assert.equal(nameText("*.b\u00fccher.*"), "*.xn--bcher-kva.*");
  assert.equal(termText("certificate", "4E:A1:C7"), "4ea1c7");
  assert.equal(termText("tls_version", "TLS 1.2"), "1.2");
  assert.equal(termText("tls_version", "TLSv1.3"), "1.3");
  assert.equal(termText("tls_version", "SSL 3.0"), "ssl 3.0");
  assert.equal(termText("http_path", "/A:b."), "/a:b.");
  assert.equal(shownTerm("tls_version", "SSL 3.0"), "SSL 3.0");
  assert.equal(termPart("dns_query", "WWW."), "www.", "the dot may separate labels");
});

Deno.test("terms: a long text is cut between characters, and stays well-formed", () => {
  const long = "x".repeat(MAX_TERM_LENGTH - 1);
  assert.equal(termText("http_path", long + "yz"), long + "y");
  assert.equal(termText("http_path", long + "😀z"), long);
  assert.equal(termText("http_path", "a\ud800b"), "a\ufffdb");
  // Lower case may be longer: İ has two characters then.
  assert.equal(termText("user_agent", "İ".repeat(MAX_TERM_LENGTH)).length, MAX_TERM_LENGTH);
  assert.equal(reversedText("a😀b"), "b😀a");
});
