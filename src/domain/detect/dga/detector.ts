// Generated domains: malware that computes the domains of its operator looks up many unregistered ones until
// one answers. Floods of failed lookups of any names are also reported, as `low`.
//
// Score = sum of four shares (100 points). The look of the names decides: without it, many failed domains
// stay `low`.
import { registeredDomain } from "../../device/registered-domain.ts";
import type { Detector, Evaluate, Sighting, StateLookup } from "../kernel/detector.ts";
import { randomness } from "../kernel/randomness.ts";
import { type DetectorInfo, type DetectorResult, REPORT_SCORE, type SubScore } from "../kernel/result.ts";
import { logShare, share, total } from "../kernel/score.ts";
import { hash32 } from "../kernel/state/distinct.ts";
import { clamp01, median, spread } from "../kernel/stats.ts";
import { isUnstatedIp } from "../../../kit/net/ip.ts";
import { duration, percent, plural } from "../../../kit/text.ts";
import { addFailure, failedCount, FAILURES, type Failures } from "./state.ts";
import { describeDga, describeFlood, type FailureMeasures } from "./text.ts";

const DGA: DetectorInfo = {
  modelId: "dga",
  version: "2",
  title: "Generated domains",
  technique: "T1568.002",
  kind: "names",
  description: "A device that looks up many domains which do not exist and whose names look random.",
  meaning:
    "Malware computes names from the date and tries one after another until one answers, so that blocking a single name does not stop it. Mail servers, crawlers and programs that probe the network also look up names that do not exist.",
  checks: [
    "whether one of the lookups succeeded, and what the device connected to next",
    "whether the device is a mail server or a resolver; for a resolver, which client asked",
    "which program on the device looks the names up",
    "whether other devices look up the same names",
  ],
  sources: "DNS",
  baseline: "none",
  reports: [
    "many nonexistent domains whose names look random",
    "floods of failing lookups of any names (no technique)",
  ],
  ignores: [
    "local suffixes (`.local`, …) and reverse lookups",
    "lookups of senders by mail servers (`MX`, `TXT`)",
    "fewer than a hundred domains made of words",
    "the site's own resolver",
  ],
};

/** Points of a full share each. */
const WEIGHTS = { domains: 38, look: 38, pace: 12, likeness: 12 } as const;
/** Different registered domains per day: worth nothing, and the full share (log scale). */
const DOMAINS = { none: 8, full: 200 } as const;
/** Fewer are typing errors and dead links, whatever they look like. */
const MIN_DOMAINS = 20;
/** Names at least this random are generated; typing errors and dead links are words. */
const MIN_LOOK = 0.35;
/** Domains that are words are reported from this number on. */
const FLOOD_DOMAINS = 100;
/** Domains per hour (log scale); people rarely exceed the first. */
const PACE = { none: 6, full: 300 } as const;
/** Generators make names of one length. From this deviation (characters) on, the lengths are arbitrary. */
const MIXED_LENGTHS = 3;
/** Reported again when the score rises by this many points, or the number of domains tenfold. */
const RISE = 3;

/** Suffixes that do not exist on the Internet: internal names, and what search lists make of them. */
const PRIVATE_SUFFIXES: ReadonlySet<string> = new Set([
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
/** Mail servers look up these types all day, for senders that never existed. Malware needs an address. */
const MAIL_TYPES: ReadonlySet<string> = new Set(["MX", "TXT", "SPF", "NS", "SOA"]);
/** NetBIOS, mDNS and LLMNR. */
const LOCAL_PORTS: ReadonlySet<number> = new Set([137, 5353, 5355]);

export const DGA_DETECTOR: Detector = {
  info: DGA,
  states: [FAILURES],
  feeds: ["dns"],
  match(sighting, states) {
    const { observation: { facts }, src, dst } = sighting;
    if (facts?.type !== "dns" || facts.rcode !== "NXDOMAIN" || facts.query === null) return null;
    if (facts.qtype !== null && MAIL_TYPES.has(facts.qtype)) return null;
    const { deviceId } = src;
    if (deviceId === null || LOCAL_PORTS.has(dst.port ?? 0) || LOCAL_PORTS.has(src.port ?? 0)) return null;
    const domain = registeredDomain(facts.query);
    if (domain === null || PRIVATE_SUFFIXES.has(domain.slice(domain.lastIndexOf(".") + 1))) return null;
    return matchFailure(sighting, deviceId, domain, states);
  },
};

function matchFailure(
  sighting: Sighting,
  deviceId: string,
  domain: string,
  states: StateLookup,
): Evaluate {
  const { dst, observation: { start } } = sighting;
  const outward = !dst.internal && !isUnstatedIp(dst.ip);
  const own = states(FAILURES, deviceId);
  const inside = states(FAILURES, "");
  return () => {
    const state = own.state;
    const label = domain.slice(0, domain.indexOf("."));
    const failed = {
      hash: hash32(domain),
      // The encoding of international names always looks random.
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
    // A device that asks outside for what others ask inside is their resolver; its clients are seen
    // themselves.
    if (outward && failedCount(inside.state) * 2 >= count) return null;
    return evaluate(state, count, deviceId, sighting);
  };
}

function evaluate(
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
  // Mail servers check whether their senders' domains exist.
  if (!generated && (count < FLOOD_DOMAINS || site.confirmedType(deviceId) === "mail_server")) return null;
  const subScores = generated ? shares(measures) : shares(measures).slice(0, 1);
  const score = total(subScores);
  if (score < REPORT_SCORE) return null;
  if (score < state.reportedScore + RISE && count < state.reportedCount * 10) return null;
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
    // None of the domains exists, and no single one stands for all of them.
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
      logShare(count, DOMAINS.none, DOMAINS.full),
      WEIGHTS.domains,
      `${plural(count, "different domain")} that do not exist, within a day`,
    ),
    share("look", random, WEIGHTS.look, `the names look ${percent(random)} random`),
    share(
      "pace",
      logShare(hourly, PACE.none, PACE.full),
      WEIGHTS.pace,
      `looked up within ${duration(seconds)}, about ${Math.round(hourly)} per hour`,
    ),
    share(
      "likeness",
      (1 - lengthDeviation / MIXED_LENGTHS) * random,
      WEIGHTS.likeness,
      `names of about ${Math.round(length)} characters, median deviation ${Math.round(lengthDeviation)}`,
    ),
  ];
}
