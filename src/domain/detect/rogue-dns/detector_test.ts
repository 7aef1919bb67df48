import assert from "node:assert/strict";
import fc from "fast-check";
import type { DhcpFacts, DnsFacts } from "../../record/facts.ts";
import type { Detector } from "../kernel/detector.ts";
import { drive } from "../../../../test/support/detect/detector-fixtures.ts";
import {
  playSeen as play,
  type Seen,
  sumOf,
  times,
  toSighting,
} from "../../../../test/support/detect/play-fixtures.ts";
import { DHCP_SERVERS, ROGUE_DHCP_DETECTOR } from "../rogue-dhcp/detector.ts";
import { ROGUE_DNS_DETECTOR } from "./detector.ts";
import { DNS_SERVERS, MIN_QUERIES, RESOLVERS } from "./state.ts";

const DAY = 86_400;

/** Drives records of the learning phase, then later ones. */
function after(detector: Detector, learning: readonly Seen[], later: readonly Seen[], round = 1000) {
  const sightings = [
    ...learning.map((seen, index) => toSighting(seen, index, { learned: false })),
    ...later.map((seen, index) =>
      toSighting(seen, 1000 + index, { learned: true, names: { "10.0.0.66": "ap" } })
    ),
  ];
  const driven = drive([detector], sightings, { round });
  return { ...driven, best: driven.results.at(-1) ?? null };
}

function lease(at: number, serverIp: string, client: number, router = "10.0.0.1"): Seen {
  const facts: DhcpFacts = {
    type: "dhcp",
    messageType: "ack",
    clientMac: `02:00:00:00:00:${client.toString(16).padStart(2, "0")}`,
    clientId: null,
    hostName: null,
    vendorClass: null,
    requestedIp: null,
    assignedIp: `10.0.0.${client}`,
    leaseSeconds: 3600,
    serverIp,
    routers: [router],
    dnsServers: [router],
    subnetMask: "255.255.255.0",
  };
  return { at, src: `10.0.0.${client} 68`, dst: `${serverIp} 67`, proto: "udp", facts };
}

const LEASES = times(20, (index) => lease(index * 100, "10.0.0.1", 100 + index));

Deno.test("rogue-dhcp: a later server is reported, with a higher score for other options", () => {
  const { best, results } = after(ROGUE_DHCP_DETECTOR, LEASES, [lease(9 * DAY, "10.0.0.66", 150)]);
  assert.equal(best!.title, "New DHCP server: ap");
  assert.ok(best!.score >= 40 && best!.score < 60, String(best!.score));
  assert.equal(sumOf(best!), best!.score);
  assert.equal(results.length, 1);
  assert.equal(best!.deviceId, "device 10.0.0.66");
  const many = times(15, (index) => lease(9 * DAY + index, "10.0.0.66", 150 + index, "10.0.0.66"));
  const worse = after(ROGUE_DHCP_DETECTOR, LEASES, many);
  assert.ok(worse.best!.score >= 70, String(worse.best!.score));
  assert.match(worse.best!.summary, /another router or resolver/);
  assert.ok(worse.results.length <= 6);
});

Deno.test("rogue-dhcp: servers of the site are not reported", () => {
  assert.equal(after(ROGUE_DHCP_DETECTOR, LEASES, LEASES).results.length, 0);
  assert.equal(after(ROGUE_DHCP_DETECTOR, [], LEASES).results.length, 0, "the first server of the site");
  const pair = [...LEASES, lease(50, "10.0.0.2", 130)];
  assert.equal(after(ROGUE_DHCP_DETECTOR, pair, [lease(9 * DAY, "10.0.0.2", 131)]).results.length, 0);
  const forged = times(200, (index) => lease(9 * DAY + index, `10.0.7.${index}`, 150));
  assert.ok(after(ROGUE_DHCP_DETECTOR, LEASES, forged).results.length <= 6, "a flood of forged servers");
});

Deno.test("rogue-dhcp: flows without DHCP records are enough", () => {
  const flow = (at: number, server: string, back: number): Seen => ({
    at,
    src: "10.0.0.7 68",
    dst: `${server} 67`,
    proto: "udp",
    out: [300, 1],
    in: [back, back > 0 ? 1 : 0],
  });
  const known = [flow(0, "10.0.0.1", 300)];
  const found = (later: Seen[]) => after(ROGUE_DHCP_DETECTOR, known, later).results.length;
  assert.equal(found([flow(9 * DAY, "10.0.0.66", 300)]), 1);
  assert.equal(found([flow(9 * DAY, "10.0.0.66", 0)]), 0, "no answer");
  assert.equal(found([{ ...flow(9 * DAY, "255.255.255.255", 300) }]), 0);
  const reply: Seen = {
    at: 9 * DAY,
    src: "10.0.0.66 67",
    dst: "255.255.255.255 68",
    proto: "udp",
    out: [300, 1],
    in: [0, 0],
  };
  assert.equal(found([reply]), 1);
  const relay: Seen = { ...reply, dst: "10.0.0.1 67" };
  assert.equal(found([relay]), 0);
});

function lookup(at: number, client: string, server: string, answered = true): Seen {
  const facts: DnsFacts = {
    type: "dns",
    query: "example.com",
    qtype: "A",
    rcode: "NOERROR",
    answers: ["192.0.2.1"],
    answered,
  };
  return { at, src: `${client} 50000`, dst: `${server} 53`, proto: "udp", facts };
}

const LOOKUPS = times(10, (index) => lookup(index, `10.0.0.${10 + index}`, "10.0.0.1"));

Deno.test("rogue-dns: a host that starts to answer others", () => {
  const later = times(16, (index) => lookup(9 * DAY + index, `10.0.0.${10 + index}`, "10.0.0.66"));
  const { best, results } = after(ROGUE_DNS_DETECTOR, LOOKUPS, later);
  assert.equal(best!.title, "New DNS resolver inside: ap");
  assert.ok(results[0]!.score < 40 && best!.score >= 40, String(best!.score));
  assert.equal(sumOf(best!), best!.score);
  assert.ok(results.length <= 6);
  assert.equal(after(ROGUE_DNS_DETECTOR, LOOKUPS, later.slice(0, 1)).best, null, "a single client");
  assert.equal(after(ROGUE_DNS_DETECTOR, [...LOOKUPS, ...later], later).best, null, "known");
  const asked = later.map((seen) => ({ ...seen, facts: { ...(seen.facts as DnsFacts), answered: false } }));
  assert.equal(after(ROGUE_DNS_DETECTOR, LOOKUPS, asked).best, null, "it does not answer");
});

Deno.test("rogue-dns: a client that starts to query an outside resolver", () => {
  const turn = (server: string, count: number) =>
    times(count, (index) => lookup(9 * DAY + index, "10.0.0.12", server));
  const { best, results } = after(ROGUE_DNS_DETECTOR, LOOKUPS, turn("198.51.100.7", 200));
  assert.equal(best!.title, "New outside DNS resolver: 10.0.0.12 to 198.51.100.7");
  assert.equal(results.length, 1);
  assert.ok(best!.score >= 20 && best!.score < 40);
  assert.ok(after(ROGUE_DNS_DETECTOR, LOOKUPS, turn("8.8.8.8", 200)).best!.score < best!.score);
  assert.equal(after(ROGUE_DNS_DETECTOR, LOOKUPS, turn("198.51.100.7", MIN_QUERIES - 1)).best, null);
  assert.equal(
    after(ROGUE_DNS_DETECTOR, [], turn("198.51.100.7", 200)).best,
    null,
    "a site without a resolver",
  );
  const server = times(100, (index) => lookup(9 * DAY + index, "10.0.0.12", `198.51.100.${index % 50}`));
  assert.equal(after(ROGUE_DNS_DETECTOR, LOOKUPS, server).best, null, "the device is a resolver");
  const own = times(100, (index) => lookup(9 * DAY + index, "10.0.0.1", "198.51.100.7"));
  assert.equal(
    after(ROGUE_DNS_DETECTOR, LOOKUPS, own).best,
    null,
    "the site's resolver may use another upstream",
  );
});

Deno.test("rogue services: results do not depend on batches, and hostile input stays bounded", () => {
  const later = times(16, (index) => lease(9 * DAY + index, "10.0.0.66", 150 + index, "10.0.0.66"));
  const whole = after(ROGUE_DHCP_DETECTOR, LEASES, later);
  for (const round of [1, 6]) {
    assert.deepEqual(after(ROGUE_DHCP_DETECTOR, LEASES, later, round).results, whole.results);
  }
  const names = times(
    40,
    (index) => lookup(9 * DAY + index, `10.0.0.${10 + index % 9}`, index % 2 ? "10.0.0.66" : "9.9.9.9"),
  );
  const dns = after(ROGUE_DNS_DETECTOR, LOOKUPS, names);
  for (const round of [1, 6]) {
    assert.deepEqual(after(ROGUE_DNS_DETECTOR, LOOKUPS, names, round).results, dns.results);
  }
  for (const type of [DHCP_SERVERS, DNS_SERVERS]) {
    for (const [id, bytes] of [...whole.states, ...dns.states]) {
      if (id.startsWith(`${type.id} `)) assert.deepEqual(type.encode(type.decode(bytes)), bytes);
    }
    assert.throws(() => type.decode(new Uint8Array([7])), RangeError);
  }
  assert.throws(() => RESOLVERS.decode(new Uint8Array([7])), RangeError);
  const time = fc.oneof(fc.integer({ min: 0, max: 1_000_000 }), fc.constantFrom(-2e9, 6e9));
  const any = fc.oneof(
    fc.tuple(time, fc.ipV4(), fc.nat(255)).map(([at, server, client]) => lease(at, server, client)),
    fc.tuple(time, fc.ipV4(), fc.ipV4()).map(([at, client, server]) => lookup(at, client, server)),
  );
  fc.assert(
    fc.property(fc.array(any, { maxLength: 120 }), fc.boolean(), (seen, learned) => {
      for (const detector of [ROGUE_DHCP_DETECTOR, ROGUE_DNS_DETECTOR]) {
        const { states } = play(detector, seen, { learned, isInternal: (ip) => Number.parseInt(ip) < 128 });
        for (const bytes of states.values()) assert.ok(bytes.length < 4600, String(bytes.length));
      }
    }),
    { numRuns: 50 },
  );
});
