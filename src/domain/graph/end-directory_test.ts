import assert from "node:assert/strict";
import fc from "fast-check";
import { buildGraph } from "./build.ts";
import { EndDirectory } from "./end-directory.ts";
import type { GraphDevice, GraphInput } from "./input.ts";
import type { PairTraffic } from "./traffic.ts";
import { addressTraffic, TrafficTable } from "./traffic-table.ts";

const HOSTS = 12;
const ADDRESS = fc.tuple(
  fc.constantFrom("10.0.0", "10.0.1", "198.51.100"),
  fc.integer({ min: 1, max: HOSTS }),
)
  .map(([network, host]) => `${network}.${host}`);

const PAIRS = fc.uniqueArray(fc.tuple(ADDRESS, ADDRESS, fc.nat(1000)), {
  maxLength: 80,
  selector: ([a, b]) => [a, b].sort().join(" "),
}).map((pairs) =>
  pairs.map(([a, b, bytes]): PairTraffic => {
    const [low, high] = [a, b].sort() as [string, string];
    const services = new Map([[bytes % 2 === 0 ? "ssl" : "dns", 1]]);
    const traffic = { bytesUp: bytes, bytesDown: 2 * bytes, packets: 1, flows: 1, intel: bytes === 7 };
    return { low, high, services, firstSeen: bytes, lastSeen: bytes, ...traffic };
  })
);

/** Which device each address of 10.0.0.0/23 belongs to, and the VLANs of devices; devices may have several addresses. */
const OWNERS = fc.record({
  owners: fc.array(fc.option(fc.nat(8), { nil: null }), { minLength: 2 * HOSTS, maxLength: 2 * HOSTS }),
  vlans: fc.array(fc.constantFrom(null, 1, 2), { minLength: 9, maxLength: 9 }),
});
type Owners = typeof OWNERS extends fc.Arbitrary<infer T> ? T : never;

function devicesOf({ owners, vlans }: Owners, former: ReadonlyMap<string, GraphDevice>) {
  const byAddress = new Map<string, GraphDevice>();
  const known = new Map(
    [...former.values()].map((device) => [`${device.deviceId} ${device.vlanId}`, device]),
  );
  for (const [at, owner] of owners.entries()) {
    if (owner === null) continue;
    const key = `d${owner} ${vlans[owner]}`;
    const vlanId = vlans[owner]!;
    const made = {
      deviceId: `d${owner}`,
      name: `host-${owner}`,
      type: "server",
      vlanId,
      ip: `10.0.0.${owner}`,
    };
    const device = known.get(key) ?? made;
    known.set(key, device);
    byAddress.set(`10.0.${Math.floor(at / HOSTS)}.${1 + at % HOSTS}`, device);
  }
  return byAddress;
}

/** Pairs of a shorter window. */
const FEW = 10;

function firstOf(table: TrafficTable): TrafficTable {
  const few = new TrafficTable([]);
  for (let at = 0; at < Math.min(FEW, table.size); at++) {
    few.add(few.open(table.low[at]!, table.high[at]!), table, at, false);
  }
  return few;
}

const INPUT = {
  scene: "network",
  window: { from: 0, to: 60_000_000 },
  placeOf: (ip: string) => {
    const asn = ip.startsWith("198.") ? Number(ip.split(".")[3]) % 5 : null;
    return { asn, asOrganisation: null, country: null, city: null, latitude: null, longitude: null };
  },
  site: { vlans: [], home_coordinates: null },
  focus: null,
  hops: 1,
  expand: [],
} satisfies Omit<GraphInput, "pairs" | "devices" | "incidents">;

Deno.test("ends that are kept from graph to graph give the same graph as new ones", () => {
  const rounds = fc.array(fc.tuple(OWNERS, fc.array(fc.tuple(ADDRESS, ADDRESS), { maxLength: 3 })), {
    minLength: 1,
    maxLength: 4,
  });
  fc.assert(fc.property(PAIRS, rounds, fc.constantFrom(10, 1000), (pairs, rounds, sight) => {
    const traffic = addressTraffic(pairs);
    const directory = new EndDirectory(traffic.addresses);
    let devices: ReadonlyMap<string, GraphDevice> = new Map();
    for (const [owners, concerned] of rounds) {
      devices = devicesOf(owners, devices);
      const input = {
        ...INPUT,
        devices,
        incidents: concerned.map((pair, at) => ({
          incidentId: `i${at}`,
          severity: "high" as const,
          deviceIds: ["d1"],
          pairs: [pair],
        })),
        limits: { nodes: 25, links: 200, arcs: 8, sight },
      };
      const kept = buildGraph({ ...input, pairs: traffic, directory });
      assert.deepEqual(kept, buildGraph({ ...input, pairs }));
      // Incidents of addresses without traffic in this window mark nothing, whatever the directory knows of them.
      const part = buildGraph({ ...input, pairs: { ...traffic, table: firstOf(traffic.table) }, directory });
      const few = pairs.slice(0, FEW).map((pair) => ({ ...pair, services: new Map() }));
      assert.deepEqual(part, buildGraph({ ...input, pairs: few }));
    }
  }));
});
