// A host inside that begins to answer names for others, as who wants to lead them elsewhere does. And a client that
// begins to ask a resolver outside, while the site has its own: the work of malware that changes settings, or of a user
// who goes round the site's filter.
//
// Both rest on what is usual. A new resolver inside is worth more with every client; a resolver outside stays `low`.
import type { Sighting } from "../kernel/detector.ts";
import {
  type DetectorInfo,
  type DetectorResult,
  type EvidenceRef,
  roundScore,
  type SubScore,
  whileLearning,
} from "../kernel/result.ts";
import { EXACT_CLIENTS, type Server } from "../kernel/servers.ts";
import { clamp01 } from "../kernel/stats.ts";
import { moment, plural } from "../kernel/wording.ts";

export const ROGUE_DNS: DetectorInfo = {
  modelId: "rogue-dns",
  version: "1",
  title: "New DNS resolver",
  technique: "T1557",
  description:
    "A host inside that begins to answer names for others, or a client that begins to ask a resolver outside.",
};

/** Questions to a new resolver outside before anything is said: who looks something up once changes no settings. */
export const MIN_QUESTIONS = 20;
/** Points of a new resolver inside, and of as many clients as are counted exactly. */
const INSIDE = { base: 30, clients: 25, meantTo: -20 } as const;
/** Points of a new resolver outside, and what its being one that everybody knows takes away or the contrary adds. */
const OUTSIDE = { base: 24, unknown: 8 } as const;
/** A result is given again where its score has risen by so much. */
const RISE = 5;

const MEANT_TO = /dns|router|firewall|controller|server/i;
/** Of Google, Cloudflare, Quad9, OpenDNS and AdGuard. */
const PUBLIC: ReadonlySet<string> = new Set([
  "8.8.8.8",
  "8.8.4.4",
  "2001:4860:4860::8888",
  "2001:4860:4860::8844",
  "1.1.1.1",
  "1.0.0.1",
  "2606:4700:4700::1111",
  "2606:4700:4700::1001",
  "9.9.9.9",
  "149.112.112.112",
  "2620:fe::fe",
  "208.67.222.222",
  "208.67.220.220",
  "94.140.14.14",
  "94.140.15.15",
]);

/** A resolver outside that a device asks. */
export interface Resolver {
  key: number;
  /** Up to MIN_QUESTIONS. */
  questions: number;
  known: boolean;
  refs: EvidenceRef[];
}

/** Null where it is no more than was reported. */
export function describeInside(server: Server, { dst, site, learned }: Sighting): DetectorResult | null {
  const { ip, deviceId } = dst;
  const name = deviceId === null ? ip : site.nameOf(deviceId);
  const clients = server.clients.count;
  const type = deviceId === null ? null : site.confirmedType(deviceId);
  const subScores: SubScore[] = [
    {
      name: "new_resolver",
      value: 1,
      weight: INSIDE.base,
      detail: "no resolver while the usual was learned",
    },
    {
      name: "clients",
      value: Math.round(clamp01((clients - 1) / (EXACT_CLIENTS - 1)) * 1000) / 1000,
      weight: INSIDE.clients,
      detail: `${plural(clients, "client")} answered`,
    },
  ];
  const modifiers: SubScore[] = type === null || !MEANT_TO.test(type) ? [] : [{
    name: "meant_to",
    value: INSIDE.meantTo,
    weight: 1,
    detail: "somebody confirmed it to be of a type that answers names",
  }];
  const score = sum(subScores, modifiers);
  if (score < 20 || (server.reportedScore > 0 && score < server.reportedScore + RISE)) return null;
  return whileLearning({
    modelId: ROGUE_DNS.modelId,
    modelVersion: ROGUE_DNS.version,
    technique: ROGUE_DNS.technique,
    at: server.last,
    firstSeen: server.first,
    lastSeen: server.last,
    deviceId,
    deviceIds: deviceId === null ? [] : [deviceId],
    destinations: [{ ip, name: null, port: 53 }],
    groupKey: `server ${ip}`,
    subject: `DNS server ${ip}`,
    title: `${name} began to answer DNS for others`,
    phrase: "beginning to answer DNS for others",
    summary:
      `${name}${name === ip ? "" : ` (${ip})`} has answered DNS questions of ${
        plural(clients, "client")
      } inside ` +
      `since ${moment(server.first)}; it did not before.`,
    explanation:
      "Who answers names decides which address a client goes to: intruders do it to put themselves in the " +
      "middle. More often somebody set up a server, a filter (Pi-hole), or a virtual machine host with a resolver of its " +
      "own. Check who runs it, what its clients were told by DHCP, and whether its answers are those of the site's own " +
      "resolver. Where it belongs here, confirm its type.",
    score,
    confidence: 0.6,
    subScores,
    modifiers,
    evidence: [...server.refs],
  }, learned);
}

export function describeOutside(
  resolver: Resolver,
  { src, dst, site, observation }: Sighting,
): DetectorResult {
  const deviceId = src.deviceId!;
  const name = site.nameOf(deviceId);
  const isPublic = PUBLIC.has(dst.ip);
  const first = resolver.refs[0]?.observedAt ?? observation.start;
  const subScores: SubScore[] = [
    {
      name: "new_resolver",
      value: 1,
      weight: OUTSIDE.base,
      detail: "never asked while the usual was learned",
    },
  ];
  const modifiers: SubScore[] = isPublic ? [] : [{
    name: "unknown_resolver",
    value: OUTSIDE.unknown,
    weight: 1,
    detail: `${dst.ip} is none of the large public resolvers`,
  }];
  return {
    modelId: ROGUE_DNS.modelId,
    modelVersion: ROGUE_DNS.version,
    technique: "T1071.004",
    at: observation.start,
    firstSeen: Math.min(first, observation.start),
    lastSeen: observation.start,
    deviceId,
    deviceIds: [deviceId],
    destinations: [{ ip: dst.ip, name: null, port: 53 }],
    groupKey: `${deviceId}|outside`,
    subject: `${name} to resolver ${dst.ip}`,
    title: `${name} began to ask a DNS resolver outside: ${dst.ip}`,
    phrase: `beginning to ask the outside DNS resolver ${dst.ip}`,
    summary:
      `${name} has asked ${dst.ip} at least ${MIN_QUESTIONS} DNS questions, last at ${
        moment(observation.start)
      }; ` +
      "it never did before, and the site has a resolver of its own.",
    explanation:
      "Malware changes the resolver to lead its victim to forged sites, or to reach its masters past the site's " +
      `filter. ${isPublic ? "This one is a public resolver that many people choose themselves. " : ""}` +
      `Software with a resolver of its own, and users who go round a filter, explain it as well. Check the resolver set ` +
      `on ${name} and which names it asks there.`,
    score: sum(subScores, modifiers),
    confidence: 0.4,
    subScores,
    modifiers,
    evidence: [...resolver.refs],
  };
}

function sum(subScores: readonly SubScore[], modifiers: readonly SubScore[]): number {
  return roundScore([...subScores, ...modifiers].reduce((total, one) => total + one.value * one.weight, 0));
}
