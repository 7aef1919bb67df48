// Guessing passwords: many failed log-ons of one source, be it one account's many passwords on one server, one password
// for many accounts ("spraying"), or the same on many servers; and what leads to guessing them elsewhere (tickets under
// weak encryption).
//
// Only records that tell a failure count as such. A session that only a flow tells of may be anybody's script, so that
// alone stays `low`. Score = base of the pattern + growth with the number, plus what followed: a log-on that worked.
import {
  type DetectorInfo,
  type DetectorResult,
  REPORT_SCORE,
  roundScore,
  type SubScore,
} from "../kernel/result.ts";
import { describeBruteForce } from "./text.ts";
import type { Logon, LogonService } from "./logon.ts";
import { countsOf, type Track } from "../kernel/tracks.ts";
import { clamp01 } from "../kernel/stats.ts";

export const BRUTE_FORCE: DetectorInfo = {
  modelId: "brute-force",
  version: "2",
  title: "Password guessing",
  technique: "T1110",
  kind: "reach",
  description: "A source whose log-ons fail again and again, for many accounts, or on many servers.",
};

export type Story = keyof typeof STORIES;

/** In an hour and in a day: different failures, accounts, servers or tickets, that are remarkable. */
const STORIES = {
  /** People mistype, but not twenty times. */
  guessing: { hour: 20, day: 60, base: 30, growth: 30, full: 50, technique: "T1110.001" },
  /** A service or a phone with an old password fails all day. */
  kerberos: { hour: 30, day: 200, base: 22, growth: 26, full: 50, technique: "T1110.001" },
  /** Daily life of whatever can be reached from the Internet, never more than `low`. */
  fromOutside: { hour: 20, day: 60, base: 20, growth: 15, full: 100, technique: "T1110.001" },
  accounts: { hour: 10, day: 20, base: 36, growth: 30, full: 20, technique: "T1110.003" },
  servers: { hour: 8, day: 15, base: 36, growth: 30, full: 20, technique: "T1110.003" },
  /** Sessions with strangers' SSH servers of which none is known to have worked. */
  strangers: { hour: 15, day: 30, base: 30, growth: 28, full: 15, technique: "T1110" },
  tickets: { hour: 15, day: 40, base: 26, growth: 26, full: 10, technique: "T1558.003" },
  /** Flows of the size of a failed log-on; a script that works looks alike. */
  blind: { hour: 100, day: 600, base: 20, growth: 18, full: 30, technique: "T1110" },
} as const;

/** Points for a log-on that works after so many failures. */
const SUCCESS: Readonly<Partial<Record<LogonService, number>>> = { SSH: 25, SMB: 15 };
/** A result is given again where its score has risen by so much. */
const RISE = 5;

export interface BruteContext {
  story: Story;
  logon: Logon;
  /** Whom it is about: the source where it is a device, else the device that is tried. */
  deviceId: string | null;
  deviceIds: string[];
  sourceName: string;
  sourceIp: string;
  serverIp: string;
  serverName: string;
  port: number | null;
  /** The source is no device of the site. */
  outside: boolean;
}

/** Null where there are too few, or no more than was reported. */
export function evaluateBruteForce(track: Track, context: BruteContext): DetectorResult | null {
  const { story, logon, deviceId } = context;
  const limits = STORIES[story];
  const { day: number, hour } = countsOf(track);
  if (hour < limits.hour && number < limits.day) return null;
  const subScores: SubScore[] = [
    { name: "pattern", value: 1, weight: limits.base, detail: PATTERN[story] },
    {
      name: "number",
      value: share(Math.log(Math.max(1, number / limits.hour)) / Math.log(limits.full)),
      weight: limits.growth,
      detail: `${number}, where ${limits.hour} in an hour or ${limits.day} in a day are remarkable`,
    },
  ];
  const modifiers: SubScore[] = [];
  const gained = logon.outcome === "succeeded" ? SUCCESS[logon.service] ?? 0 : 0;
  if (gained > 0) {
    const detail = `then a log-on by ${logon.service} worked`;
    modifiers.push({ name: "success_after_failures", value: gained, weight: 1, detail });
  }
  const score = roundScore(
    [...subScores, ...modifiers].reduce((sum, one) => sum + one.value * one.weight, 0),
  );
  if (score < REPORT_SCORE || (track.reported > 0 && score < track.reported + RISE)) return null;
  return {
    modelId: BRUTE_FORCE.modelId,
    modelVersion: BRUTE_FORCE.version,
    technique: logon.weakTicket?.technique ?? limits.technique,
    at: track.last,
    firstSeen: track.first,
    lastSeen: track.last,
    deviceId,
    deviceIds: context.deviceIds,
    destinations: [destination(context)],
    groupKey: groupKey(context),
    ...describeBruteForce(track, context, number),
    score,
    confidence: Math.round((story === "blind" ? 0.3 : 0.5 + 0.4 * subScores[1]!.value) * 100) / 100,
    subScores,
    modifiers,
    evidence: [...track.refs],
  };
}

const PATTERN: Readonly<Record<Story, string>> = {
  guessing: "failed log-ons of one source on one server",
  kerberos: "failed requests of one source for a ticket",
  fromOutside: "failed log-ons from outside",
  accounts: "failed log-ons of one source for different accounts",
  servers: "failed log-ons of one source on different servers",
  strangers: "SSH sessions with different servers outside, none known to have worked",
  tickets: "different tickets under weak encryption",
  blind: "short sessions of the size of a failed log-on, of which only flows tell",
};

function destination(
  { story, outside, sourceIp, serverIp, port }: BruteContext,
): DetectorResult["destinations"][number] {
  if (outside) return { ip: sourceIp, name: null, port: null };
  const many = story === "servers" || story === "strangers";
  return { ip: many ? null : serverIp, name: null, port };
}

/** All outside sources that try one device are one story. */
function groupKey({ story, outside, deviceId, logon, serverIp }: BruteContext): string {
  if (outside) return `${deviceId ?? serverIp}|${logon.service} from outside`;
  if (story === "guessing" || story === "kerberos" || story === "blind") {
    return `${deviceId}|${logon.service} ${serverIp}`;
  }
  return `${deviceId}|${story} ${logon.service}`;
}

function share(value: number): number {
  return Math.round(clamp01(value) * 1000) / 1000;
}
