import assert from "node:assert/strict";
import { parseCidr } from "../../kit/net/ip.ts";
import {
  dhcpFacts,
  exported,
  httpFacts,
  kerberosFacts,
  observation,
  session,
  smbFacts,
  sshFacts,
  tlsFacts,
} from "../../../test/support/domain/flow-fixtures.ts";
import type { AlertFacts, DnsFacts, Facts } from "../record/facts.ts";
import { isDeviceAddress, responderAnswered } from "./presence.ts";

const NETWORKS = ["10.0.0.0/8", "192.168.0.0/16", "2001:db8:1::/48", "fe80::/10", "0.0.0.0/8"]
  .map((text) => parseCidr(text)!);

Deno.test("a device has an address within the site's networks that one host can hold", () => {
  for (const ip of ["10.0.0.5", "192.168.255.254", "2001:db8:1::5"]) {
    assert.equal(isDeviceAddress(ip, NETWORKS), true, ip);
  }
  for (const ip of ["203.0.113.7", "11.0.0.1", "2001:db8:2::5"]) {
    assert.equal(isDeviceAddress(ip, NETWORKS), false, `${ip} is outside`);
  }
});

Deno.test("group, loopback, link-local, unset and unreadable addresses are not devices", () => {
  const everything = [parseCidr("0.0.0.0/0")!, parseCidr("::/0")!];
  const none = [
    "224.0.0.251",
    "ff02::fb",
    "255.255.255.255",
    "127.0.0.1",
    "::1",
    "169.254.1.1",
    "fe80::1",
    "0.0.0.0",
    "::",
    "not an address",
    "010.0.0.1",
  ];
  for (const ip of none) assert.equal(isDeviceAddress(ip, everything), false, ip);
});

Deno.test("without networks there are no devices", () => {
  assert.equal(isDeviceAddress("10.0.0.5", []), false);
});

Deno.test("a responder exists if it sent something back", () => {
  assert.equal(responderAnswered(observation(0, 1, { counters: session(10, 1) })), true);
  assert.equal(
    responderAnswered(observation(0, 1, { counters: session(10, 0) })),
    false,
    "an unused address in a sweep",
  );
  assert.equal(responderAnswered(observation(0, 1, { counters: session(10, null) })), false);
  assert.equal(responderAnswered(observation(0, 1, { counters: exported(10) })), false, "one way only");
  assert.equal(responderAnswered(observation(0, 1, { counters: null })), false);
  assert.equal(responderAnswered(observation(0, 1, { counters: session(1, 2n ** 60n) })), true);
});

Deno.test("a DNS server exists if it answered", () => {
  const dns = (answered: boolean) => {
    const facts: DnsFacts = { type: "dns", query: "a", qtype: "A", rcode: null, answers: [], answered };
    return observation(0, 0, { counters: null, facts });
  };
  assert.equal(responderAnswered(dns(true)), true);
  assert.equal(responderAnswered(dns(false)), false);
});

Deno.test("a server exists if the record holds something only it can have sent", () => {
  const answered = (facts: Facts) => responderAnswered(observation(0, 0, { counters: null, facts }));
  const responses: Facts[] = [
    tlsFacts({ cipher: "TLS_AES_128_GCM_SHA256" }),
    tlsFacts({ version: "TLS 1.2" }),
    tlsFacts({ subject: "CN=a" }),
    tlsFacts({ fingerprint: "ab" }),
    tlsFacts({ ja3s: "ab" }),
    tlsFacts({ ja4s: "ab" }),
    tlsFacts({ alpn: "h2" }),
    tlsFacts({ established: true }),
    tlsFacts({ resumed: true }),
    httpFacts({ status: 404 }),
    sshFacts({ serverSoftware: "OpenSSH" }),
    sshFacts({ hasshServer: "ab" }),
    sshFacts({ hostKey: "ab" }),
    smbFacts({ status: "STATUS_ACCESS_DENIED" }),
    smbFacts({ dialect: "3.11" }),
    kerberosFacts({ messageType: "ERROR" }),
    dhcpFacts({ messageType: "ack" }),
    dhcpFacts({ messageType: "offer" }),
    dhcpFacts({ messageType: "nak" }),
  ];
  for (const facts of responses) assert.equal(answered(facts), true, JSON.stringify(facts));
  const alone: Facts[] = [
    tlsFacts({ serverName: "a.example", ja3: "ab", ja4: "ab", resumed: false, established: false }),
    httpFacts({ method: "GET", host: "a.example", uri: "/" }),
    sshFacts({ clientSoftware: "masscan", hassh: "ab" }),
    smbFacts({ command: "SMB2_COMMAND_NEGOTIATE_PROTOCOL", user: "ana" }),
    kerberosFacts(),
    dhcpFacts({ messageType: "request" }),
    dhcpFacts({ messageType: "discover" }),
    dhcpFacts(),
    { type: "anomaly", anomalyType: "stream", event: "x", layer: null, appProto: null },
  ];
  for (const facts of alone) assert.equal(answered(facts), false, JSON.stringify(facts));
});

Deno.test("an alert's target is assumed to exist, unless it is a broadcast address", () => {
  const facts: AlertFacts = {
    type: "alert",
    gid: 1,
    signatureId: 1,
    revision: 1,
    signature: "s",
    category: null,
    priority: null,
    action: null,
    metadata: {},
  };
  const alert = (ip: string) =>
    responderAnswered(observation(0, 0, { counters: null, facts, dst: { ip, port: 80 } }));
  assert.equal(alert("10.0.0.9"), true);
  assert.equal(alert("10.0.0.255"), false);
});
