// Generated domains: an implant that computes where its operator might be today asks for many domains that nobody has
// registered, until one answers. And floods of failing lookups of any look, which are worth a glance.
//
// Score = sum of four shares (100 points). The look decides: without it, many failing domains stay `low`.
import type { Detector, Evaluate, Sighting, StateLookup } from "../kernel/detector.ts";
import { registeredDomain } from "../../device/registered-domain.ts";
import { addFailure, failedCount, FAILURES, type Failures } from "./state.ts";
import { describeDga, describeFlood, type FailureMeasures } from "./text.ts";
import { hash32 } from "../kernel/state/distinct.ts";
import { randomness } from "../kernel/name-look.ts";
import {
  type DetectorInfo,
  type DetectorResult,
  REPORT_SCORE,
  roundScore,
  type SubScore,
} from "../kernel/result.ts";
import { clamp01, median, spread } from "../kernel/stats.ts";
import { duration, percent, plural } from "../kernel/wording.ts";

const DGA: DetectorInfo = {
  modelId: "dga",
  version: "2",
  title: "Generated domains",
  technique: "T1568.002",
  kind: "names",
  description: "A device that asks for many domains which do not exist and whose names look like chance.",
};

/** Points of a full share each. */
const WEIGHTS = { domains: 38, look: 38, pace: 12, likeness: 12 } as const;
/** Different registered domains of a day: worth nothing, and the full share (log scale). */
const DOMAINS = { none: 8, full: 200 } as const;
/** Fewer are somebody's typing errors and dead links, whatever they look like. */
const MIN_DOMAINS = 20;
/** Names this much like chance are generated; dead links and typing errors are words. */
const MIN_LOOK = 0.35;
/** Of names that are words, only a flood is told. */
const FLOOD_DOMAINS = 100;
/** Domains an hour (log scale); a person does not get far above the first. */
const PACE = { none: 6, full: 300 } as const;
/** A generator makes names of one length; of this deviation (characters) on they are of any. */
const MIXED_LENGTHS = 3;
/** Told again when the score rises by so much, or the domains by an order of magnitude. */
const RETELL_POINTS = 3;

/** Suffixes that are not on the Internet: names of a site's own, and what search lists make of them. */
const OWN_SUFFIXES: ReadonlySet<string> = new Set([
  "arpa",
  "corp",
  "domain",
  "example",
  "home",
  "internal",
  "intranet",
  "invalid",
  "lan",
  "local",
  "localdomain",
  "localhost",
  "onion",
  "private",
  "test",
  "workgroup",
]);
/** An implant wants an address. MX, TXT and others of senders that never existed are what a mail server asks for all day. */
const FOR_MAIL: ReadonlySet<string> = new Set(["MX", "TXT", "SPF", "NS", "SOA"]);
const LOCAL_PORTS: ReadonlySet<number> = new Set([137, 5353, 5355]);

export const DGA_DETECTOR: Detector = {
  info: DGA,
  states: [FAILURES],
  feeds: ["dns"],
  match(sighting: Sighting, need: StateLookup) {
    const { observation: { facts }, src, dst } = sighting;
    if (facts?.type !== "dns" || facts.rcode !== "NXDOMAIN" || facts.query === null) return null;
    if (facts.qtype !== null && FOR_MAIL.has(facts.qtype)) return null;
    const { deviceId } = src;
    if (deviceId === null || LOCAL_PORTS.has(dst.port ?? 0) || LOCAL_PORTS.has(src.port ?? 0)) return null;
    const domain = registeredDomain(facts.query);
    if (domain === null || OWN_SUFFIXES.has(domain.slice(domain.lastIndexOf(".") + 1))) return null;
    return attendFailure(sighting, deviceId, domain, need);
  },
};

function attendFailure(sighting: Sighting, deviceId: string, domain: string, need: StateLookup): Evaluate {
  const { dst, observation: { start } } = sighting;
  const outward = !dst.internal && dst.ip !== "0.0.0.0" && dst.ip !== "::";
  const own = need(FAILURES, deviceId);
  const inside = need(FAILURES, "");
  return () => {
    const state = own.state;
    const label = domain.slice(0, domain.indexOf("."));
    const failed = {
      hash: hash32(domain),
      // International names are written in a way that always looks like chance.
      random: Math.round(label.startsWith("xn--") ? 0 : randomness(label) * 15),
      length: Math.min(label.length, 255),
    };
    if (!outward && addFailure(inside.state, failed, "", sighting.evidence, start) !== "none") {
      inside.save(inside.state);
    }
    const change = addFailure(state, failed, domain, sighting.evidence, start);
    if (change === "none") return null;
    own.save(state);
    const count = failedCount(state);
    if (change !== "new" || count < Math.max(MIN_DOMAINS, state.evaluatedCount * 1.5)) return null;
    state.evaluatedCount = count;
    // Who asks outside for what others ask for inside is their resolver, and they are seen themselves.
    if (outward && failedCount(inside.state) * 2 >= count) return null;
    return judge(state, count, deviceId, sighting);
  };
}

function judge(
  state: Failures,
  count: number,
  deviceId: string,
  { site, dst }: Sighting,
): DetectorResult | null {
  const { firstSeen, lastSeen } = state.day;
  const lengths = state.domains.map(({ length }) => length);
  const measures: FailureMeasures = {
    count,
    random: state.domains.reduce((sum, { random }) => sum + random / 15, 0) / state.domains.length,
    length: median(lengths),
    lengthDeviation: spread(lengths).mad,
    seconds: (lastSeen - firstSeen) / 1e6,
    examples: state.examples,
    firstSeen,
    lastSeen,
    resolver: dst.internal ? dst.ip : null,
  };
  const generated = measures.random >= MIN_LOOK;
  // A mail server asks whether its senders' domains exist.
  if (!generated && (count < FLOOD_DOMAINS || site.confirmedType(deviceId) === "mail_server")) return null;
  const subScores = generated ? shares(measures) : shares(measures).slice(0, 1);
  const score = roundScore(subScores.reduce((sum, { value, weight }) => sum + value * weight, 0));
  if (score < REPORT_SCORE) return null;
  if (score < state.reportedScore + RETELL_POINTS && count < state.reportedCount * 10) return null;
  state.reportedScore = Math.max(score, state.reportedScore);
  state.reportedCount = Math.max(count, state.reportedCount);
  const deviceName = site.nameOf(deviceId);
  const describe = generated ? describeDga : describeFlood;
  return {
    modelId: DGA.modelId,
    modelVersion: DGA.version,
    technique: generated ? DGA.technique : null,
    at: lastSeen,
    firstSeen,
    lastSeen,
    deviceId,
    deviceIds: [deviceId],
    // Each is another and none exists, so no domain stands for them.
    destinations: [],
    groupKey: deviceId,
    subject: `${deviceName}: lookups of domains that do not exist`,
    ...describe(measures, deviceName),
    score,
    confidence: Math.round(clamp01((generated ? 0.5 : 0.2) + 0.4 * measures.random) * 100) / 100,
    subScores,
    modifiers: [],
    evidence: state.refs.list(),
  };
}

function shares(measures: FailureMeasures): SubScore[] {
  const { count, random, seconds, length, lengthDeviation } = measures;
  const hourly = count / Math.max(seconds / 3600, 1 / 6);
  return [
    share(
      "domains",
      logShare(count, DOMAINS),
      WEIGHTS.domains,
      `${plural(count, "different domain")} that do not exist, within a day`,
    ),
    share("look", random, WEIGHTS.look, `their names ${percent(random)} like chance`),
    share(
      "pace",
      logShare(hourly, PACE),
      WEIGHTS.pace,
      `asked for within ${duration(seconds)}, about ${Math.round(hourly)} an hour`,
    ),
    share(
      "likeness",
      (1 - lengthDeviation / MIXED_LENGTHS) * random,
      WEIGHTS.likeness,
      `names of about ${Math.round(length)} characters, typically ${
        Math.round(lengthDeviation)
      } more or fewer`,
    ),
  ];
}

function share(name: string, value: number, weight: number, detail: string): SubScore {
  return { name, value: Math.round(clamp01(value) * 1000) / 1000, weight, detail };
}

function logShare(value: number, { none, full }: { none: number; full: number }): number {
  return clamp01(Math.log(Math.max(value, none) / none) / Math.log(full / none));
}
