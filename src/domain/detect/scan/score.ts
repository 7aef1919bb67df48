// Scanning: one source tries many hosts or ports, and most attempts fail.
//
// Only failed attempts count (no answer, a refusal, no payload): clients that know a network reach open
// ports. Counted are distinct targets of one port (horizontal), distinct ports of one target (vertical) and
// distinct pairs of both (a sweep in random order), per hour and per day. A slow scan stays below the hourly
// threshold and is found by the daily one, which is higher.
//
// Score = base of the pattern + growth with the number + pace of the busiest hour. Each part only grows.
import { type DetectorInfo, type DetectorResult, REPORT_SCORE, type SubScore } from "../kernel/result.ts";
import { logShare, share, total } from "../kernel/score.ts";
import { countsOf, type Track, type TrackKind } from "../kernel/tracks.ts";
import { plural } from "../../../kit/text.ts";
import { type Pattern, PATTERNS, type ScanContext } from "./pattern.ts";
import { describeScan } from "./text.ts";

export const SCAN: DetectorInfo = {
  modelId: "scan",
  version: "4",
  title: "Scanning",
  technique: "T1046",
  kind: "reach",
  description: "A source that tries many hosts on one port, or many ports of a host, mostly without success.",
  meaning:
    "An intruder or a worm looks for hosts and services to attack next. Vulnerability scanners, inventory tools and print servers scan on purpose, and sources outside probe every public address.",
  checks: [
    "whether the source is an authorized scanner: then suppress it",
    "which of the hosts answered, and what followed the answer",
    "which program on the source scans, and who was logged on",
    "for a source outside, whether a service answered that should not be public",
  ],
  sources: "flows of failed attempts",
  baseline: "none",
  reports: ["many hosts on one port, many ports of one host, or both", "slow scans within a day"],
  ignores: [
    "successful connections",
    "failing DNS, mail and NTP attempts to external hosts",
    "`low` unless massive: peer-to-peer, also internal; dead web servers; scans from outside",
  ],
};

/** Multiples of the hourly threshold that give full growth, and full pace within one hour. */
const FULL_GROWTH = 60;
const FULL_PACE = 10;
/** Points that the score must rise to report again, unless the severity changes: about every doubling. */
const RISE = 5;
/** Points of one severity. */
const BAND = 20;

/** Null if the track is no scan, or adds too little to what was reported. */
export function evaluateScan(track: Track, context: ScanContext): DetectorResult | null {
  const pattern = PATTERNS[context.pattern];
  const { day: number, hour } = countsOf(track);
  const fast = hour >= pattern.hour;
  if (!fast && number < pattern.day) return null;
  const subScores = shares(pattern, context.kind, number, hour);
  const score = total(subScores);
  if (score < REPORT_SCORE || !isRise(score, track.reportedScore)) return null;
  const { deviceId, attempt, kind } = context;
  const target = kind === "target" ? attempt.server : null;
  const devices = [deviceId, target?.deviceId ?? null].filter((id) => id !== null);
  return {
    modelId: SCAN.modelId,
    modelVersion: SCAN.version,
    technique: kind === "source" ? "T1595" : attempt.port === null ? "T1018" : "T1046",
    at: track.last,
    firstSeen: track.first,
    lastSeen: track.last,
    deviceId,
    deviceIds: [...new Set(devices)],
    destinations: [destination(context)],
    groupKey: groupKey(context),
    ...describeScan(track, context, { number, hour, exact: track.day.exact, fast }),
    score,
    confidence: Math.round((0.5 + 0.45 * (subScores[1]?.value ?? 0)) * 100) / 100,
    subScores,
    modifiers: [],
    evidence: [...track.refs],
  };
}

function isRise(score: number, reported: number): boolean {
  return reported === 0 || score >= reported + RISE || Math.floor(score / BAND) > Math.floor(reported / BAND);
}

/** What a track of each kind counts. */
const COUNTED: Readonly<Record<TrackKind, string>> = {
  port: "distinct host",
  target: "distinct port",
  any: "host and port pair",
  source: "address and port pair",
};

function shares(
  { hour, day, base, growth, pace }: Pattern,
  kind: TrackKind,
  number: number,
  hourPeak: number,
): SubScore[] {
  const counted = (count: number) => plural(count, COUNTED[kind]);
  return [
    share("pattern", 1, base, "many distinct attempts failed"),
    share(
      "number",
      logShare(number, hour, hour * FULL_GROWTH),
      growth,
      `${counted(number)} (threshold: ${hour} per hour or ${day} per day)`,
    ),
    share(
      "pace",
      logShare(hourPeak, hour, hour * FULL_PACE),
      pace,
      `${counted(hourPeak)} in the busiest hour`,
    ),
  ];
}

function destination({ kind, attempt }: ScanContext): DetectorResult["destinations"][number] {
  if (kind === "target") return { ip: attempt.server.ip, name: null, port: null };
  if (kind === "source") return { ip: attempt.client.ip, name: null, port: null };
  return { ip: null, name: null, port: kind === "port" ? attempt.port : null };
}

/** All outside sources share one key: a reachable network gets one incident, not one per source. */
function groupKey({ deviceId, kind, attempt }: ScanContext): string {
  if (kind === "source") return "from outside";
  if (kind === "target") return `${deviceId}|target ${attempt.server.ip}`;
  return `${deviceId}|${kind === "any" ? "sweep" : `${attempt.proto} ${attempt.port ?? "echo"}`}`;
}
