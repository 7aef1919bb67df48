// Inside hosts that start to answer DNS for others, as an attacker does to redirect them. And clients that start to query
// an outside resolver although the site has its own, because malware changed their settings or the user bypasses a filter.
//
// Both rely on the learning phase. A new inside resolver scores higher with every client; an outside resolver stays low.
import type { Sighting } from "../kernel/detector.ts";
import { type DetectorInfo, type DetectorResult, REPORT_SCORE, whileLearning } from "../kernel/result.ts";
import { extra, share, total } from "../kernel/score.ts";
import { EXACT_CLIENTS, type Server } from "../kernel/servers.ts";
import type { Resolver } from "./state.ts";
import { describeInside, describeOutside } from "./text.ts";
import { plural } from "../../../kit/text.ts";

export const ROGUE_DNS: DetectorInfo = {
  modelId: "rogue-dns",
  version: "1",
  title: "New DNS resolver",
  technique: "T1557",
  description:
    "An inside host that starts to answer DNS for others, or a client that starts to query an outside resolver.",
  meaning:
    "A resolver decides which address a client connects to, so attackers run one, or set another one, to redirect traffic. New servers, filters and programs with a resolver of their own look the same.",
  checks: [
    "who runs the resolver, and whether it is meant to be one: then confirm its type",
    "which resolver DHCP assigns, and which one is configured on the clients",
    "whether its answers match those of the site's own resolver",
  ],
  sources: "DNS; answered flows",
  baseline: "the known resolvers of the site and of each device",
  reports: ["a new internal resolver", "a device that starts to query an external resolver"],
  ignores: [
    "external resolvers if the site has no internal one, and of devices that resolve names themselves",
    "`low` at most: external resolvers",
  ],
};

/** Points of a new inside resolver, of EXACT_CLIENTS clients, and of a confirmed type that serves DNS. */
const INSIDE = { base: 30, clients: 25, meantTo: -20 } as const;
/** Points of a new outside resolver, and of one that is not a well-known public resolver. */
const OUTSIDE = { base: 24, unknown: 8 } as const;
/** A server is reported again when its score has risen by this much. */
const RISE = 5;

/** Confirmed types whose devices serve DNS. */
const DNS_TYPES = /dns|router|firewall|controller|server/i;
/** Google, Cloudflare, Quad9, OpenDNS and AdGuard. */
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

/** Null if the score is too low, or has not risen enough since the last report. */
export function evaluateInside(server: Server, { dst, site, learned }: Sighting): DetectorResult | null {
  const { ip, deviceId } = dst;
  const clients = server.clients.count;
  const type = deviceId === null ? null : site.confirmedType(deviceId);
  const subScores = [
    share("new_resolver", 1, INSIDE.base, "no resolver during the learning phase"),
    share(
      "clients",
      (clients - 1) / (EXACT_CLIENTS - 1),
      INSIDE.clients,
      `${plural(clients, "client")} answered`,
    ),
  ];
  const modifiers = type === null || !DNS_TYPES.test(type)
    ? []
    : [extra("meant_to", INSIDE.meantTo, "its confirmed type serves DNS")];
  const score = total(subScores, modifiers);
  if (score < REPORT_SCORE || (server.reportedScore > 0 && score < server.reportedScore + RISE)) return null;
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
    ...describeInside(server, ip, deviceId === null ? ip : site.nameOf(deviceId)),
    score,
    confidence: 0.6,
    subScores,
    modifiers,
    evidence: [...server.refs],
  }, learned);
}

export function evaluateOutside(
  resolver: Resolver,
  { src, dst, site, observation: { start } }: Sighting,
): DetectorResult {
  const deviceId = src.deviceId!;
  const name = site.nameOf(deviceId);
  const isPublic = PUBLIC.has(dst.ip);
  const first = resolver.refs[0]?.observedAt ?? start;
  const subScores = [share("new_resolver", 1, OUTSIDE.base, "never queried during the learning phase")];
  const modifiers = isPublic
    ? []
    : [extra("unknown_resolver", OUTSIDE.unknown, `${dst.ip} is not one of the large public resolvers`)];
  return {
    modelId: ROGUE_DNS.modelId,
    modelVersion: ROGUE_DNS.version,
    technique: "T1071.004",
    at: start,
    firstSeen: Math.min(first, start),
    lastSeen: start,
    deviceId,
    deviceIds: [deviceId],
    destinations: [{ ip: dst.ip, name: null, port: 53 }],
    groupKey: `${deviceId}|outside`,
    subject: `${name} to resolver ${dst.ip}`,
    ...describeOutside(name, dst.ip, isPublic, start),
    score: total(subScores, modifiers),
    confidence: 0.4,
    subScores,
    modifiers,
    evidence: [...resolver.refs],
  };
}
