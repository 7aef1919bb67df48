import assert from "node:assert/strict";
import fc from "fast-check";
import {
  addressSightings,
  type DeviceAnchor,
  factSightings,
  leaseSightings,
  type Sighting,
  updateAnchors,
} from "./anchor-sightings.ts";

const DAY = 86_400_000_000;
const MONDAY = 20_472 * DAY;

function name(value: string, firstSeen: number, lastSeen = firstSeen): Sighting {
  return { deviceId: "d", class: "dhcp_hostname", value, source: "suricata", firstSeen, lastSeen };
}

Deno.test("a lease shows what the client sent, and nothing else", () => {
  const lease = {
    deviceId: "d",
    mac: "9c:b6:d0:1a:2b:3c",
    clientId: null,
    hostName: "ws-77",
    vendorClass: "MSFT 5.0",
    source: "suricata",
    firstSeen: MONDAY,
    lastSeen: MONDAY + DAY,
  };
  assert.deepEqual(leaseSightings(lease).map((one) => [one.class, one.value, one.lastSeen]), [
    ["mac", "9c:b6:d0:1a:2b:3c", MONDAY + DAY],
    ["dhcp_hostname", "ws-77", MONDAY + DAY],
    ["dhcp_vendor_class", "MSFT 5.0", MONDAY + DAY],
  ]);
});

Deno.test("a certificate is an anchor by its fingerprint, not by its subject", () => {
  const certificate = (value: string) =>
    factSightings({ deviceId: "d", kind: "certificate", value, source: "zeek", firstSeen: 1, lastSeen: 2 });
  assert.equal(certificate("ab".repeat(20))[0]?.class, "tls_certificate");
  assert.deepEqual(certificate("CN=localhost"), []);
});

Deno.test("an address used for a week without a lease is static", () => {
  const address = (days: number, leased = false) =>
    addressSightings({
      deviceId: "d",
      ip: "10.0.0.5",
      leased,
      firstSeen: MONDAY,
      lastSeen: MONDAY + days * DAY,
    });
  assert.equal(address(7)[0]?.class, "ip_static");
  assert.deepEqual(address(6), []);
  assert.deepEqual(address(30, true), []);
});

Deno.test("each update adds the days of its sightings", () => {
  let stored: readonly DeviceAnchor[] = [];
  for (const day of [0, 0, 1, 4]) {
    stored = updateAnchors(stored, [name("ws-77", MONDAY, MONDAY + day * DAY + 5)]).anchors;
  }
  assert.deepEqual(stored.map(({ firstSeen, lastSeen, days }) => ({ firstSeen, lastSeen, days })), [
    { firstSeen: MONDAY, lastSeen: MONDAY + 4 * DAY + 5, days: [20_472, 20_473, 20_476] },
  ]);
});

Deno.test("missing anchors are kept, and unchanged ones are not written again", () => {
  const first = updateAnchors([], [name("old", MONDAY), name("new", MONDAY)]);
  assert.equal(first.changed.length, 2);
  const second = updateAnchors(first.anchors, [name("new", MONDAY)]);
  assert.deepEqual(second, { anchors: first.anchors, changed: [], forgotten: [] });
});

Deno.test("an inventory anchor holds only while the inventory has it", () => {
  const entry: Sighting = { ...name("Anna's laptop", MONDAY), class: "inventory", source: "inventory" };
  const { anchors } = updateAnchors([], [entry]);
  const { anchors: left, forgotten } = updateAnchors(anchors, []);
  assert.deepEqual([left, forgotten], [[], anchors]);
});

Deno.test("the most recent values of a device are kept", () => {
  const many = Array.from({ length: 100 }, (_, i) => name(`name-${i}`, MONDAY + i));
  const { anchors, changed } = updateAnchors([], many);
  assert.deepEqual(anchors.map(({ value }) => value), many.slice(-32).map(({ value }) => value));
  assert.equal(changed.length, 32);
});

Deno.test("the order of updates does not matter", () => {
  const sighting = fc.tuple(fc.constantFrom("a", "b"), fc.nat(9), fc.nat(3)).map(([value, day, length]) =>
    name(value, MONDAY + day * DAY, MONDAY + (day + length) * DAY)
  );
  const after = (sightings: Sighting[]) =>
    sightings.reduce<DeviceAnchor[]>((stored, one) => updateAnchors(stored, [one]).anchors, [])
      .sort((a, b) => a.value < b.value ? -1 : 1);
  fc.assert(fc.property(fc.array(sighting), (sightings) => {
    assert.deepEqual(after(sightings), after(sightings.toReversed()));
  }));
});
