// DNS tunnels: data carried out of the network in the names that a device looks up, and in by the answers.
//
// Evidence of a tunnel is the number of different names below one registered domain that look like data:
// long, random, of record types that carry more than an address, or answered with addresses that no device
// then connects to. Score = sum of six shares (100 points), minus points for signs of harmless use. All shares
// but `unreached` need the names only, so Unbound's log, which lacks the answers, is sufficient. A few dozen
// short names for addresses, as a slow implant looks up, reach `medium`; a tunnel that moves traffic reaches
// `critical`.
import {
  COMMON_MIN_USERS,
  COMMON_POINTS,
  COMMON_SHARE,
  PREVALENCE_MIN_DEVICES,
} from "../kernel/callback/modifiers.ts";
import { type Detector, type Evaluate, peerOf, type Sighting, type StateLookup } from "../kernel/detector.ts";
import {
  type DetectorInfo,
  type DetectorResult,
  MAX_DESTINATIONS,
  REPORT_SCORE,
  type SubScore,
} from "../kernel/result.ts";
import { extra, logShare, share, total } from "../kernel/score.ts";
import { clamp01 } from "../kernel/stats.ts";
import { isUnstatedIp } from "../../../kit/net/ip.ts";
import { percent, plural, size } from "../../../kit/text.ts";
import { carrierOf, CUT_OFF, type Outcome, outcomeOf } from "./name.ts";
import {
  type AnswerUse,
  DNS_RESOLVERS,
  type DomainClients,
  isForwarder,
  rankSuspects,
  recordAnswer,
  recordConnection,
  recordInternal,
  recordSuspect,
  RESOLVER_CLIENTS,
  usedShare,
} from "./resolvers.ts";
import { addLookup, LOOKUPS, type Lookups, nameCount, type SampledName } from "./state.ts";
import { describeTunnel, domainList, type TunnelMeasures } from "./text.ts";

const DNS_TUNNEL: DetectorInfo = {
  modelId: "dns-tunnel",
  version: "1",
  title: "DNS tunnel",
  technique: "T1071.004",
  kind: "names",
  description: "A device that looks up many different names below one domain which look like data.",
  meaning:
    "The operator of a domain's name server reads every name that is looked up below it, so lookups carry data through resolvers and firewalls. Security products and content networks also make such names, for known domains.",
  checks: [
    "who registered the domain, and whether a product of the site uses it",
    "how much data the names and answers carried, and how long it lasted",
    "which client sent the lookups, if the device is a resolver: the resolver's own log names it",
    "which program on the device looks the names up",
  ],
  sources: "DNS of Zeek, Suricata and Unbound; flows, to see which answers are used",
  baseline: "none",
  reports: [
    "a stream of new names below one domain that look like data, and whose answers no device connects to",
  ],
  ignores: [
    "names of hosts that are then contacted, of block lists, and of the site itself",
    "resolvers that forward the lookups of other devices",
  ],
};

/** Points of a full share each. */
const WEIGHTS = { names: 30, look: 20, unreached: 14, length: 14, types: 12, volume: 10 } as const;
/** Different names from which a domain is evaluated, and again when they have grown by half. */
const MIN_NAMES = 12;
/**
 * Different names below all suspicious domains of a device: worth nothing, and the full share (log scale).
 */
const NAMES = { none: 20, full: 1000 } as const;
/** Mean characters of a name below its domain: a usual long one, and a fully packed one. */
const LENGTH = { none: 8, full: 40 } as const;
/** Bytes in names and answers together, of different names (log scale). */
const VOLUME = { none: 1000, full: 200_000 } as const;
/**
 * Points of look, length, types and volume that make a domain suspicious. Below, there are just many names.
 */
const MIN_QUALITY = 12;
/** Share of the answered addresses that are used when the names are hosts. */
const USED_SHARE = 0.3;
const USED_POINTS = -25;
/** Answers that are a verdict (127.0.0.2) or no host, for at least half of the names. */
const NOWHERE_POINTS = -30;
/** Names of internal hosts. */
const INSIDE_POINTS = -30;
/** Names that do not exist return no data: mostly probes of a search list or a browser. */
const FAILED_POINTS = -25;
/** Reported again when the score rises by this many points, or the number of names tenfold. */
const RISE = 3;

/** NetBIOS, mDNS and LLMNR. */
const LOCAL_PORTS: ReadonlySet<number> = new Set([137, 5353, 5355]);

export const DNS_TUNNEL_DETECTOR: Detector = {
  info: DNS_TUNNEL,
  states: [LOOKUPS, DNS_RESOLVERS, RESOLVER_CLIENTS],
  feeds: ["dns", "connection"],
  match(sighting, states) {
    return sighting.observation.facts?.type === "dns"
      ? matchLookup(sighting, states)
      : matchConnection(sighting, states);
  },
};

function matchConnection(sighting: Sighting, states: StateLookup): Evaluate | null {
  const { connection, src, dst } = sighting;
  if (connection === null) return null;
  const deviceId = connection.src.ip === src.ip ? src.deviceId : dst.deviceId;
  if (deviceId === null) return null;
  const peer = peerOf(sighting);
  const use = states(DNS_RESOLVERS, deviceId);
  return () => {
    // For internal peers, only the connection itself counts.
    if (recordConnection(use.state, peer.internal ? "" : peer.ip)) use.save(use.state);
    return null;
  };
}

function matchLookup(sighting: Sighting, states: StateLookup): Evaluate | null {
  const { observation, src, dst, site } = sighting;
  const { facts, start } = observation;
  const { deviceId } = src;
  if (deviceId === null || facts?.type !== "dns") return null;
  if (LOCAL_PORTS.has(dst.port ?? 0) || LOCAL_PORTS.has(src.port ?? 0)) return null;
  const carrier = carrierOf(facts);
  if (carrier === null) return null;
  const { domain } = carrier;
  const lookups = states(LOOKUPS, `${deviceId} ${domain}`);
  const clients = states(RESOLVER_CLIENTS, domain);
  const use = states(DNS_RESOLVERS, deviceId);
  const outward = !dst.internal && !isUnstatedIp(dst.ip);
  return () => {
    const outcome = outcomeOf(facts, (ip) => site.isInternal(ip));
    const state = lookups.state;
    const change = addLookup(state, carrier, outcome, sighting.evidence, start);
    if (change === "none") return null;
    lookups.save(state);
    if (outcome.outcome === "address") {
      recordAnswer(use.state, outcome.ip!, domain);
      use.save(use.state);
    }
    if (change !== "new") return null;
    const isNewUser = clients.state.users.add(deviceId);
    const isNewInside = !outward && recordInternal(clients.state, dst.deviceId);
    if (isNewUser || isNewInside) clients.save(clients.state);
    const names = nameCount(state);
    if (names < Math.max(MIN_NAMES, state.evaluatedCount * 1.5)) return null;
    state.evaluatedCount = names;
    if (isForwarder(clients.state, deviceId, names, outward)) return null;
    const measures = measure(state, use.state, clients.state, domain, sighting);
    const subScores = shares(measures);
    if (quality(subScores) < MIN_QUALITY) return null;
    const result = evaluate(state, sighting, deviceId, measures, subScores);
    recordSuspect(use.state, { domain, names, at: start });
    use.save(use.state);
    return result;
  };
}

function measure(
  state: Lookups,
  use: AnswerUse,
  { users }: DomainClients,
  domain: string,
  { deviceCount, observation }: Sighting,
): TunnelMeasures {
  const { names } = state;
  const mean = (valueOf: (name: SampledName) => number) =>
    names.reduce((sum, name) => sum + valueOf(name), 0) / names.length;
  const distinct = nameCount(state);
  const suspects = rankSuspects(use, { domain, names: distinct, at: observation.start });
  const chars = mean((name) => name.chars);
  const shareOf = (outcome: Outcome) => mean((name) => name.outcome === outcome ? 1 : 0);
  return {
    domains: suspects.map((suspect) => suspect.domain).filter((name) => name !== CUT_OFF),
    cutOff: domain === CUT_OFF,
    distinct,
    total: suspects.reduce((sum, suspect) => sum + suspect.names, 0),
    random: mean((name) => name.random / 15),
    chars,
    dataTypes: mean((name) => name.dataType ? 1 : 0),
    bytesUp: distinct * chars,
    bytesDown: distinct * mean((name) => name.answerBytes),
    used: usedShare(use, domain),
    addresses: shareOf("address"),
    inside: shareOf("inside"),
    nowhere: shareOf("nowhere"),
    failed: shareOf("failed"),
    data: shareOf("data"),
    users: users.count,
    deviceCount,
  };
}

function evaluate(
  state: Lookups,
  { site, dst }: Sighting,
  deviceId: string,
  measures: TunnelMeasures,
  subScores: SubScore[],
): DetectorResult | null {
  const modifiers = contextModifiers(measures);
  const score = total(subScores, modifiers);
  const { total: names, domains } = measures;
  if (score < REPORT_SCORE || names < NAMES.none) return null;
  if (score < state.reportedScore + RISE && names < state.reportedCount * 10) return null;
  state.reportedScore = Math.max(score, state.reportedScore);
  state.reportedCount = Math.max(names, state.reportedCount);
  const { firstSeen, lastSeen } = state.day;
  const deviceName = site.nameOf(deviceId);
  return {
    modelId: DNS_TUNNEL.modelId,
    modelVersion: DNS_TUNNEL.version,
    technique: DNS_TUNNEL.technique,
    at: lastSeen,
    firstSeen,
    lastSeen,
    deviceId,
    deviceIds: [deviceId],
    destinations: domains.slice(0, MAX_DESTINATIONS).map((name) => ({ ip: null, name, port: null })),
    groupKey: deviceId,
    subject: `${deviceName}: names below ${domainList(domains)}`,
    ...describeTunnel(measures, { deviceName, firstSeen, lastSeen, resolver: dst.internal ? dst.ip : null }),
    score,
    confidence: Math.round(clamp01(score / 100 + 0.3 * (1 - Math.exp(-names / 60))) * 100) / 100,
    subScores,
    modifiers,
    evidence: state.refs.list(),
  };
}

function quality(subScores: readonly SubScore[]): number {
  return subScores.filter(({ name }) => name !== "names" && name !== "unreached")
    .reduce((sum, { value, weight }) => sum + value * weight, 0);
}

function shares(measures: TunnelMeasures): SubScore[] {
  const { total, domains, random, chars, dataTypes, bytesUp, bytesDown } = measures;
  const below = domains.length > 1 ? ` below ${plural(domains.length, "domain")}` : "";
  return [
    share(
      "names",
      logShare(total, NAMES.none, NAMES.full),
      WEIGHTS.names,
      `${plural(total, "different name")}${below} within a day`,
    ),
    share("look", random, WEIGHTS.look, `the names look ${percent(random)} random`),
    share("unreached", ...unreached(measures)),
    share(
      "length",
      (chars - LENGTH.none) / (LENGTH.full - LENGTH.none),
      WEIGHTS.length,
      `${plural(Math.round(chars), "character")} below the domain on average`,
    ),
    share(
      "types",
      dataTypes,
      WEIGHTS.types,
      `${percent(dataTypes)} of the names looked up with record types that carry arbitrary data`,
    ),
    share(
      "volume",
      logShare(bytesUp + bytesDown, VOLUME.none, VOLUME.full),
      WEIGHTS.volume,
      `about ${size(bytesUp)} in names and ${size(bytesDown)} in answers`,
    ),
  ];
}

/** Names of hosts are looked up to connect to them. */
function unreached({ used, data, dataTypes, addresses }: TunnelMeasures): [number, number, string] {
  const weight = WEIGHTS.unreached;
  if (Math.max(data, dataTypes) > 0.5) return [1, weight, "the answers are not addresses to connect to"];
  if (used === null || addresses === 0) {
    return [0.5, weight, "use of the answers cannot be observed, which counts half"];
  }
  const detail = used === 0 ? "no connection to any of the answers" : `${percent(used)} of the answers used`;
  return [1 - used / USED_SHARE, weight, detail];
}

function contextModifiers(measures: TunnelMeasures): SubScore[] {
  const { used, users, deviceCount, nowhere, inside, failed, dataTypes } = measures;
  const found: SubScore[] = [];
  const add = (name: string, points: number, detail: string) => {
    if (points < 0) found.push(extra(name, points, detail));
  };
  if (deviceCount >= PREVALENCE_MIN_DEVICES && users >= COMMON_MIN_USERS) {
    const common = (users / deviceCount - COMMON_SHARE.from) / (COMMON_SHARE.full - COMMON_SHARE.from);
    const detail = `${users} of ${deviceCount} devices look up such names there`;
    add("common_domain", COMMON_POINTS * clamp01(common), detail);
  }
  if (used !== null && dataTypes < 0.5) {
    add(
      "answers_used",
      USED_POINTS * clamp01(used / USED_SHARE),
      "the device connects to the answered addresses",
    );
  }
  if (nowhere >= 0.5) {
    const detail = "the answers are not hosts, like those of a reputation service";
    add("answers_nowhere", NOWHERE_POINTS * nowhere, detail);
  }
  if (inside >= 0.5) add("answers_inside", INSIDE_POINTS * inside, "the answers are internal hosts");
  if (failed >= 0.5) add("names_failed", FAILED_POINTS * failed, "most of the names do not exist");
  return found;
}
