// Tracks which inside hosts answer DNS for others, and which outside resolvers each client queries.
import { isOneHost } from "../../../kit/net/ip.ts";
import {
  countOf,
  type Detector,
  type Evaluate,
  type Sighting,
  type StateLookup,
} from "../kernel/detector.ts";
import { onlyAssumedInside } from "../kernel/peer.ts";
import { type DetectorResult, type EvidenceRef, whileLearning } from "../kernel/result.ts";
import { recordService, type ServerList } from "../kernel/servers.ts";
import { hash32 } from "../kernel/state/distinct.ts";
import { evaluateInside, evaluateOutside, ROGUE_DNS } from "./score.ts";
import { DNS_SERVERS, MIN_QUERIES, recordQuery, type Resolver, RESOLVERS } from "./state.ts";

/** Distinct clients of an inside host before it is reported. */
const MIN_CLIENTS = 2;
/** A known inside resolver with this many clients is the site's own. */
const SITE_CLIENTS = 3;

export const ROGUE_DNS_DETECTOR: Detector = {
  info: ROGUE_DNS,
  states: [DNS_SERVERS, RESOLVERS],
  feeds: ["connection", "dns"],
  match(sighting, states) {
    const { src, dst, site } = sighting;
    if (dst.port !== 53 || src.port === 53 || src.ip === dst.ip || !src.internal) return null;
    if (src.deviceId === null || !isAnswered(sighting)) return null;
    if (dst.internal && !onlyAssumedInside(site.networksAssumed, src.ip, dst.ip)) {
      return matchInside(sighting, src.deviceId, states);
    }
    return isOneHost(dst.ip) ? matchOutside(sighting, src.deviceId, states) : null;
  },
};

function matchInside(sighting: Sighting, client: string, states: StateLookup): Evaluate {
  const servers = states(DNS_SERVERS, "");
  return () => {
    const { dst, learned, observation } = sighting;
    const use = { serverIp: dst.ip, client, at: observation.start, learned, ref: () => refOf(sighting) };
    const server = recordService(servers.state, use);
    if (server === null) return null;
    servers.save(servers.state);
    if (server.known || server.clients.count < MIN_CLIENTS) return null;
    const result = evaluateInside(server, sighting);
    if (result !== null) server.reportedScore = result.score;
    return result;
  };
}

function matchOutside(sighting: Sighting, client: string, states: StateLookup): Evaluate {
  const servers = states(DNS_SERVERS, "");
  const resolvers = states(RESOLVERS, client);
  return () => {
    const { src, dst, learned } = sighting;
    const resolver = recordQuery(resolvers.state, dst.ip, learned, () => refOf(sighting));
    if (resolver === null) return null;
    resolvers.save(resolvers.state);
    if (resolver.known || resolvers.state.resolves || resolver.queries < MIN_QUERIES) return null;
    if (!hasOwnResolver(servers.state) || isServer(servers.state, src.ip)) return null;
    return reportOutside(resolver, sighting);
  };
}

function refOf({ evidence, observation }: Sighting): EvidenceRef {
  return { ...evidence, observedAt: observation.start };
}

function isAnswered({ observation: { facts }, connection }: Sighting): boolean {
  if (facts?.type === "dns") return facts.answered;
  return connection !== null && !connection.exporterDirection && countOf(connection.bytesIn) > 0;
}

function hasOwnResolver({ servers }: ServerList): boolean {
  return servers.some(({ known, clients }) => known && clients.count >= SITE_CLIENTS);
}

function isServer({ servers }: ServerList, ip: string): boolean {
  const key = hash32(ip);
  return servers.some((server) => server.key === key);
}

function reportOutside(resolver: Resolver, sighting: Sighting): DetectorResult {
  const result = whileLearning(evaluateOutside(resolver, sighting), sighting.learned);
  // Reported once; from now on this resolver is known for the device.
  resolver.known = true;
  resolver.refs = [];
  return result;
}
