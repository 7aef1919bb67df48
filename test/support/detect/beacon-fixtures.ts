// Series of connections for the beacon tests: recorded ones as seconds between starts, and synthetic ones.
import fc from "fast-check";
import { BEACON } from "../../../src/domain/detect/beacon/detector.ts";
import {
  addConnection,
  type ChannelPoint,
  type ChannelState,
  emptyChannel,
  isDue,
  markEvaluated,
  nameChannel,
} from "../../../src/domain/detect/kernel/callback/channel.ts";
import { evaluateBeacon } from "../../../src/domain/detect/kernel/callback/score.ts";
import type { BeaconContext } from "../../../src/domain/detect/kernel/callback/text.ts";
import type { DetectorResult } from "../../../src/domain/detect/kernel/result.ts";

export const SECOND = 1_000_000;
export const T0 = 1_600_000_000 * SECOND;

export function uuid(index: number, variant = 8): string {
  return `00000000-0000-4000-${variant}000-${index.toString(16).padStart(12, "0")}`;
}

export function point(index: number, seconds: number, more: Partial<ChannelPoint> = {}): ChannelPoint {
  const start = T0 + Math.round(seconds * SECOND);
  return {
    start,
    end: start,
    srcPort: 40_000 + index,
    bytesOut: 587,
    failed: false,
    evidenceId: uuid(index),
    flowId: uuid(index, 9),
    ...more,
  };
}

/** Connections with these waits between their starts, in seconds. */
export function series(
  waits: readonly number[],
  more: (index: number) => Partial<ChannelPoint> = () => ({}),
) {
  let at = 0;
  return [0, ...waits].map((wait, index) => point(index, at += wait, more(index)));
}

const anyPoint = fc.record({
  seconds: fc.double({ min: 0, max: 72_000, noNaN: true }),
  length: fc.nat(1_000_000_000),
  srcPort: fc.option(fc.integer({ min: 0, max: 65_535 })),
  bytesOut: fc.option(fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER })),
  failed: fc.boolean(),
});

/** Connections within 20 hours, in any order. */
export function anyPoints(max: number): fc.Arbitrary<ChannelPoint[]> {
  return fc.array(anyPoint, { minLength: 1, maxLength: max, size: "max" }).map((all) =>
    all.map(({ seconds, length, ...rest }, index) => {
      const made = point(index, seconds, rest);
      return { ...made, end: made.start + length };
    })
  );
}

export function channelOf(points: readonly ChannelPoint[], names: readonly string[] = []): ChannelState {
  const state = points.reduce(addConnection, emptyChannel());
  for (const name of names) nameChannel(state, name, T0);
  return state;
}

export const anyChannel: fc.Arbitrary<ChannelState> = fc.tuple(
  anyPoints(200),
  fc.array(fc.domain(), { maxLength: 2 }),
  fc.boolean(),
).map(([points, names, knownNameless]) => ({ ...channelOf(points, names), knownNameless }));

/** A channel with all kinds of values. */
export function sampleChannel(): ChannelState {
  const points = times(3, (index) => ({
    ...point(index, index * 60, { failed: index === 2 }),
    end: T0 + index * 60 * SECOND + 1000,
    srcPort: index === 1 ? null : 40_000 + index,
    bytesOut: index === 2 ? null : 587,
  }));
  const state = channelOf(points);
  nameChannel(state, "news.maker.example", T0 - 1_000_000 * SECOND);
  return { ...state, knownNameless: true, lastEvaluatedCount: 2 };
}

export const CONTEXT: BeaconContext = {
  deviceId: "device-1",
  deviceName: "ws-7",
  peerIp: "198.51.100.9",
  peerPort: 443,
  peerName: null,
  byName: false,
  named: false,
  exported: false,
  unnamed: false,
  proto: "tcp",
  service: null,
  peerInternal: false,
  prevalence: 1,
  deviceCount: 3,
  firstSeenPeerAt: null,
  historySince: null,
};

interface Played {
  state: ChannelState;
  results: DetectorResult[];
  best: DetectorResult | null;
}

/** Feeds connections one by one, as the pipeline does. */
export function play(points: readonly ChannelPoint[], context: Partial<BeaconContext> = {}): Played {
  let state = emptyChannel();
  const results: DetectorResult[] = [];
  for (const next of points) {
    state = addConnection(state, next);
    if (!isDue(state)) continue;
    const result = evaluateBeacon(BEACON, state, { ...CONTEXT, ...context });
    state = markEvaluated(state);
    if (result !== null) results.push(result);
  }
  const best = results.reduce<DetectorResult | null>((a, b) => a === null || b.score > a.score ? b : a, null);
  return { state, results, best };
}

/** A reproducible source of numbers from 0 to 1. */
export function random(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return (state + 0.5) / 2 ** 32;
  };
}

export function times<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

/** HTTP POST / to 188.173.32.149:91, sample of the brobeat project: one callback a minute, often doubled. */
// deno-fmt-ignore
export const BROBEAT = [
  5.2, 0.5, 0, 61.1, 55.8, 0, 61.9, 10.4, 0, 3.5, 77.9, 93.3, 0, 108.2, 0, 0.6, 0, 61.9, 54.5, 0, 61.6, 55.6, 0,
  61.9, 55.8, 0, 61.8, 56, 0, 61.6, 55.5, 0, 61.4, 55.6, 0, 23.5, 38.2, 55.6, 0, 61.7, 55.6, 61.5, 0.6, 0, 62.6,
  54.5, 62.6, 53.6, 63.5, 53.6, 0, 61.4, 56.5, 0, 61.7, 56.4, 0, 61.4, 0.6, 0, 0.6, 61.1, 55.4, 62.5, 53.8, 52.2,
  10.2, 54.5, 62.1, 54.3, 62.7, 53.8, 62.5, 53.6, 62, 54.6, 63.1, 53.2, 62.6, 53.4, 62.7, 53.9, 62.5, 54.9, 0, 61.7,
  55.7, 0, 61.5, 0.6, 0, 0.6, 30.1, 31.7, 51.6, 64.4, 50.3, 64, 51.9, 0, 61.5, 56.2, 0.1, 61.7, 55.8, 0, 61.5, 55.6,
  0, 61, 56.6, 0, 60.3, 57.3, 0, 59.9, 57.5, 0.3, 60.7, 56.2, 0.5, 0.1, 71.4, 45.5, 117.2,
];

/** Queries of the Saitama implant to its internal resolver, recorded by Fox-IT; three long pauses. */
// deno-fmt-ignore
export const SAITAMA = [
  62.5, 42.9, 61, 74.5, 77.7, 62, 78.2, 76.3, 50, 44, 76.4, 79, 62.4, 75.6, 44.8, 44.8, 61.5, 54, 42.8, 59.4, 41.6,
  61, 60.5, 67.7, 64.3, 49.5, 60.2, 79.3, 48.4, 54.2, 54.1, 66.8, 48.1, 50.7, 46.3, 67.3, 44.5, 75.4, 43.5, 43.9,
  65.7, 79.3, 76.2, 75.5, 70.8, 68.1, 2655.3, 70.7, 69, 54.1, 59.7, 64.6, 50.6, 62.1, 45, 50.9, 75.9, 54.1, 56, 74.2,
  78.3, 70.2, 43, 72.8, 44.7, 54.5, 69.8, 46.1, 54.8, 65.5, 53.4, 65.9, 11.1, 351.8, 49.7, 69.8, 59.1, 73.2, 43.1,
  42.4, 52.9, 48.8, 56, 65.8, 46.8, 50.9, 43.5, 51.9, 46.5, 79.4, 48.6, 73.3, 43, 65.5, 61.3, 66.7, 43.7, 41.9, 56.8,
  77.3, 40.1, 342.5, 64.9, 53.9, 62.3, 62.9, 45.5, 51, 58.5,
];

/**
 * A session that keeps itself alive while a person reads, m57 2009-11-18, 192.168.1.104 to 151.207.240.23:80.
 */
// deno-fmt-ignore
export const WEB_SESSION = [
  333.6, 458.6, 327.3, 259.5, 37.3, 310.4, 101.3, 261.3, 19.1, 416.7, 296.6, 76.9, 421.4, 337.7, 236.8, 141.8, 381.8,
  8.7, 316.1, 354.3, 377.8, 322.3, 116.4, 237.9, 209, 208.3, 3862.8,
];
// deno-fmt-ignore
export const WEB_SESSION_BYTES = [
  1444, 6274, 1523, 1480, 5343, 674, 80, 5332, 3601, 2182, 1916, 3502, 2539, 1456, 2831, 715, 2252, 2161, 2471, 1823,
  1974, 5519, 2344, 3047, 715, 18984, 2373, 2365,
];

/**
 * The polling of a Meterpreter session in use (APT29 day 1, 10.0.1.6 to 192.168.0.4:8443): several at once,
 * then waits that grow by a tenth of a second until the next command.
 */
export const METERPRETER = times(30, () => [0, 0, 0, 0.1, 0, ...times(13, (step) => (step + 1) / 10)]).flat();
