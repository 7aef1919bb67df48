import assert from "node:assert/strict";
import { parseCidr } from "../../kit/net/ip.ts";
import { sighting } from "../../../test/support/detect/detector-fixtures.ts";
import type { DhcpFacts } from "../record/facts.ts";
import {
  localNetworks,
  MIN_LINKED,
  MIN_PROVIDERS,
  MIN_PUBLIC_V4_ADDRESSES,
  noteNetworks,
  SEEN_NETWORKS,
  type SeenNetworks,
} from "./local-networks.ts";

const CONFIGURED = [parseCidr("10.0.0.0/8")!];

/** Notes connections; `answered` is the default. */
function exchange(
  state: SeenNetworks,
  pairs: readonly (readonly [src: string, dst: string])[],
  { answered = true, seconds = 0 } = {},
): SeenNetworks {
  const connection = {
    bytesOut: 100,
    packetsOut: 1,
    bytesIn: answered ? 100 : 0,
    packetsIn: answered ? 1 : 0,
  };
  for (const [src, dst] of pairs) {
    noteNetworks(state, sighting(seconds, { ip: src, port: 50_000 }, { ip: dst, port: 443 }, { connection }));
  }
  return state;
}

const found = (state: SeenNetworks) => localNetworks(state, CONFIGURED).map(({ network }) => network);
const numbers = (count: number) => Array.from({ length: count }, (_, n) => n + 1);
const server = (n: number) => `2a00:${n.toString(16)}::80`;
const host = (n: number) => `2001:db8:20:1::${n.toString(16)}`;

Deno.test("a prefix whose hosts reach many providers looks local; the providers do not", () => {
  const pairs = numbers(40).map((n) => [host(n % 5 + 1), server(n)] as const);
  const state = exchange(SEEN_NETWORKS.empty(), pairs);
  assert.deepEqual(localNetworks(state, CONFIGURED), [{
    network: "2001:db8:20:1::/64",
    addresses: 5,
    exact: true,
  }]);
});

Deno.test("servers of an unconfigured network look local by their clients' providers", () => {
  const pairs = numbers(40).map((n) => [`${n}.7.7.7`, `203.0.113.${n % 4 + 1}`] as const);
  assert.deepEqual(found(exchange(SEEN_NETWORKS.empty(), pairs)), ["203.0.113.0/24"]);
});

Deno.test("a network is not suggested once it is configured", () => {
  const state = exchange(SEEN_NETWORKS.empty(), numbers(40).map((n) => [host(n), server(n)]));
  assert.deepEqual(localNetworks(state, [...CONFIGURED, parseCidr("2001:db8::/32")!]), []);
});

Deno.test("what configured devices use, and who uses them, is no network of the site", () => {
  const cases: [string, [string, string][]][] = [
    ["servers of a content network", numbers(200).map((n) => [`10.0.0.${n}`, `151.101.1.${n}`])],
    ["clients of a public server", numbers(200).map((n) => [`198.51.100.${n}`, "10.0.0.80"])],
    ["clients of many providers", numbers(200).map((n) => [`${n}.7.7.7`, "10.0.0.80"])],
  ];
  for (const [what, pairs] of cases) {
    assert.deepEqual(found(exchange(SEEN_NETWORKS.empty(), pairs)), [], what);
  }
});

Deno.test("a scanner without answers shows no network", () => {
  const pairs = numbers(200).map((n) => ["198.51.100.7", `${n}.9.9.9`] as const);
  assert.deepEqual(found(exchange(SEEN_NETWORKS.empty(), pairs, { answered: false })), []);
});

Deno.test("a popular network used by many unconfigured networks of one provider is remote", () => {
  // A resolver and a content network, from 200 networks of a /32 and 200 private ones.
  const pairs = numbers(200).flatMap((n) => [
    [`2001:db8:${n.toString(16)}::1`, "2001:4860:4860::8888"] as const,
    [`192.168.${n}.5`, `151.101.1.${n}`] as const,
    [`172.${16 + n % 16}.${n}.5`, `151.101.1.${n}`] as const,
  ]);
  const suggested = found(exchange(SEEN_NETWORKS.empty(), pairs));
  assert.deepEqual(suggested.filter((one) => /^(2001:4860|151)/.test(one)), []);
});

Deno.test("the site's only public IPv4 address does not make its provider's /24 local", () => {
  const pairs = numbers(100).map((n) => ["203.0.113.57", `${n}.7.7.7`] as const);
  const neighbours = numbers(9).map((n) => ["203.0.113.57", `203.0.113.${n}`] as const);
  const state = exchange(exchange(SEEN_NETWORKS.empty(), pairs), neighbours);
  assert.deepEqual(found(state), []);
  assert.ok(MIN_PUBLIC_V4_ADDRESSES > 1);
});

Deno.test("addresses that send on the local link make a network local", () => {
  const targets = ["ff02::fb", "ff02::1:3", "ff02::1:ff00:1"];
  for (const count of [MIN_LINKED - 1, MIN_LINKED]) {
    const state = exchange(
      SEEN_NETWORKS.empty(),
      targets.slice(0, count).map((target, n) => [host(n), target]),
      { answered: false },
    );
    assert.deepEqual(found(state), count < MIN_LINKED ? [] : ["2001:db8:20:1::/64"], `${count} addresses`);
  }
  const v4 = [["203.0.113.5", "224.0.0.251"], ["203.0.113.6", "255.255.255.255"], [
    "203.0.113.7",
    "203.0.113.255",
  ]];
  const state = exchange(SEEN_NETWORKS.empty(), v4 as [string, string][], { answered: false });
  assert.deepEqual(found(state), ["203.0.113.0/24"]);
});

Deno.test("link-local addresses and routed multicast show no network", () => {
  const pairs = numbers(9).flatMap((n) => [
    [`fe80::${n}`, "ff02::fb"] as const,
    [`169.254.0.${n}`, "224.0.0.251"] as const,
    [`203.0.113.${n}`, "239.1.1.1"] as const,
    [host(n), "ff0e::1"] as const,
  ]);
  assert.deepEqual(found(exchange(SEEN_NETWORKS.empty(), pairs, { answered: false })), []);
});

Deno.test("neighbour discovery between global addresses shows their network", () => {
  const state = SEEN_NETWORKS.empty();
  for (const n of numbers(2)) {
    const observation = { proto: "ipv6-icmp", icmp: { type: 135, code: 0 } };
    noteNetworks(
      state,
      sighting(n, { ip: host(n), port: null }, { ip: host(n + 1), port: null }, { observation }),
    );
  }
  assert.deepEqual(found(state), ["2001:db8:20:1::/64"]);
});

Deno.test("leases outside of the configured networks show their network", () => {
  const state = SEEN_NETWORKS.empty();
  const lease = (assignedIp: string): DhcpFacts => ({
    type: "dhcp",
    messageType: "ack",
    clientMac: "9c:b6:d0:00:00:01",
    clientId: null,
    hostName: null,
    vendorClass: null,
    requestedIp: null,
    assignedIp,
    leaseSeconds: 600,
    serverIp: null,
    routers: [],
    dnsServers: [],
    subnetMask: null,
  });
  for (const ip of ["100.64.7.11", "100.64.7.12", "100.64.7.13", "10.1.1.1", "10.1.1.2", "10.1.1.3"]) {
    const facts = lease(ip);
    noteNetworks(
      state,
      sighting(0, { ip, port: 68 }, { ip: "10.0.0.1", port: 67 }, { observation: { facts } }),
    );
  }
  assert.deepEqual(found(state), ["100.64.7.0/24"]);
});

Deno.test("the state stays within its bound, and a flood of remote networks does not hide a local one", () => {
  const state = exchange(SEEN_NETWORKS.empty(), numbers(MIN_PROVIDERS).map((n) => [host(n), server(n)]));
  for (const n of numbers(5_000)) {
    exchange(state, [[`2a01:${n.toString(16)}::1`, `2a02:${n.toString(16)}::1`]]);
  }
  assert.deepEqual(found(state), ["2001:db8:20:1::/64"]);
  const bytes = SEEN_NETWORKS.encode(state);
  assert.ok(bytes.length <= SEEN_NETWORKS.maxBytes);
  assert.deepEqual(SEEN_NETWORKS.encode(SEEN_NETWORKS.decode(bytes)), bytes);
});

Deno.test("a repeated observation changes nothing, so that quiet rounds write nothing", () => {
  const state = exchange(SEEN_NETWORKS.empty(), [[host(1), server(1)]]);
  const before = SEEN_NETWORKS.encode(state);
  const connection = { bytesOut: 1, bytesIn: 1, packetsIn: 1 };
  const again = sighting(9, { ip: host(1), port: 1 }, { ip: server(1), port: 2 }, { connection });
  assert.equal(noteNetworks(state, again), false);
  assert.deepEqual(SEEN_NETWORKS.encode(state), before);
});

Deno.test("a prefix that its provider has replaced is forgotten a week later", () => {
  const week = 7 * 86_400;
  const old = numbers(40).map((n) => [host(n), server(n)] as const);
  const fresh = numbers(40).map((n) => [`2001:db8:99:1::${n}`, server(n)] as const);
  const state = exchange(SEEN_NETWORKS.empty(), old);
  exchange(state, fresh, { seconds: week - 86_400 });
  assert.deepEqual(found(state).sort(), ["2001:db8:20:1::/64", "2001:db8:99:1::/64"]);
  exchange(state, fresh, { seconds: week });
  assert.deepEqual(found(state), ["2001:db8:99:1::/64"]);
});
