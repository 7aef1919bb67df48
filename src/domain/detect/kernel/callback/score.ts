// Scores the rhythm of one channel: a device that contacts one service of one peer again and again.
//
// Score = four shares times their points, plus modifiers, capped by CAPS. The shares add up to 80 points, so
// a rhythm alone is `high` at most, never `critical`: update checks and gadgets that contact a vendor that no
// other device here uses are perfectly regular, too. Other detectors' results about the same device raise the
// incident.
import type { ChannelState } from "./channel.ts";
import {
  type BeaconContext,
  describeBeacon,
  describeStrobe,
  deviationText,
  pace,
  peerLabel,
} from "./text.ts";
import {
  contextModifiers,
  FULL_CALLBACKS,
  isNewPeer,
  KEPT_ALIVE_PORTS,
  MIN_CALLBACKS,
  points,
} from "./modifiers.ts";
import { measure, type Rhythm } from "./rhythm.ts";
import { RESOLVER_PORTS } from "./candidate.ts";
import {
  type DetectorInfo,
  type DetectorResult,
  REPORT_SCORE,
  roundScore,
  type SubScore,
} from "../result.ts";
import { extra, logShare, share } from "../score.ts";
import { clamp01 } from "../stats.ts";
import { duration, percent, plural, size } from "../../../../kit/text.ts";

/** Points of a full share: regular intervals, similar sizes, even spread over time, duration. */
const WEIGHTS = { intervals: 32, sizes: 16, evenness: 12, duration: 20 } as const;
/** Shorter periods are not a callback rhythm; a faster one may be a strobe. */
const MIN_PERIOD_SECONDS = 1;
/**
 * Below this regularity the intervals look random; 50 % jitter (half to the whole of a sleep) reaches 0.76. A
 * few random intervals look regular by chance more often than many, so they must be more regular.
 */
const MIN_REGULARITY = { few: 0.8, full: 0.55 } as const;
/** Sum of the regularity of intervals and of sizes; uneven intervals with mixed sizes are human activity. */
const MIN_LIKENESS = 0.9;
/** From this median size on, connections are transfers, which backups make by the dozen, not callbacks. */
const MAX_CALLBACK_BYTES = 1_000_000;
/**
 * The most that a rhythm is worth by itself. To a name it is what every program that polls its vendor shows,
 * until the network's history is long enough to call the name new. Detectors of lookups describe them better.
 * A client that never received an answer got no command and sent nothing out. If the records have no names
 * (an exporter's), most rhythms go to one all the same, so they are capped like those, unless the host is
 * known to be new or the pace is too fast for a poll. A private address outside the configured networks is
 * mostly in the server room, which agents report to all day. Tunnels, calls and telephones keep their UDP
 * mapping open with one small packet every 15 to 120 s, for as long as they run.
 */
export const CAPS = {
  callbacks: 79,
  exported: 39,
  exportedOdd: 59,
  named: 39,
  lookups: 39,
  failed: 39,
  assumedInside: 39,
  keepalive: 39,
} as const;
/**
 * Polling programs wait at least this long between two connections; a faster client is receiving commands.
 */
const POLL_SECONDS = 10;
/** Sustained activity that is worth nothing, and the full share; logarithmic between. */
const DURATION_SECONDS = { none: 60, full: 12 * 3600 } as const;
/** Most bytes of a keepalive: one packet, the largest of them a SIP registration. */
const MAX_KEEPALIVE_BYTES = 1514;
/** Ports that decide the technique if the sensor does not know the protocol. */
export const WEB_PORTS: ReadonlySet<number> = new Set([80, 443, 8000, 8080, 8443]);

/**
 * A strobe: an endless series of similar connections within seconds of each other. Implants do it in
 * interactive use, as do broken programs, so it is reported separately and never above `cap`.
 */
export const STROBE = {
  connections: 100,
  /** Longest usual interval, seconds. */
  interval: 2,
  /** Minimum duration within the kept connections, or minimum number within the two newest hours. */
  seconds: 60,
  hourCount: 600,
  /** Longest silence as a share of the duration: a page load is followed by reading. */
  silence: 0.15,
  sizeRegularity: 0.75,
  base: 40,
  cap: 55,
} as const;

/** Looks for a rhythm, then for a strobe; null if there is nothing to report. */
export function evaluateBeacon(
  info: DetectorInfo,
  state: ChannelState,
  context: BeaconContext,
): DetectorResult | null {
  const rhythm = measure(state, context.proto);
  if (rhythm === null || state.refs.length === 0) return null;
  const periodic = evaluateRhythm(info, state, context, rhythm, []);
  // The cap of failed attempts was set for slow retries; hundreds within minutes are judged as a strobe.
  if (periodic !== null && state.failed < state.count) return periodic;
  const strobe = evaluateStrobe(info, state, context, rhythm);
  return periodic === null || (strobe !== null && strobe.score > periodic.score) ? strobe : periodic;
}

/** Looks for a rhythm only, with the caller's additional modifiers. */
export function evaluateCallbacks(
  info: DetectorInfo,
  state: ChannelState,
  context: BeaconContext,
  more: readonly SubScore[],
): DetectorResult | null {
  const rhythm = measure(state, context.proto);
  if (rhythm === null || state.refs.length === 0) return null;
  return evaluateRhythm(info, state, context, rhythm, more);
}

function evaluateRhythm(
  info: DetectorInfo,
  state: ChannelState,
  context: BeaconContext,
  rhythm: Rhythm,
  more: readonly SubScore[],
): DetectorResult | null {
  const { regularity, sizeRegularity } = rhythm;
  if (rhythm.beats < MIN_CALLBACKS || rhythm.period < MIN_PERIOD_SECONDS) return null;
  // The detector of exfiltration covers large transfers.
  if (rhythm.size !== null && rhythm.size > MAX_CALLBACK_BYTES) return null;
  if (regularity < minRegularity(rhythm.beats) || regularity + (sizeRegularity ?? 0.5) < MIN_LIKENESS) {
    return null;
  }

  const shares = subScores(rhythm, context);
  const modifiers = [...contextModifiers(context, state, rhythm.beats), ...more];
  const score = capped(shares, modifiers, ...capOf(context, state, rhythm));
  if (score < REPORT_SCORE) return null;
  // Few callbacks can look regular by chance: 10 give about 0.4, 40 about 0.9 of the regularity.
  const confidence = regularity * (1 - Math.exp(-rhythm.beats / 20));
  const texts = describeBeacon(state, context, rhythm);
  return resultOf(info, state, context, texts, { shares, modifiers, score, confidence });
}

function minRegularity(callbacks: number): number {
  const missing = clamp01((FULL_CALLBACKS - callbacks) / (FULL_CALLBACKS - MIN_CALLBACKS));
  return MIN_REGULARITY.full + (MIN_REGULARITY.few - MIN_REGULARITY.full) * missing;
}

function evaluateStrobe(
  info: DetectorInfo,
  state: ChannelState,
  context: BeaconContext,
  rhythm: Rhythm,
): DetectorResult | null {
  const recent = (state.hours.at(-1) ?? 0) + (state.hours.at(-2) ?? 0);
  const lasting = rhythm.span >= STROBE.seconds || recent >= STROBE.hourCount;
  const seconds = Math.max(rhythm.span, lasting ? STROBE.seconds : 0);
  if (RESOLVER_PORTS.has(context.peerPort)) return null;
  if (rhythm.connections < STROBE.connections || rhythm.usualInterval > STROBE.interval || !lasting) {
    return null;
  }
  if (rhythm.longestSilence > seconds * STROBE.silence) return null;
  // Unknown sizes are neutral: a sensor knows none of unanswered attempts.
  const sizes = rhythm.sizeRegularity;
  if (sizes !== null && sizes < STROBE.sizeRegularity) return null;

  const detail = `${plural(state.count, "connection")}, ${pace(rhythm)}`;
  const shares = [share("strobe", 1, STROBE.base, detail)];
  if (sizes !== null) shares.push(sizeShare(rhythm, sizes));
  const modifiers = contextModifiers(context, state, rhythm.connections);
  const score = capped(shares, modifiers, STROBE.cap, "a strobe alone");
  if (score < REPORT_SCORE) return null;
  const texts = describeStrobe(state, context, rhythm);
  return resultOf(info, state, context, texts, {
    shares,
    modifiers,
    score,
    confidence: 0.6 * (sizes ?? 0.5),
  });
}

function capOf(
  context: BeaconContext,
  state: ChannelState,
  { period, size: sent }: Rhythm,
): [most: number, what: string] {
  if (RESOLVER_PORTS.has(context.peerPort)) return [CAPS.lookups, "a rhythm of lookups alone"];
  if (state.failed === state.count) {
    return [CAPS.failed, "a rhythm of attempts that never received any data"];
  }
  const kept = context.proto === "udp" ? KEPT_ALIVE_PORTS.get(context.peerPort) : undefined;
  if (kept !== undefined && sent !== null && sent <= MAX_KEEPALIVE_BYTES) {
    return [CAPS.keepalive, `a rhythm of single packets, as a ${kept} sends them to stay connected,`];
  }
  if (context.peerInternal) {
    return [CAPS.assumedInside, "a rhythm alone to a private address that is not known to be outside"];
  }
  if (context.named && !isNewPeer(context, state)) {
    return [CAPS.named, "a rhythm alone to a name that is not known to be new here"];
  }
  if (context.exported || context.unnamed) {
    return period < POLL_SECONDS || isNewPeer(context, state)
      ? [CAPS.exportedOdd, "a rhythm seen only in records without names"]
      : [CAPS.exported, "polling of a host not known to be new, seen only in records without names,"];
  }
  return [CAPS.callbacks, "a rhythm alone"];
}

/** The sum, at most `most`; a modifier shows what the cap takes off. */
function capped(shares: readonly SubScore[], modifiers: SubScore[], most: number, what: string): number {
  const sum = points(shares) + points(modifiers);
  if (sum > most) modifiers.push(extra("cap", most - sum, `${what} scores at most ${most}`));
  return roundScore(Math.min(most, sum));
}

function subScores(rhythm: Rhythm, { requests }: BeaconContext): SubScore[] {
  const { period, bound, evenness, active, hoursInRow } = rhythm;
  const { none, full } = DURATION_SECONDS;
  const shares = [
    share(
      "interval_regularity",
      rhythm.regularity,
      WEIGHTS.intervals,
      `about one callback every ${duration(period)}, typically ${deviationText(rhythm)} early or late` +
        (bound === null ? "" : `, but hardly ever more than ${duration(bound)} apart`),
    ),
    share(
      "evenness",
      evenness,
      WEIGHTS.evenness,
      `callbacks spread ${percent(evenness)} evenly over the time observed`,
    ),
    share(
      "duration",
      logShare(active, none, full),
      WEIGHTS.duration,
      `${duration(active)} of sustained activity, in ${plural(hoursInRow, "consecutive clock hour")}`,
    ),
  ];
  if (rhythm.sizeRegularity !== null) {
    return [...shares, sizeShare(rhythm, rhythm.sizeRegularity, requests && "request")];
  }
  // Unknown sizes are neutral: the other shares carry their points.
  const known = points(shares.map((item) => ({ ...item, value: 1 })));
  const scale = (known + WEIGHTS.sizes) / known;
  return shares.map((item) => ({ ...item, weight: Math.round(item.weight * scale * 10) / 10 }));
}

function sizeShare(rhythm: Rhythm, value: number, unit = "connection"): SubScore {
  const detail = `${size(rhythm.size ?? 0)} sent per ${unit}, sizes ${percent(value)} alike`;
  return share("size_regularity", value, WEIGHTS.sizes, detail);
}

interface Scored {
  shares: SubScore[];
  modifiers: SubScore[];
  score: number;
  /** 0 to 1. */
  confidence: number;
}

function resultOf(
  info: DetectorInfo,
  state: ChannelState,
  context: BeaconContext,
  texts: Pick<DetectorResult, "title" | "phrase" | "summary" | "explanation">,
  { shares, modifiers, score, confidence }: Scored,
): DetectorResult {
  return {
    modelId: info.modelId,
    modelVersion: info.version,
    technique: techniqueOf(context),
    at: state.lastSeen,
    firstSeen: state.firstSeen,
    lastSeen: state.lastSeen,
    deviceId: context.deviceId,
    deviceIds: [context.deviceId],
    destinations: [{ ip: context.peerIp, name: context.peerName, port: context.peerPort }],
    groupKey: `${context.deviceId}|${context.peerIp}`,
    subject: `${context.deviceName} to ${peerLabel(context)}/${context.proto}`,
    ...texts,
    score,
    confidence: Math.round(clamp01(confidence) * 100) / 100,
    subScores: shares,
    modifiers,
    evidence: state.refs.list(),
  };
}

/** Application layer protocol, narrowed to web or DNS by the service or the port. */
function techniqueOf({ service, peerPort }: BeaconContext): string {
  if (RESOLVER_PORTS.has(peerPort) || service === "dns" || service === "doh2") return "T1071.004";
  const web = /\b(http|https|http2|ssl|tls|quic)\b/;
  if (service !== null ? web.test(service) : WEB_PORTS.has(peerPort)) return "T1071.001";
  return "T1071";
}
