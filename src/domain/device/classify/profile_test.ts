import assert from "node:assert/strict";
import type { FlowState } from "../../flow/flow.ts";
import { flow, session } from "../../../../test/support/domain/flow-fixtures.ts";
import { profileDevice } from "./profile.ts";

const HOUR = 3_600_000_000;

/** A flow from device "me" to an external server. */
function outgoing(ip: string, more: Partial<FlowState> = {}): FlowState {
  return flow(0, 1000, { srcDeviceId: "me", dst: { ip, port: 443 }, ...more });
}

/** A flow from another host to a service of "me". */
function incoming(ip: string, more: Partial<FlowState> = {}): FlowState {
  const src = { ip, port: 40_000 };
  const dst = { ip: "10.0.0.5", port: 22 };
  return flow(0, 1000, { dstDeviceId: "me", src, dst, ...more });
}

function cellOf(iso: string, zone?: string): number {
  const start = Date.parse(iso) * 1000;
  return profileDevice("me", [outgoing("203.0.113.7", { start })], { zone }).grid.findIndex((cell) =>
    cell.flowCount === 1
  );
}

Deno.test("the grid has 168 cells, Monday midnight UTC first", () => {
  const { grid } = profileDevice("me", []);
  assert.equal(grid.length, 168);
  assert.deepEqual(grid[0], { weekday: 1, hour: 0, flowCount: 0 });
  assert.deepEqual(grid[167], { weekday: 7, hour: 23, flowCount: 0 });
});

Deno.test("a flow counts in the UTC hour it starts in", () => {
  assert.equal(cellOf("2026-02-02T00:00:00Z"), 0, "a Monday");
  assert.equal(cellOf("2026-02-01T23:59:59Z"), 167, "a Sunday");
  assert.equal(cellOf("1970-01-01T00:30:00Z"), 3 * 24, "a Thursday");
  assert.equal(cellOf("1969-12-31T23:30:00Z"), 2 * 24 + 23, "a wrong clock's Wednesday");
  const twice = profileDevice("me", [outgoing("a", { start: 0 }), outgoing("b", { start: HOUR - 1 })]);
  assert.equal(twice.grid[3 * 24]!.flowCount, 2);
});

Deno.test("a flow counts in the hour of the zone, on both sides of a clock change", () => {
  assert.equal(cellOf("2026-02-01T23:59:59Z", "Europe/Berlin"), 0, "a Monday");
  assert.equal(cellOf("2026-02-02T04:59:59Z", "America/New_York"), 167, "a Sunday");
  assert.equal(cellOf("2026-02-02T00:20:00Z", "Asia/Kathmandu"), 6, "5 hours and 45 minutes ahead");
  assert.equal(cellOf("2026-03-29T00:59:59Z", "Europe/Berlin"), 6 * 24 + 1);
  assert.equal(cellOf("2026-03-29T01:00:00Z", "Europe/Berlin"), 6 * 24 + 3);
});

Deno.test("bytes are counted from the device's side, whichever end it is", () => {
  const { peers } = profileDevice("me", [
    outgoing("203.0.113.7", { counters: session(10, 2000) }),
    incoming("203.0.113.7", { counters: session(5, 300) }),
  ]);
  assert.deepEqual(peers.map(({ ip, flowCount, bytesOut, bytesIn }) => [ip, flowCount, bytesOut, bytesIn]), [
    ["203.0.113.7", 2, 310, 2005],
  ]);
});

Deno.test("a counter missing from all flows stays null, and a large sum stays exact", () => {
  const bare = outgoing("203.0.113.7", { counters: session(null, null) });
  assert.equal(profileDevice("me", [bare, bare]).peers[0]!.bytesOut, null);
  const some = outgoing("203.0.113.7", { counters: session(7, null) });
  assert.equal(profileDevice("me", [bare, some]).peers[0]!.bytesOut, 7);
  const huge = outgoing("203.0.113.7", { counters: session(Number.MAX_SAFE_INTEGER, null) });
  assert.equal(profileDevice("me", [huge, huge]).peers[0]!.bytesOut, 2n * BigInt(Number.MAX_SAFE_INTEGER));
});

Deno.test("a peer's time span covers its flows, and any flow can identify its device", () => {
  const [peer] = profileDevice("me", [
    outgoing("10.0.0.9", { start: 50, end: 60 }),
    outgoing("10.0.0.9", { start: 10, end: 20, dstDeviceId: "other" }),
  ]).peers;
  assert.deepEqual([peer!.firstSeen, peer!.lastSeen, peer!.deviceId], [10, 60, "other"]);
});

Deno.test("destinations are single external hosts the device opened flows to", () => {
  const { destinations } = profileDevice("me", [
    outgoing("203.0.113.7", { counters: session(10, 0) }),
    outgoing("198.51.100.1", { counters: session(90, 0) }),
    outgoing("10.0.0.9", { dstDeviceId: "other" }),
    incoming("203.0.113.99"),
    ...["224.0.0.251", "ff02::fb", "255.255.255.255", "169.254.1.1", "fe80::1"].map((ip) => outgoing(ip)),
  ]);
  assert.deepEqual(destinations.map(({ ip }) => ip), ["198.51.100.1", "203.0.113.7"], "most sent first");
});

Deno.test("the broadcast address of an own network is a peer, and no destination outside", () => {
  const flows = [outgoing("10.0.1.255"), outgoing("203.0.113.7")];
  const { peers, destinations } = profileDevice("me", flows, { broadcasts: new Set(["10.0.1.255"]) });
  assert.equal(peers.length, 2);
  assert.deepEqual(destinations.map(({ ip }) => ip), ["203.0.113.7"]);
});

Deno.test("an address that no record states is neither a peer nor a destination", () => {
  const flows = [outgoing("0.0.0.0"), outgoing("::"), incoming("0.0.0.0"), outgoing("203.0.113.7")];
  const { peers, destinations, grid } = profileDevice("me", flows);
  assert.deepEqual([peers, destinations].map((list) => list.map(({ ip }) => ip)), [
    ["203.0.113.7"],
    ["203.0.113.7"],
  ]);
  assert.equal(grid.reduce((sum, { flowCount }) => sum + flowCount, 0), 4);
});

Deno.test("services are separated by side, protocol, port and name", () => {
  const { services } = profileDevice("me", [
    outgoing("a", { service: "ssl" }),
    outgoing("b", { service: "ssl" }),
    outgoing("c"),
    incoming("d", { service: "ssh" }),
  ]);
  assert.deepEqual(services.map(({ side, port, service, flowCount }) => [side, port, service, flowCount]), [
    ["client", 443, "ssl", 2],
    ["server", 22, "ssh", 1],
    ["client", 443, null, 1],
  ]);
});

Deno.test("lists are bounded, and ties are broken by address", () => {
  const many = Array.from({ length: 30 }, (_, i) => outgoing(`203.0.113.${100 + i}`));
  const profile = profileDevice("me", many.toReversed());
  assert.equal(profile.peers.length, 20);
  assert.equal(profile.destinations.length, 20);
  assert.equal(profile.peers[0]!.ip, "203.0.113.100");
});
