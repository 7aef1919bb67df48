import assert from "node:assert/strict";
import {
  dhcpFacts,
  exported,
  httpFacts,
  kerberosFacts,
  session,
  smbFacts,
  sshFacts,
  tlsFacts,
} from "../../../test/support/domain/flow-fixtures.ts";
import type { AlertFacts, AnomalyFacts, DnsFacts, ExportFacts, Facts } from "../record/facts.ts";
import { summarise, type SummaryInput } from "./summary.ts";

const TCP: SummaryInput = {
  proto: "tcp",
  src: { ip: "10.0.0.5", port: 50_122 },
  dst: { ip: "192.0.2.7", port: 443 },
  service: "ssl",
  counters: session(1234, 3400),
  duration: 12_000_000,
  facts: null,
};

Deno.test("a connection: ends, service, volumes, duration", () => {
  assert.equal(summarise(TCP), "tcp 10.0.0.5:50122 → 192.0.2.7:443 (ssl), 1.23 kB out, 3.40 kB in, 12 s");
});

Deno.test("missing measurements are omitted", () => {
  assert.equal(
    summarise({ ...TCP, service: null, counters: exported(90), duration: 0 }),
    "tcp 10.0.0.5:50122 → 192.0.2.7:443, 90 B out",
  );
  assert.equal(
    summarise({ ...TCP, service: null, counters: null, duration: 0 }),
    "tcp 10.0.0.5:50122 → 192.0.2.7:443",
  );
  assert.match(summarise({ ...TCP, counters: session(0, 0) }), /, 0 B out, 0 B in,/, "zero is a measurement");
});

Deno.test("IPv6 ends are bracketed before a port; an end without a port is just its address", () => {
  const ends = { src: { ip: "2001:db8::5", port: 50_000 }, dst: { ip: "ff02::1", port: null } };
  assert.match(summarise({ ...TCP, ...ends }), /^tcp \[2001:db8::5\]:50000 → ff02::1 /);
});

const DNS: DnsFacts = {
  type: "dns",
  query: "a.example",
  qtype: "A",
  rcode: "NOERROR",
  answers: ["192.0.2.1", "192.0.2.2", "192.0.2.3", "192.0.2.4"],
  answered: true,
};

Deno.test("an end that the record does not state", () => {
  const summary = summarise({ ...TCP, dst: { ip: "0.0.0.0", port: 443 }, counters: null, duration: 0 });
  assert.equal(summary, "tcp 10.0.0.5:50122 → not stated:443 (ssl)");
});

Deno.test("a DNS transaction: query and outcome", () => {
  const line = (more: Partial<DnsFacts>) => summarise({ ...TCP, facts: { ...DNS, ...more } });
  assert.equal(line({}), "A a.example → 192.0.2.1, 192.0.2.2, 192.0.2.3 and 1 more");
  assert.equal(line({ answers: ["192.0.2.1"] }), "A a.example → 192.0.2.1");
  assert.equal(line({ rcode: "NXDOMAIN", answers: [] }), "A a.example: NXDOMAIN");
  assert.equal(line({ answers: [] }), "A a.example: no answer data");
  assert.equal(line({ answered: false, rcode: null, answers: [] }), "query A a.example");
  assert.equal(line({ query: null, qtype: null, answered: false }), "query ? (no name)");
});

Deno.test("an alert: signature, category, priority, action", () => {
  const alert: AlertFacts = {
    type: "alert",
    gid: 1,
    signatureId: 2,
    revision: 3,
    signature: "ET MALWARE Beacon",
    category: "A Network Trojan was detected",
    priority: 1,
    action: "allowed",
    metadata: {},
  };
  const line = (more: Partial<AlertFacts>) => summarise({ ...TCP, facts: { ...alert, ...more } });
  assert.equal(line({}), "ET MALWARE Beacon (A Network Trojan was detected, priority 1, allowed)");
  assert.equal(line({ category: "", priority: null, action: null }), "ET MALWARE Beacon");
});

function line(facts: Facts): string {
  return summarise({ ...TCP, counters: null, facts });
}

Deno.test("an anomaly: event and layer", () => {
  const anomaly: AnomalyFacts = {
    type: "anomaly",
    anomalyType: "applayer",
    event: "INVALID_REPLY",
    layer: "proto_parser",
    appProto: "smtp",
  };
  assert.equal(line(anomaly), "anomaly INVALID_REPLY (applayer, proto_parser, smtp)");
  assert.equal(line({ ...anomaly, layer: null, appProto: null }), "anomaly INVALID_REPLY (applayer)");
});

Deno.test("a TLS handshake: version, name, certificate and its problems", () => {
  assert.equal(
    line(tlsFacts({
      version: "TLS 1.2",
      serverName: "www.example.com",
      subject: "CN=www.example.com",
      issuer: "CN=R3,O=Example",
      notAfter: Date.UTC(2026, 2, 1) * 1000,
      validation: "ok",
    })),
    "TLS 1.2 to www.example.com, certificate CN=www.example.com of CN=R3,O=Example, valid until 2026-03-01",
  );
  assert.equal(
    line(
      tlsFacts({
        subject: "CN=x",
        issuer: "CN=x",
        validation: "self signed certificate",
        established: false,
      }),
    ),
    "TLS, no server name, certificate CN=x, issued by itself, self signed certificate, not established",
  );
  assert.equal(line(tlsFacts({ version: "TLS 1.3", resumed: true })), "TLS 1.3, no server name, resumed");
});

Deno.test("an HTTP exchange: request, response, volumes, client", () => {
  assert.equal(
    line(httpFacts({
      method: "POST",
      host: "www.example.com",
      uri: "/a?b=1",
      status: 200,
      contentType: "text/html",
      requestBytes: 120,
      responseBytes: 1234,
      userAgent: "curl/8.5.0",
    })),
    "POST www.example.com/a?b=1 → 200 text/html, 120 B out, 1.23 kB in, curl/8.5.0",
  );
  assert.equal(
    line(httpFacts({ status: 404, responseBytes: 10 })),
    "HTTP → 404, 10 B in",
    "only half of it was seen",
  );
  assert.equal(
    line(httpFacts({ method: "GET", uri: "/", requestBytes: 0, username: "ana" })),
    "GET /, user ana",
  );
});

Deno.test("an SSH connection: both ends' software and the login result", () => {
  const ssh = { version: 2, clientSoftware: "OpenSSH_9.2", serverSoftware: "OpenSSH_7.6p1 Ubuntu" };
  assert.equal(line(sshFacts(ssh)), "SSH 2, OpenSSH_9.2 → OpenSSH_7.6p1 Ubuntu");
  assert.equal(
    line(sshFacts({ ...ssh, clientSoftware: null, authSuccess: false, authAttempts: 3 })),
    "SSH 2, ? → OpenSSH_7.6p1 Ubuntu, not logged in after 3 attempts",
  );
  assert.equal(line(sshFacts({ authSuccess: true, authAttempts: 1 })), "SSH, logged in after 1 attempt");
});

Deno.test("an SMB transaction: command, object, outcome, account", () => {
  assert.equal(
    line(smbFacts({
      dialect: "3.11",
      command: "SMB2_COMMAND_SESSION_SETUP",
      status: "STATUS_SUCCESS",
      user: "ana",
      domain: "CORP",
      host: "WS-77",
    })),
    "SMB 3.11 SMB2_COMMAND_SESSION_SETUP: STATUS_SUCCESS, CORP\\ana from WS-77",
  );
  assert.equal(
    line(smbFacts({ command: "SMB2_COMMAND_CREATE", filename: "budget 2026.xlsx" })),
    "SMB SMB2_COMMAND_CREATE budget 2026.xlsx",
  );
});

Deno.test("a Kerberos exchange: message, principal, service, encryption", () => {
  const ticket = { messageType: "TGS-REP", client: "ana", realm: "CORP.EXAMPLE", service: "cifs/files" };
  assert.equal(
    line(kerberosFacts({ ...ticket, ticketEncryption: "rc4-hmac", weakEncryption: true })),
    "Kerberos TGS-REP ana@CORP.EXAMPLE for cifs/files, rc4-hmac (weak)",
  );
  assert.equal(
    line(
      kerberosFacts({
        messageType: "ERROR",
        error: "KDC_ERR_PREAUTH_FAILED",
        service: "krbtgt/CORP.EXAMPLE",
      }),
    ),
    "Kerberos ERROR KDC_ERR_PREAUTH_FAILED for krbtgt/CORP.EXAMPLE",
  );
});

Deno.test("a DHCP message: address, client, lease, server", () => {
  const client = { clientMac: "9c:b6:d0:1a:2b:3c", hostName: "ws-77" };
  assert.equal(
    line(dhcpFacts({
      ...client,
      messageType: "ack",
      assignedIp: "192.0.2.77",
      leaseSeconds: 86_400,
      serverIp: "192.0.2.1",
    })),
    "DHCP ack 192.0.2.77 to 9c:b6:d0:1a:2b:3c (ws-77) for 1 d, by 192.0.2.1",
  );
  assert.equal(
    line(dhcpFacts({ ...client, messageType: "request", requestedIp: "192.0.2.77" })),
    "DHCP request 192.0.2.77 from 9c:b6:d0:1a:2b:3c (ws-77)",
  );
});

Deno.test("an exporter's record: flow, translation, sampling, flags", () => {
  const facts: ExportFacts = {
    type: "export",
    nat: { src: { ip: "203.0.113.9", port: 40_000 }, dst: { ip: "192.0.2.7", port: 443 } },
    samplingRate: 100,
    tcpFlags: 0x12,
    inputInterface: 1,
    outputInterface: 2,
  };
  assert.equal(
    summarise({ ...TCP, service: null, counters: exported(90), duration: 0, facts }),
    "tcp 10.0.0.5:50122 → 192.0.2.7:443, 90 B out, translated to 203.0.113.9:40000 → 192.0.2.7:443, " +
      "1 of 100 sampled, SYN ACK",
  );
  const nothing = { ...facts, nat: null, samplingRate: null, tcpFlags: null };
  assert.equal(line(nothing), "tcp 10.0.0.5:50122 → 192.0.2.7:443 (ssl), 12 s");
});

Deno.test("empty facts fall back to the ends of the flow", () => {
  for (const facts of [httpFacts(), sshFacts(), smbFacts(), kerberosFacts(), dhcpFacts()]) {
    assert.equal(line(facts), "tcp 10.0.0.5:50122 → 192.0.2.7:443 (ssl), 12 s", facts.type);
  }
});

Deno.test("text from the network is reduced to one short line", () => {
  const text = line(
    httpFacts({ method: "GET", uri: "/a\r\nSet-Cookie: x", userAgent: "y\u2028".repeat(500) }),
  );
  assert.doesNotMatch(text, /[\r\n\u2028]/);
  assert.match(text, /^GET \/a Set-Cookie: x, (y )+y?…$/);
  assert.ok(text.length < 200);
});
