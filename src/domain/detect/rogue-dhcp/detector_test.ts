import assert from "node:assert/strict";
import fc from "fast-check";
import type { DhcpFacts } from "../../record/facts.ts";
import { drive } from "../../../../test/support/detect/detector-fixtures.ts";
import {
  playSeen,
  type Seen,
  sumOf,
  times,
  toSighting,
} from "../../../../test/support/detect/play-fixtures.ts";
import { DHCP_SERVERS, ROGUE_DHCP_DETECTOR } from "./detector.ts";

const DAY = 86_400;

/** Drives records of the learning phase, then later ones. */
function after(learning: readonly Seen[], later: readonly Seen[], round = 1000) {
  const sightings = [
    ...learning.map((seen, index) => toSighting(seen, index, { learned: false })),
    ...later.map((seen, index) =>
      toSighting(seen, 1000 + index, { learned: true, names: { "10.0.0.66": "ap" } })
    ),
  ];
  const driven = drive([ROGUE_DHCP_DETECTOR], sightings, { round });
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
  const { best, results } = after(LEASES, [lease(9 * DAY, "10.0.0.66", 150)]);
  assert.equal(best!.title, "New DHCP server: ap");
  assert.ok(best!.score >= 40 && best!.score < 60, String(best!.score));
  assert.equal(sumOf(best!), best!.score);
  assert.equal(results.length, 1);
  assert.equal(best!.deviceId, "device 10.0.0.66");
  const many = times(15, (index) => lease(9 * DAY + index, "10.0.0.66", 150 + index, "10.0.0.66"));
  const worse = after(LEASES, many);
  assert.ok(worse.best!.score >= 70, String(worse.best!.score));
  assert.match(worse.best!.summary, /another router or resolver/);
  assert.ok(worse.results.length <= 6);
});

Deno.test("rogue-dhcp: servers of the site are not reported", () => {
  assert.equal(after(LEASES, LEASES).results.length, 0);
  assert.equal(after([], LEASES).results.length, 0, "the first server of the site");
  const pair = [...LEASES, lease(50, "10.0.0.2", 130)];
  assert.equal(after(pair, [lease(9 * DAY, "10.0.0.2", 131)]).results.length, 0);
  const forged = times(200, (index) => lease(9 * DAY + index, `10.0.7.${index}`, 150));
  assert.ok(after(LEASES, forged).results.length <= 6, "a flood of forged servers");
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
  const found = (later: Seen[]) => after(known, later).results.length;
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

Deno.test("rogue-dhcp: results do not depend on batches, and hostile input stays bounded", () => {
  const later = times(16, (index) => lease(9 * DAY + index, "10.0.0.66", 150 + index, "10.0.0.66"));
  const whole = after(LEASES, later);
  for (const round of [1, 6]) assert.deepEqual(after(LEASES, later, round).results, whole.results);
  for (const bytes of whole.states.values()) {
    assert.deepEqual(DHCP_SERVERS.encode(DHCP_SERVERS.decode(bytes)), bytes);
  }
  assert.throws(() => DHCP_SERVERS.decode(new Uint8Array([7])), RangeError);
  const time = fc.oneof(fc.integer({ min: 0, max: 1_000_000 }), fc.constantFrom(-2e9, 6e9));
  const any = fc.tuple(time, fc.ipV4(), fc.nat(255)).map(([at, server, client]) => lease(at, server, client));
  fc.assert(
    fc.property(fc.array(any, { maxLength: 120 }), fc.boolean(), (seen, learned) => {
      const setting = { learned, isInternal: (ip: string) => Number.parseInt(ip) < 128 };
      const { largest } = playSeen(ROGUE_DHCP_DETECTOR, seen, setting);
      assert.ok(largest < 4600, `${largest}`);
    }),
    { numRuns: 50 },
  );
});
