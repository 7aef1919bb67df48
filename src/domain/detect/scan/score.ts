// Scanning: one source that tries many doors, most of which are shut.
//
// Only attempts that came to nothing count (no answer, a refusal, not one byte said): who knows a network finds the
// doors open. What is counted are distinct targets of one port (horizontal), distinct ports of one target (vertical),
// and distinct pairs of both (a sweep in random order), within an hour and within a day: who scans slowly stays below
// the hour's threshold and is found by the day's, which is higher.
//
// Score = base of the pattern + growth with the number + pace of the busiest hour. Each part only grows.
import type { Attempt } from "../kernel/attempt.ts";
import { countsOf, type Track, type TrackSort } from "../kernel/tracks.ts";
import {
  type DetectorInfo,
  type DetectorResult,
  REPORT_SCORE,
  roundScore,
  type SubScore,
} from "../kernel/result.ts";
import { describeScan } from "./text.ts";
import { clamp01 } from "../kernel/stats.ts";
import { plural } from "../kernel/wording.ts";

export const SCAN: DetectorInfo = {
  modelId: "scan",
  version: "2",
  title: "Scanning",
  technique: "T1046",
  kind: "reach",
  description: "A source that tries many hosts on one port, or many ports of a host, mostly in vain.",
};

interface Pattern {
  /** Distinct failures within an hour that make a scan, and within a day. */
  hour: number;
  day: number;
  /** Points of the pattern as such, and what number and pace may add. */
  base: number;
  growth: number;
  pace: number;
}

export type PatternName = keyof typeof PATTERNS;

/**
 * How much is suspicious depends on where: inside, everybody's services are known, and a handful of dead hosts is all
 * that a workstation meets in a day. Outside, unanswered web servers are part of browsing (and of a proxy's day), and
 * peer-to-peer programs try hundreds of peers on high ports: both stay `low` but for masses.
 */
const PATTERNS = {
  insidePort: { hour: 15, day: 25, base: 32, growth: 35, pace: 10 },
  /** Nothing tells silence from a sensor that sees one side only, and monitoring asks by UDP. */
  insideUdp: { hour: 15, day: 25, base: 24, growth: 35, pace: 10 },
  /** Programs that share updates and files with their like, on the word of a server outside; half of these are switched off. */
  insidePeers: { hour: 40, day: 100, base: 20, growth: 14, pace: 4 },
  insidePing: { hour: 40, day: 100, base: 20, growth: 25, pace: 5 },
  insideTarget: { hour: 20, day: 30, base: 32, growth: 26, pace: 8 },
  insideSweep: { hour: 200, day: 400, base: 42, growth: 25, pace: 8 },
  outsideService: { hour: 20, day: 40, base: 30, growth: 35, pace: 10 },
  outsideWeb: { hour: 200, day: 1000, base: 20, growth: 20, pace: 4 },
  outsideOther: { hour: 100, day: 400, base: 20, growth: 14, pace: 4 },
  outsideTarget: { hour: 25, day: 50, base: 28, growth: 24, pace: 8 },
  /** An outside source at our addresses: daily life of whoever is reachable, never more than `low`. */
  fromOutside: { hour: 100, day: 300, base: 20, growth: 14, pace: 4 },
} as const satisfies Record<string, Pattern>;

/** So many times the threshold give the full growth, and within one hour the full pace. */
const FULL_GROWTH = 60;
const FULL_PACE = 10;
/** A result is given again where its score has risen by so much: on each further doubling or so, not on every flow. */
const RISE = 5;

const WEB_PORTS: ReadonlySet<number> = new Set([80, 443, 8080, 8443]);
/**
 * Below 1024 everything but these is a service that is worth scanning for; names and mail are looked for in vain all day
 * by resolvers and mail servers, time by every clock.
 */
const ASKED_IN_VAIN: ReadonlySet<number> = new Set([25, 53, 123, 465, 587, 853]);
/** Above 1024: databases, remote control, and what botnets look for. */
const SCANNED_PORTS: ReadonlySet<number> = new Set([
  1080,
  1433,
  1434,
  1521,
  2049,
  2222,
  2323,
  2375,
  3128,
  3306,
  3389,
  4899,
  5060,
  5432,
  5555,
  5900,
  5985,
  5986,
  6379,
  7547,
  8291,
  9200,
  11211,
  27017,
  37215,
]);
/** Inside: Windows' Delivery Optimization, Dropbox, Syncthing, Steam, Spotify. Nobody scans for these. */
const PEERS_INSIDE: ReadonlySet<number> = new Set([7680, 17_500, 22_000, 27_036, 57_621]);
/** UDP outside: programs look for peers in vain on all other ports (QUIC, games, calls, file sharing). */
const SCANNED_UDP: ReadonlySet<number> = new Set([17, 19, 69, 111, 161, 389, 623, 1434, 5060, 11211]);
/** UDP that hosts of a network call to each other at random; none of it tells a scan. */
const LOCAL_UDP: ReadonlySet<number> = new Set([67, 68, 123, 137, 138, 546, 547, 1900, 3702, 5353, 5355]);
/** Above this are clients' ports: who meets them shut answers late, or is answered late. */
const MAX_SERVICE_PORT = 32_767;

/** What the attempts on this port of different hosts mean; null where they mean nothing. */
export function portPattern({ port, proto }: Attempt, inside: boolean): PatternName | null {
  if (port === null) return inside ? "insidePing" : null;
  if (inside && PEERS_INSIDE.has(port)) return "insidePeers";
  if (port > MAX_SERVICE_PORT) return inside && proto === "tcp" ? "insidePort" : null;
  if (proto === "udp") {
    if (LOCAL_UDP.has(port)) return null;
    if (inside) return port < 1024 || SCANNED_PORTS.has(port) ? "insideUdp" : null;
    return SCANNED_UDP.has(port) ? "outsideService" : null;
  }
  if (inside) return "insidePort";
  if (WEB_PORTS.has(port)) return "outsideWeb";
  if (ASKED_IN_VAIN.has(port)) return null;
  return port < 1024 || SCANNED_PORTS.has(port) ? "outsideService" : "outsideOther";
}

/** What the attempts on different ports of one host mean. */
export function targetPattern({ port, proto }: Attempt, inside: boolean): PatternName | null {
  if (port === null || port > MAX_SERVICE_PORT) return null;
  if (proto === "udp" && (!inside || LOCAL_UDP.has(port))) return null;
  return inside ? "insideTarget" : "outsideTarget";
}

/** Everything that the texts and the score need beside the track. */
export interface ScanContext {
  pattern: PatternName;
  sort: TrackSort;
  /** The device that scans; null where an outside source does. */
  deviceId: string | null;
  sourceName: string;
  /** The attempt that was just added. */
  attempt: Attempt;
  targetName: string;
}

/** Judges a track; null where it is no scan, or nothing more than what was reported. */
export function evaluateScan(track: Track, context: ScanContext): DetectorResult | null {
  const limits = PATTERNS[context.pattern];
  const { day: number, hour } = countsOf(track);
  const fast = hour >= limits.hour;
  if (!fast && number < limits.day) return null;
  const subScores = parts(limits, number, hour);
  const score = roundScore(subScores.reduce((sum, part) => sum + part.value * part.weight, 0));
  if (score < REPORT_SCORE || (track.reported > 0 && score < track.reported + RISE)) return null;
  const { deviceId, attempt, sort } = context;
  const target = sort === "target" ? attempt.server : null;
  const devices = [deviceId, target?.deviceId ?? null].filter((id) => id !== null);
  const texts = describeScan(track, context, {
    number,
    hour,
    exact: track.day.exact,
    fast,
  });
  return {
    modelId: SCAN.modelId,
    modelVersion: SCAN.version,
    technique: sort === "source" ? "T1595" : attempt.port === null ? "T1018" : "T1046",
    at: track.last,
    firstSeen: track.first,
    lastSeen: track.last,
    deviceId,
    deviceIds: [...new Set(devices)],
    destinations: [destination(context)],
    groupKey: groupKey(context),
    ...texts,
    score,
    confidence: Math.round((0.5 + 0.45 * (subScores[1]?.value ?? 0)) * 100) / 100,
    subScores,
    modifiers: [],
    evidence: [...track.refs],
  };
}

function parts(limits: Pattern, number: number, hourPeak: number): SubScore[] {
  return [
    {
      name: "pattern",
      value: 1,
      weight: limits.base,
      detail: "many different attempts that came to nothing",
    },
    {
      name: "number",
      value: logShare(number, limits.hour, FULL_GROWTH),
      weight: limits.growth,
      detail:
        `${number} different ones, where ${limits.hour} in an hour or ${limits.day} in a day are remarkable`,
    },
    {
      name: "pace",
      value: logShare(hourPeak, limits.hour, FULL_PACE),
      weight: limits.pace,
      detail: `${plural(hourPeak, "different one")} in the busiest hour`,
    },
  ];
}

/** 0 up to `from`, 1 at `times` as many; logarithmic between. */
function logShare(count: number, from: number, times: number): number {
  return Math.round(clamp01(Math.log(Math.max(count, 1) / from) / Math.log(times)) * 1000) / 1000;
}

function destination({ sort, attempt }: ScanContext): DetectorResult["destinations"][number] {
  if (sort === "target") return { ip: attempt.server.ip, name: null, port: null };
  if (sort === "source") return { ip: attempt.client.ip, name: null, port: null };
  return { ip: null, name: null, port: sort === "port" ? attempt.port : null };
}

/** All of what outside sources do is one story, so that a reachable network has not one incident for each of them. */
function groupKey({ deviceId, sort, attempt }: ScanContext): string {
  if (sort === "source") return "from outside";
  if (sort === "target") return `${deviceId}|target ${attempt.server.ip}`;
  return `${deviceId}|${sort === "any" ? "sweep" : `${attempt.proto} ${attempt.port ?? "echo"}`}`;
}
