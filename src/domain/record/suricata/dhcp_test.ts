import assert from "node:assert/strict";
import type { DhcpFacts } from "../facts.ts";
import type { Fields } from "../fields.ts";
import type { Observation } from "../observation.ts";
import { normalise } from "../registry.ts";

const context = { observedAt: 1_795_222_923_000_001, expectedExporters: null };
const UNSPECIFIED = "0.0.0.0";
const BROADCAST = "255.255.255.255";
const SERVER = "192.0.2.1";
const CLIENT = "192.0.2.77";
const RELAY = "198.51.100.1";

function observe(from: [string, number], to: [string, number], dhcp: Fields): Observation {
  const payload = {
    src_ip: from[0],
    src_port: from[1],
    dest_ip: to[0],
    dest_port: to[1],
    proto: "UDP",
    dhcp,
  };
  const result = normalise("suricata.dhcp", payload, context);
  assert.ok("observation" in result, "unparsed" in result ? result.unparsed : "");
  return result.observation;
}

function factsOf({ facts }: Observation): DhcpFacts {
  assert.ok(facts?.type === "dhcp");
  return facts;
}

function request(dhcp: Fields): DhcpFacts {
  return factsOf(observe([CLIENT, 68], [SERVER, 67], { type: "request", ...dhcp }));
}

function reply(dhcp: Fields, to = CLIENT): DhcpFacts {
  return factsOf(observe([SERVER, 67], [to, to === RELAY ? 67 : 68], { type: "reply", ...dhcp }));
}

Deno.test("suricata.dhcp: the client comes first, except when a server broadcasts", () => {
  const cases: [string, [string, number], [string, number], string, string][] = [
    ["a discover has no address yet", [UNSPECIFIED, 68], [BROADCAST, 67], "request", UNSPECIFIED],
    ["a broadcast offer", [SERVER, 67], [BROADCAST, 68], "reply", SERVER],
    ["an offer to the client", [SERVER, 67], [CLIENT, 68], "reply", CLIENT],
    ["a renewal", [CLIENT, 68], [SERVER, 67], "request", CLIENT],
    ["a relay requests", [RELAY, 67], [SERVER, 67], "request", RELAY],
    ["the server replies to the relay", [SERVER, 67], [RELAY, 67], "reply", RELAY],
    [
      "neither, as for an operation unknown to Suricata",
      [CLIENT, 68],
      [SERVER, 67],
      "<unknown>",
      CLIENT,
    ],
  ];
  for (const [name, from, to, type, source] of cases) {
    assert.equal(observe(from, to, { type }).src.ip, source, name);
  }
});

Deno.test("suricata.dhcp: an instant flow observation without counters", () => {
  const { service, counters, start, end, proto } = observe([SERVER, 67], [CLIENT, 68], { type: "reply" });
  assert.deepEqual([service, counters, proto], ["dhcp", null, "udp"]);
  assert.deepEqual([start, end], [context.observedAt, context.observedAt]);
});

Deno.test("suricata.dhcp: the server is the sender of a reply, unless that is a relay", () => {
  assert.equal(reply({}).serverIp, SERVER);
  assert.equal(reply({ relay_ip: UNSPECIFIED, next_server_ip: "192.0.2.9" }).serverIp, SERVER);
  assert.equal(reply({ relay_ip: RELAY }, RELAY).serverIp, SERVER);
  assert.equal(reply({ relay_ip: RELAY }).serverIp, null);
  assert.equal(request({ next_server_ip: SERVER }).serverIp, null);
});

Deno.test("suricata.dhcp: 0.0.0.0 and the all-zero MAC address are null", () => {
  const facts = reply({
    assigned_ip: UNSPECIFIED,
    client_mac: "00:00:00:00:00:00",
    routers: [UNSPECIFIED, SERVER],
  });
  assert.deepEqual([facts.assignedIp, facts.clientMac, facts.routers], [null, null, [SERVER]]);
});

Deno.test("suricata.dhcp: MAC addresses in one spelling; other lengths are dropped", () => {
  const cases: [string, string | null][] = [
    ["9C:B6:D0:1A:2B:3C", "9c:b6:d0:1a:2b:3c"],
    ["9c-b6-d0-1a-2b-3c", "9c:b6:d0:1a:2b:3c"],
    ["9c:b6:d0:1a:2b:3c:00:00", null],
    ["9c:b6:d0:1a:2b", null],
    ["", null],
  ];
  for (const [client_mac, mac] of cases) assert.equal(request({ client_mac }).clientMac, mac, client_mac);
});

Deno.test("suricata.dhcp: the requested address, also when renewing a lease", () => {
  assert.equal(request({ dhcp_type: "request", requested_ip: CLIENT }).requestedIp, CLIENT);
  assert.equal(request({ dhcp_type: "request", client_ip: CLIENT }).requestedIp, CLIENT);
  assert.equal(request({ dhcp_type: "request", client_ip: UNSPECIFIED }).requestedIp, null);
  assert.equal(request({ dhcp_type: "inform", client_ip: CLIENT }).requestedIp, null);
  assert.equal(reply({ dhcp_type: "ack", client_ip: CLIENT }).requestedIp, null);
});

Deno.test("suricata.dhcp: the server's settings, bounded, without invalid addresses", () => {
  const facts = reply({
    dhcp_type: "ack",
    assigned_ip: CLIENT,
    hostname: "h".repeat(400),
    client_id: "01:".repeat(400),
    vendor_class_identifier: "MSFT 5.0\0",
    lease_time: 4294967295,
    subnet_mask: "255.255.255.0",
    routers: Array(50).fill(SERVER),
    dns_servers: ["192.0.2.53", "", 7, null, "010.0.0.1", "192.0.2.54"],
  });
  assert.deepEqual([facts.hostName?.length, facts.clientId?.length, facts.vendorClass], [
    255,
    256,
    "MSFT 5.0",
  ]);
  assert.deepEqual([facts.leaseSeconds, facts.subnetMask], [4294967295, "255.255.255.0"]);
  assert.deepEqual([facts.routers.length, facts.dnsServers], [16, ["192.0.2.53", "192.0.2.54"]]);
  assert.equal(reply({ dhcp_type: "unknown" }).messageType, null);
  assert.equal(reply({ lease_time: -1 }).leaseSeconds, null);
});

Deno.test("suricata.dhcp: rejected records state the reason", () => {
  const flow = { src_ip: CLIENT, dest_ip: SERVER, proto: "UDP" };
  assert.deepEqual(normalise("suricata.dhcp", flow, context), { unparsed: "dhcp: expected an object" });
  assert.deepEqual(normalise("suricata.dhcp", { dhcp: {} }, context), {
    unparsed: "src_ip: expected an address",
  });
});
