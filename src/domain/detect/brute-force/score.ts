// Password guessing: many failed logons of one source, with many passwords for one account, one password for
// many accounts ("spraying") or on many servers; and requests for weakly encrypted tickets, whose passwords
// are guessed offline.
//
// Only records that report a failure count as failures. Sessions known from flows alone may be scripts that
// work, so they stay `low`. Score = base of the pattern + growth with the number + points for a later
// successful logon.
import { type DetectorInfo, type DetectorResult, REPORT_SCORE, type SubScore } from "../kernel/result.ts";
import { extra, logShare, share, total } from "../kernel/score.ts";
import { countsOf, type Track } from "../kernel/tracks.ts";
import type { LogonService } from "./logon.ts";
import { type BruteContext, type GuessPattern, PATTERNS } from "./pattern.ts";
import { describeBruteForce } from "./text.ts";

export const BRUTE_FORCE: DetectorInfo = {
  modelId: "brute-force",
  version: "3",
  title: "Password guessing",
  technique: "T1110",
  kind: "reach",
  description: "A source whose logons fail repeatedly, for many accounts, or on many servers.",
  meaning:
    "A program guesses passwords, or one that was changed is still stored somewhere. Services that are reachable from outside are tried all day; what matters is whether a logon succeeded.",
  checks: [
    "whether a logon succeeded after the failures: in the incident's records and in the server's own log",
    "which accounts were tried, and whether they exist",
    "whether a script, a backup or a mail program with an old password explains it",
    "whether the service must be reachable from where the source is",
  ],
  sources: "SSH, Kerberos, SMB; flows of the size of a failed logon",
  baseline: "none",
  reports: [
    "guessed passwords",
    "one password tried for many accounts, or on many servers",
    "tickets requested with weak encryption",
  ],
  ignores: [
    "a few mistyped passwords",
    "`low` at most: what only flows show, and guessing from outside unless a logon succeeds",
  ],
};

/** Points for a successful logon after that many failures. */
const SUCCESS: Readonly<Partial<Record<LogonService, number>>> = { SSH: 25, SMB: 15 };
/** Points that the score must rise to report again. */
const RISE = 5;

/** Null if there are too few failures, or too few more than were reported. */
export function evaluateBruteForce(track: Track, context: BruteContext): DetectorResult | null {
  const { pattern, logon, deviceId } = context;
  const limits = PATTERNS[pattern];
  const { day: number, hour } = countsOf(track);
  if (hour < limits.hour && number < limits.day) return null;
  const subScores: SubScore[] = [
    share("pattern", 1, limits.base, PATTERN_DETAIL[pattern]),
    share(
      "number",
      logShare(number, limits.hour, limits.hour * limits.full),
      limits.growth,
      `${number} (threshold: ${limits.hour} per hour or ${limits.day} per day)`,
    ),
  ];
  const gained = logon.outcome === "succeeded" ? SUCCESS[logon.service] ?? 0 : 0;
  const modifiers = gained === 0
    ? []
    : [extra("success_after_failures", gained, `a later ${logon.service} logon succeeded`)];
  const score = total(subScores, modifiers);
  if (score < REPORT_SCORE || (track.reportedScore > 0 && score < track.reportedScore + RISE)) return null;
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
    confidence: Math.round((pattern === "blind" ? 0.3 : 0.5 + 0.4 * subScores[1]!.value) * 100) / 100,
    subScores,
    modifiers,
    evidence: [...track.refs],
  };
}

const PATTERN_DETAIL: Readonly<Record<GuessPattern, string>> = {
  guessing: "failed logons of one source on one server",
  kerberos: "failed ticket requests of one source",
  fromOutside: "failed logons from outside",
  accounts: "failed logons of one source for different accounts",
  servers: "failed logons of one source on different servers",
  strangers: "SSH sessions with different servers outside, none known to have succeeded",
  tickets: "different weakly encrypted tickets",
  blind: "short sessions of the size of a failed logon, known from flows only",
};

function destination(
  { pattern, outside, sourceIp, serverIp, port }: BruteContext,
): DetectorResult["destinations"][number] {
  if (outside) return { ip: sourceIp, name: null, port: null };
  const many = pattern === "servers" || pattern === "strangers";
  return { ip: many ? null : serverIp, name: null, port };
}

/** All outside sources that try one device share a key. */
function groupKey({ pattern, outside, deviceId, logon, serverIp }: BruteContext): string {
  if (outside) return `${deviceId ?? serverIp}|${logon.service} from outside`;
  if (pattern === "guessing" || pattern === "kerberos" || pattern === "blind") {
    return `${deviceId}|${logon.service} ${serverIp}`;
  }
  return `${deviceId}|${pattern} ${logon.service}`;
}
