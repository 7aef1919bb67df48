// Lookups for the tests of the DNS tunnel detector.
import type { DnsFacts } from "../../../src/domain/record/facts.ts";
import { random } from "./beacon-fixtures.ts";
import type { Sighting } from "../../../src/domain/detect/kernel/detector.ts";
import { drive, type DriveOptions, sighting } from "./detector-fixtures.ts";
import { DNS_TUNNEL_DETECTOR } from "../../../src/domain/detect/dns-tunnel/detector.ts";
import type { DetectorResult } from "../../../src/domain/detect/kernel/result.ts";

const CLIENT = { ip: "10.0.0.7", port: 40_000 };
export const INSIDE = { ip: "10.0.0.53", port: 53 };
export const OUTSIDE = { ip: "198.51.100.53", port: 53 };
const LETTERS = "abcdefghijklmnopqrstuvwxyz234567";

/** A DNS transaction of the client with a resolver. */
export function lookup(
  seconds: number,
  query: string | null,
  facts: Partial<DnsFacts> = {},
  { client = CLIENT, resolver = INSIDE, more = {} } = {},
): Sighting {
  return sighting(seconds, client, resolver, {
    observation: {
      proto: "udp",
      service: "dns",
      facts: {
        type: "dns",
        query,
        qtype: "A",
        rcode: "NOERROR",
        answers: ["203.0.113.80"],
        answered: true,
        ...facts,
      },
    },
    sighting: more,
  });
}

export function connection(seconds: number, ip: string): Sighting {
  return sighting(seconds, CLIENT, { ip, port: 443 }, { connection: { bytesOut: 900 } });
}

/** A source of random labels. */
export function labels(seed: number): (length: number) => string {
  const next = random(seed);
  return (length) => Array.from({ length }, () => LETTERS[Math.floor(next() * LETTERS.length)]).join("");
}

export function times<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

export function run(sightings: readonly Sighting[], options: DriveOptions = {}) {
  return drive([DNS_TUNNEL_DETECTOR], sightings, options);
}

export function best(results: readonly DetectorResult[]): DetectorResult | null {
  return results.reduce<DetectorResult | null>((a, b) => a === null || b.score > a.score ? b : a, null);
}

/** Lookups in the style of iodine: long labels, records of arbitrary data. */
export function packed(
  count: number,
  settings: Parameters<typeof lookup>[3] = {},
  domain = "t.evil.example",
): Sighting[] {
  const label = labels(1);
  return times(count, (index) =>
    lookup(
      index * 0.2,
      `${label(60)}.${label(50)}.${domain}`,
      { qtype: "NULL", answers: ["x".repeat(120)] },
      settings,
    ));
}
