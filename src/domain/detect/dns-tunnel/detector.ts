// DNS tunnels: data carried out of the network in the names that a device looks up, and in by the answers.
//
// What gives a tunnel away is the number of different names below one registered domain, each of which looks like data:
// long, by chance, for record types that carry more than an address, and answered with addresses that nobody then talks
// to. Score = sum of six shares (100 points), less what speaks for a harmless use. All but `unreached` only need the
// names, so Unbound's log, which lacks the answers, serves as well. A few dozen short names for addresses, as a slow
// implant makes them, reach `medium`; a tunnel that moves traffic reaches `critical`.
import { type Detector, peerOf, type Sighting, type StateLookup } from "../kernel/detector.ts";
import {
  type Askers,
  type Desk,
  DNS_RESOLVERS,
  noteAnswer,
  noteConnection,
  noteInside,
  noteSuspect,
  passesOn,
  RESOLVER_CLIENTS,
  suspectsWith,
  usedShare,
} from "./resolvers.ts";
import { carrierOf, CUT_OFF, outcomeOf } from "./name.ts";
import { addLookup, LOOKUPS, type Lookups, namesOf } from "./state.ts";
import { describeTunnel, domainsInWords, type TunnelMeasures } from "./text.ts";
import {
  COMMON_MIN_USERS,
  COMMON_POINTS,
  COMMON_SHARE,
  points,
  PREVALENCE_MIN_DEVICES,
} from "../kernel/callback/modifiers.ts";
import {
  type DetectorInfo,
  type DetectorResult,
  MAX_DESTINATIONS,
  REPORT_SCORE,
  roundScore,
} from "../kernel/result.ts";
import type { SubScore } from "../kernel/result.ts";
import { clamp01 } from "../kernel/stats.ts";
import { percent, plural, size } from "../kernel/wording.ts";

const DNS_TUNNEL: DetectorInfo = {
  modelId: "dns-tunnel",
  version: "1",
  title: "DNS tunnel",
  technique: "T1071.004",
  kind: "names",
  description:
    "A device that looks up ever new names below one domain, which look like data and not like names.",
};

/** Points of a full share each. */
const WEIGHTS = { names: 30, look: 20, unreached: 14, length: 14, types: 12, volume: 10 } as const;
/** A domain is judged from so many different names on, and again when they have grown by a half. */
const MIN_NAMES = 12;
/** Different names below all suspicious domains of a device: worth nothing, and worth the full share (log scale). */
const NAMES = { none: 20, full: 1000 } as const;
/** Characters of a name below its domain, on average: an ordinary long one, and a packed one. */
const LENGTH = { none: 8, full: 40 } as const;
/** Bytes in names and answers together, of different names (log scale). */
const VOLUME = { none: 1000, full: 200_000 } as const;
/** Points of look, length, types and volume that make a domain suspicious at all: below, names are just many. */
const MIN_QUALITY = 12;
/** Share of the answered addresses that, when used, makes the names those of hosts. */
const USED_SHARE = 0.3;
const USED_POINTS = -25;
/** Answers that are a verdict (127.0.0.2), or lead nowhere; from half of the names on. */
const NOWHERE_POINTS = -30;
/** Names of the site's own hosts. */
const INSIDE_POINTS = -30;
/** Names that do not exist bring nothing back: mostly a search list's or a browser's probes. */
const FAILED_POINTS = -25;
/** Told again when the score rises by so much, or the names by an order of magnitude. */
const RETELL_POINTS = 3;

const LOCAL_PORTS: ReadonlySet<number> = new Set([137, 5353, 5355]);

export const DNS_TUNNEL_DETECTOR: Detector = {
  info: DNS_TUNNEL,
  states: [LOOKUPS, DNS_RESOLVERS, RESOLVER_CLIENTS],
  feeds: ["dns", "connection"],
  match(sighting, need) {
    return sighting.observation.facts?.type === "dns"
      ? attendLookup(sighting, need)
      : attendConnection(sighting, need);
  },
};

function attendConnection(sighting: Sighting, need: StateLookup) {
  const { connection, src, dst } = sighting;
  if (connection === null) return null;
  const deviceId = connection.src.ip === src.ip ? src.deviceId : dst.deviceId;
  if (deviceId === null) return null;
  const peer = peerOf(sighting);
  const desk = need(DNS_RESOLVERS, deviceId);
  return () => {
    // Inside, only that there was a connection is of interest.
    if (noteConnection(desk.state, peer.internal ? "" : peer.ip)) desk.save(desk.state);
    return null;
  };
}

function attendLookup(sighting: Sighting, need: StateLookup) {
  const { observation, src, dst, site } = sighting;
  const { facts, start } = observation;
  const { deviceId } = src;
  if (deviceId === null || facts?.type !== "dns") return null;
  if (LOCAL_PORTS.has(dst.port ?? 0) || LOCAL_PORTS.has(src.port ?? 0)) return null;
  const carrier = carrierOf(facts);
  if (carrier === null) return null;
  const { domain } = carrier;
  const lookups = need(LOOKUPS, `${deviceId} ${domain}`);
  const askers = need(RESOLVER_CLIENTS, domain);
  const desk = need(DNS_RESOLVERS, deviceId);
  const outward = !dst.internal && dst.ip !== "0.0.0.0" && dst.ip !== "::";
  return () => {
    const outcome = outcomeOf(facts, (ip) => site.isInternal(ip));
    const state = lookups.state;
    const change = addLookup(state, carrier, outcome, sighting.evidence, start);
    if (change === "none") return null;
    lookups.save(state);
    if (outcome.outcome === "address") {
      noteAnswer(desk.state, outcome.ip!, domain);
      desk.save(desk.state);
    }
    if (change !== "new") return null;
    const isUser = askers.state.users.add(deviceId);
    const isInside = !outward && noteInside(askers.state, dst.deviceId);
    if (isUser || isInside) askers.save(askers.state);
    const names = namesOf(state);
    if (names < Math.max(MIN_NAMES, state.evaluatedCount * 1.5)) return null;
    state.evaluatedCount = names;
    if (passesOn(askers.state, deviceId, names, outward)) return null;
    const measures = measure(state, desk.state, askers.state, domain, sighting);
    const shares = subScores(measures);
    if (quality(shares) < MIN_QUALITY) return null;
    const result = judge(state, sighting, deviceId, measures, shares);
    noteSuspect(desk.state, { domain, names, at: start });
    desk.save(desk.state);
    return result;
  };
}

function measure(
  state: Lookups,
  desk: Desk,
  { users }: Askers,
  domain: string,
  { deviceCount, observation }: Sighting,
): TunnelMeasures {
  const { names } = state;
  const mean = (of: (name: Lookups["names"][number]) => number) =>
    names.reduce((sum, name) => sum + of(name), 0) / names.length;
  const distinct = namesOf(state);
  const suspects = suspectsWith(desk, { domain, names: distinct, at: observation.start });
  const chars = mean((name) => name.chars);
  const share = (outcome: string) => mean((name) => name.outcome === outcome ? 1 : 0);
  return {
    domains: suspects.map((suspect) => suspect.domain).filter((name) => name !== CUT_OFF),
    cutOff: domain === CUT_OFF,
    distinct,
    total: suspects.reduce((sum, suspect) => sum + suspect.names, 0),
    random: mean((name) => name.random / 15),
    chars,
    dataTypes: mean((name) => name.dataType ? 1 : 0),
    bytesUp: distinct * chars,
    bytesDown: distinct * mean((name) => name.down),
    used: usedShare(desk, domain),
    addresses: share("address"),
    inside: share("inside"),
    nowhere: share("nowhere"),
    failed: share("failed"),
    data: share("data"),
    users: users.count,
    deviceCount,
  };
}

function judge(
  state: Lookups,
  { site, dst }: Sighting,
  deviceId: string,
  measures: TunnelMeasures,
  shares: SubScore[],
): DetectorResult | null {
  const modifiers = contextModifiers(measures);
  const score = roundScore(points(shares) + points(modifiers));
  const { total, domains } = measures;
  if (score < REPORT_SCORE || total < NAMES.none) return null;
  if (score < state.reportedScore + RETELL_POINTS && total < state.reportedCount * 10) return null;
  state.reportedScore = Math.max(score, state.reportedScore);
  state.reportedCount = Math.max(total, state.reportedCount);
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
    subject: `${deviceName}: names below ${domainsInWords(domains)}`,
    ...describeTunnel(measures, { deviceName, firstSeen, lastSeen, resolver: dst.internal ? dst.ip : null }),
    score,
    confidence: Math.round(clamp01(score / 100 + 0.3 * (1 - Math.exp(-total / 60))) * 100) / 100,
    subScores: shares,
    modifiers,
    evidence: state.refs.list(),
  };
}

function quality(shares: readonly SubScore[]): number {
  return points(shares.filter(({ name }) => name !== "names" && name !== "unreached"));
}

function subScores(measures: TunnelMeasures): SubScore[] {
  const { total, domains, random, chars, dataTypes, bytesUp, bytesDown } = measures;
  const below = domains.length > 1 ? ` below ${plural(domains.length, "domain")}` : "";
  return [
    part(
      "names",
      logShare(total, NAMES),
      WEIGHTS.names,
      `${plural(total, "different name")}${below} within a day`,
    ),
    part("look", random, WEIGHTS.look, `names ${percent(random)} like chance`),
    part("unreached", ...unreached(measures)),
    part(
      "length",
      (chars - LENGTH.none) / (LENGTH.full - LENGTH.none),
      WEIGHTS.length,
      `${plural(Math.round(chars), "character")} below the domain on average`,
    ),
    part(
      "types",
      dataTypes,
      WEIGHTS.types,
      `${percent(dataTypes)} of the names asked for records of free data`,
    ),
    part(
      "volume",
      logShare(bytesUp + bytesDown, VOLUME),
      WEIGHTS.volume,
      `about ${size(bytesUp)} in names and ${size(bytesDown)} in answers`,
    ),
  ];
}

/** Names of hosts are looked up to connect to them. */
function unreached({ used, data, dataTypes, addresses }: TunnelMeasures): [number, number, string] {
  const weight = WEIGHTS.unreached;
  if (Math.max(data, dataTypes) > 0.5) return [1, weight, "the answers are no addresses to connect to"];
  if (used === null || addresses === 0) {
    return [0.5, weight, "whether the answers are used cannot be seen, which counts half"];
  }
  const detail = used === 0 ? "no connection to any of the answers" : `${percent(used)} of the answers used`;
  return [1 - used / USED_SHARE, weight, detail];
}

function contextModifiers(measures: TunnelMeasures): SubScore[] {
  const { used, users, deviceCount, nowhere, inside, failed, dataTypes } = measures;
  const found: SubScore[] = [];
  const add = (name: string, value: number, detail: string) => {
    if (value < 0) found.push({ name, value: Math.round(value * 10) / 10, weight: 1, detail });
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
      `the device connects to what the answers name`,
    );
  }
  if (nowhere >= 0.5) {
    add(
      "answers_nowhere",
      NOWHERE_POINTS * nowhere,
      "the answers mean no host, as those of a reputation service",
    );
  }
  if (inside >= 0.5) add("answers_inside", INSIDE_POINTS * inside, "the answers are hosts of this network");
  if (failed >= 0.5) add("names_failed", FAILED_POINTS * failed, "most of the names do not exist");
  return found;
}

function part(name: string, value: number, weight: number, detail: string): SubScore {
  return { name, value: Math.round(clamp01(value) * 1000) / 1000, weight, detail };
}

function logShare(value: number, { none, full }: { none: number; full: number }): number {
  return clamp01(Math.log(Math.max(value, none) / none) / Math.log(full / none));
}
