// Graphs of made-up traffic.

import { buildGraph } from "../../../src/domain/graph/build.ts";
import type { Graph } from "../../../src/domain/graph/graph.ts";
import type { GraphDevice, GraphInput, GraphPlace } from "../../../src/domain/graph/input.ts";
import { MINUTE, type PairTraffic } from "../../../src/domain/graph/traffic.ts";

export type PairInput = GraphInput & { pairs: readonly PairTraffic[] };

export const NO_PLACE: GraphPlace = {
  country: null,
  city: null,
  latitude: null,
  longitude: null,
  asn: null,
  asOrganisation: null,
};
export const BERLIN = { latitude: 52.52, longitude: 13.405 };
export const WINDOW = { from: 0, to: 15 * MINUTE };

export function pair(a: string, b: string, change: Partial<PairTraffic> = {}): PairTraffic {
  const [low, high] = a <= b ? [a, b] : [b, a];
  return {
    low,
    high,
    bytesUp: 100,
    bytesDown: 1000,
    packets: 4,
    flows: 1,
    firstSeen: MINUTE,
    lastSeen: 2 * MINUTE,
    intel: false,
    services: new Map([["ssl", 1]]),
    ...change,
  };
}

export function device(n: number, vlanId: number | null = null): GraphDevice {
  return { deviceId: `d${n}`, name: `host-${n}`, type: "workstation", vlanId, ip: `10.0.0.${n}` };
}

/** Devices 10.0.0.1 to 10.0.0.`count`. */
export function devices(count: number, vlanOf: (n: number) => number | null = () => null) {
  return new Map(
    Array.from({ length: count }, (_, at) => [`10.0.0.${at + 1}`, device(at + 1, vlanOf(at + 1))]),
  );
}

export function place(change: Partial<GraphPlace>): GraphPlace {
  return { ...NO_PLACE, ...change };
}

export function build(change: Partial<PairInput>): Graph {
  return buildGraph({
    scene: "network",
    window: WINDOW,
    pairs: [],
    devices: new Map(),
    placeOf: () => NO_PLACE,
    incidents: [],
    site: { vlans: [], home_coordinates: null },
    focus: null,
    hops: 1,
    expand: [],
    ...change,
  });
}

export function nodeIds({ nodes }: Graph): string[] {
  return nodes.map(({ nodeId }) => nodeId);
}
