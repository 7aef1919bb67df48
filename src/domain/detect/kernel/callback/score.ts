// Periodic callbacks ("beaconing") from one device to one service of one peer.
//
// Score = sum of four shares times their points, plus modifiers, held below `CAPS`. The shares add up to 80 points: a rhythm
// is `high` at most, never `critical`, because update checks and gadgets that call their maker have a perfect one, too, and a
// maker that nobody else here buys from; what makes it worse is what others find about the same device.
import type { ChannelState } from "./channel.ts";
import { type BeaconContext, describeBeacon, describeStrobe, deviationOf, pace, peerLabel } from "./text.ts";
import { contextModifiers, FULL_CALLBACKS, isNewPeer, MIN_CALLBACKS, points } from "./modifiers.ts";
import { measure, type Rhythm } from "./rhythm.ts";
import { RESOLVER_PORTS } from "./candidate.ts";
import {
  type DetectorInfo,
  type DetectorResult,
  REPORT_SCORE,
  roundScore,
  type SubScore,
} from "../result.ts";
import { clamp01 } from "../stats.ts";
import { duration, percent, plural, size } from "../wording.ts";

export type { BeaconContext } from "./text.ts";
export {
  addConnection,
  type ChannelPoint,
  type ChannelState,
  emptyChannel,
  isDue,
  markEvaluated,
  nameChannel,
} from "./channel.ts";
export { type BeaconFlow, isBeaconCandidate } from "./candidate.ts";
export { decodeChannel, encodeChannel } from "./codec.ts";

export const BEACON: DetectorInfo = {
  modelId: "beacon",
  version: "3",
  title: "Periodic callbacks",
  technique: "T1071",
  kind: "callback",
  description: "A device that contacts one service of one host again and again in a regular rhythm.",
};

/** Points of a full share each: how regular the intervals, how alike the sizes, how even over time, how long. */
const WEIGHTS = { intervals: 32, sizes: 16, evenness: 12, duration: 20 } as const;
/** Shorter periods are not a callback rhythm; what is faster is judged as a strobe. */
const MIN_PERIOD_SECONDS = 1;
/**
 * Below this regularity the intervals look random; half to the whole of a sleep (50 % jitter) reaches 0.76. Few random
 * intervals look regular by chance more often than many, so more is asked of them.
 */
const MIN_REGULARITY = { few: 0.8, full: 0.55 } as const;
/** Regularity of intervals and of sizes together; uneven intervals with mixed sizes are a person's work. */
const MIN_LIKENESS = 0.9;
/** Usual bytes of a connection from which on it is a transfer, as backups make them by the dozen, and no callback. */
const MAX_CALLBACK_BYTES = 1_000_000;
/**
 * The most that a rhythm is worth by itself. Towards a name it is what every program has that asks its maker for news, until
 * the network is known long enough to say that the name is new. Lookups are told better by those who look into the questions.
 * Who was never answered got no command, and took nothing out. Where the records know no names (an exporter's), most rhythms
 * go to one all the same: they are held as if they did, but where the host is known to be new, or the pace is none of a poll's.
 * A private address that nobody placed is mostly the server room's, and agents report there all day.
 */
export const CAPS = {
  callbacks: 79,
  exported: 39,
  exportedOdd: 59,
  named: 39,
  lookups: 39,
  fruitless: 39,
  assumedInside: 39,
} as const;
/** Programs that ask for news wait this long at least between two connections; who hurries more is being spoken to. */
const POLL_SECONDS = 10;
/** Sustained activity that is worth nothing, and that is worth the full share; logarithmic between. */
const DURATION_SECONDS = { none: 60, full: 12 * 3600 } as const;
/** Ports that name the technique where the sensor does not know the protocol. */
export const WEB_PORTS: ReadonlySet<number> = new Set([80, 443, 8000, 8080, 8443]);

/**
 * A strobe: new connections within seconds of each other without end, all alike. Implants do it when
 * interactive, broken programs too, so it is reported apart and never above `cap`.
 */
export const STROBE = {
  connections: 100,
  /** Longest usual interval, seconds. */
  interval: 2,
  /** It must last: so long within the kept connections, or so many within the two newest hours. */
  seconds: 60,
  hourCount: 600,
  /** Longest silence as a share of the time it lasts; a page load is followed by reading. */
  silence: 0.15,
  sizeRegularity: 0.75,
  base: 40,
  cap: 55,
} as const;

/** Judges a channel; `null` where there is nothing to report. A function of its arguments alone. */
export function evaluateBeacon(state: ChannelState, context: BeaconContext): DetectorResult | null {
  const rhythm = measure(state, context.proto);
  if (rhythm === null || state.refs.length === 0) return null;
  return judgeRhythm(state, context, rhythm, []) ?? strobe(state, context, rhythm);
}

/** Judges the rhythm alone, without looking for a strobe; `more` are modifiers that the caller knows of. */
export function evaluateCallbacks(
  state: ChannelState,
  context: BeaconContext,
  more: readonly SubScore[],
): DetectorResult | null {
  const rhythm = measure(state, context.proto);
  return rhythm === null || state.refs.length === 0 ? null : judgeRhythm(state, context, rhythm, more);
}

function judgeRhythm(
  state: ChannelState,
  context: BeaconContext,
  rhythm: Rhythm,
  more: readonly SubScore[],
): DetectorResult | null {
  const { regularity, sizeRegularity } = rhythm;
  if (rhythm.beats < MIN_CALLBACKS || rhythm.period < MIN_PERIOD_SECONDS) return null;
  // How much leaves in all is for others to judge.
  if (rhythm.size !== null && rhythm.size > MAX_CALLBACK_BYTES) return null;
  if (regularity < minRegularity(rhythm.beats) || regularity + (sizeRegularity ?? 0.5) < MIN_LIKENESS) {
    return null;
  }

  const shares = subScores(rhythm);
  const modifiers = [...contextModifiers(context, state, rhythm.beats), ...more];
  const score = capped(shares, modifiers, ...capOf(context, state, rhythm));
  if (score < REPORT_SCORE) return null;
  // Few callbacks can look regular by chance: 10 give about 0.4, 40 about 0.9 of the regularity.
  const confidence = regularity * (1 - Math.exp(-rhythm.beats / 20));
  return result(state, context, describeBeacon(state, context, rhythm), shares, modifiers, score, confidence);
}

function minRegularity(callbacks: number): number {
  const missing = clamp01((FULL_CALLBACKS - callbacks) / (FULL_CALLBACKS - MIN_CALLBACKS));
  return MIN_REGULARITY.full + (MIN_REGULARITY.few - MIN_REGULARITY.full) * missing;
}

function strobe(state: ChannelState, context: BeaconContext, rhythm: Rhythm): DetectorResult | null {
  const recent = (state.hours.at(-1) ?? 0) + (state.hours.at(-2) ?? 0);
  const lasting = rhythm.span >= STROBE.seconds || recent >= STROBE.hourCount;
  const seconds = Math.max(rhythm.span, lasting ? STROBE.seconds : 0);
  if (RESOLVER_PORTS.has(context.peerPort)) return null;
  if (rhythm.connections < STROBE.connections || rhythm.usualInterval > STROBE.interval || !lasting) {
    return null;
  }
  if (rhythm.longestSilence > seconds * STROBE.silence) return null;
  // Unknown sizes speak neither for nor against: of an attempt that nobody answers a sensor knows none.
  const sizes = rhythm.sizeRegularity;
  if (sizes !== null && sizes < STROBE.sizeRegularity) return null;

  const shares: SubScore[] = [
    {
      name: "strobe",
      value: 1,
      weight: STROBE.base,
      detail: `${plural(state.count, "connection")}, ${pace(rhythm)}`,
    },
  ];
  if (sizes !== null) shares.push(sizeShare(rhythm, sizes));
  const modifiers = contextModifiers(context, state, rhythm.connections);
  const score = capped(shares, modifiers, STROBE.cap, "a strobe alone");
  if (score < REPORT_SCORE) return null;
  const texts = describeStrobe(state, context, rhythm);
  return result(state, context, texts, shares, modifiers, score, 0.6 * (sizes ?? 0.5));
}

function capOf(
  context: BeaconContext,
  state: ChannelState,
  { period }: Rhythm,
): [most: number, what: string] {
  if (RESOLVER_PORTS.has(context.peerPort)) return [CAPS.lookups, "a rhythm of lookups alone"];
  if (state.fruitless === state.count) {
    return [CAPS.fruitless, "a rhythm of attempts that were never answered with as much as a byte"];
  }
  if (context.peerInternal) {
    return [CAPS.assumedInside, "a rhythm alone towards a private address, which nobody said is outside,"];
  }
  if (context.named && !isNewPeer(context, state)) {
    return [CAPS.named, "a rhythm towards a name that is not known to be new here, alone,"];
  }
  if (context.exported || context.unnamed) {
    return period < POLL_SECONDS || isNewPeer(context, state)
      ? [CAPS.exportedOdd, "a rhythm of which only records without names tell"]
      : [
        CAPS.exported,
        "a rhythm of polls, of which only records without names tell, to a host that is not known to be new,",
      ];
  }
  return [CAPS.callbacks, "a rhythm alone"];
}

/** The sum, held at `most`; what that takes off stands among the modifiers. */
function capped(shares: readonly SubScore[], modifiers: SubScore[], most: number, what: string): number {
  const full = points(shares) + points(modifiers);
  if (full > most) {
    modifiers.push({
      name: "cap",
      value: Math.round((most - full) * 10) / 10,
      weight: 1,
      detail: `${what} scores at most ${most}`,
    });
  }
  return roundScore(Math.min(most, full));
}

function subScores(rhythm: Rhythm): SubScore[] {
  const { none, full } = DURATION_SECONDS;
  const lasted = clamp01(Math.log(Math.max(rhythm.active, none) / none) / Math.log(full / none));
  const shares: SubScore[] = [
    {
      name: "interval_regularity",
      value: share(rhythm.regularity),
      weight: WEIGHTS.intervals,
      detail: `one callback about every ${duration(rhythm.period)}, typically ${
        deviationOf(rhythm)
      } early or late`,
    },
    {
      name: "evenness",
      value: share(rhythm.evenness),
      weight: WEIGHTS.evenness,
      detail: `callbacks spread ${percent(rhythm.evenness)} evenly over the time observed`,
    },
    {
      name: "duration",
      value: share(lasted),
      weight: WEIGHTS.duration,
      detail: `${duration(rhythm.active)} of sustained activity, in ${
        plural(rhythm.hoursInRow, "clock hour")
      } in a row`,
    },
  ];
  if (rhythm.sizeRegularity !== null) return [...shares, sizeShare(rhythm, rhythm.sizeRegularity)];
  // Unknown sizes speak neither for nor against: the other shares carry their points.
  const known = points(shares.map((item) => ({ ...item, value: 1 })));
  const scale = (known + WEIGHTS.sizes) / known;
  return shares.map((item) => ({ ...item, weight: Math.round(item.weight * scale * 10) / 10 }));
}

function sizeShare(rhythm: Rhythm, value: number): SubScore {
  return {
    name: "size_regularity",
    value: share(value),
    weight: WEIGHTS.sizes,
    detail: `${size(rhythm.size ?? 0)} sent per connection, sizes ${percent(value)} alike`,
  };
}

function result(
  state: ChannelState,
  context: BeaconContext,
  texts: Pick<DetectorResult, "title" | "summary" | "explanation">,
  subScores: SubScore[],
  modifiers: SubScore[],
  score: number,
  confidence: number,
): DetectorResult {
  return {
    modelId: BEACON.modelId,
    modelVersion: BEACON.version,
    technique: technique(context),
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
    confidence: share(confidence),
    subScores,
    modifiers,
    evidence: state.refs.list(),
  };
}

/** Application layer protocol, narrowed to web or DNS where the service or the port says so. */
function technique({ service, peerPort }: BeaconContext): string {
  if (RESOLVER_PORTS.has(peerPort) || service === "dns" || service === "doh2") return "T1071.004";
  const web = /\b(http|https|http2|ssl|tls|quic)\b/;
  if (service !== null ? web.test(service) : WEB_PORTS.has(peerPort)) return "T1071.001";
  return "T1071";
}

function share(value: number): number {
  return Math.round(clamp01(value) * 1000) / 1000;
}
