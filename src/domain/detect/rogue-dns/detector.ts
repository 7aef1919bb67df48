// Follows who answers names inside, and whom clients ask outside.
import { isOneHost } from "../../../kit/net/ip.ts";
import {
  countOf,
  type Detector,
  type Evaluate,
  type Sighting,
  type StateLookup,
  type StateType,
} from "../kernel/detector.ts";
import { ByteReader, ByteWriter } from "../kernel/state/bytes.ts";
import { hash32 } from "../kernel/state/distinct.ts";
import { onlyAssumedInside } from "../kernel/peer.ts";
import { readRefs, writeRefs } from "../kernel/state/refs.ts";
import { type DetectorResult, type EvidenceRef, whileLearning } from "../kernel/result.ts";
import { describeInside, describeOutside, MIN_QUESTIONS, type Resolver, ROGUE_DNS } from "./score.ts";
import { recordService, type ServerList, serverListState } from "../kernel/servers.ts";

/** Different clients that a host inside must have answered. */
const MIN_CLIENTS = 2;
/** The site has a resolver of its own where one inside answers so many. */
const SITE_CLIENTS = 3;
/** Resolvers outside remembered of a device; who asks more resolves names itself. */
const MAX_RESOLVERS = 8;

const VERSION = 1;

export const DNS_SERVERS = serverListState(16, "dns servers");

interface ResolverState {
  resolvers: Resolver[];
  /** It asks so many that it resolves names by itself, or it answers others. */
  resolves: boolean;
}

/** Keys: a device. At most about 500 bytes. */
export const RESOLVERS: StateType<ResolverState> = {
  id: 17,
  name: "resolvers",
  keepDays: 60,
  empty: () => ({ resolvers: [], resolves: false }),
  encode: ({ resolvers, resolves }) => {
    const out = new ByteWriter(64);
    out.varint(VERSION);
    out.varint(resolves ? 1 : 0);
    out.varint(resolvers.length);
    for (const { key, questions, known, refs } of resolvers) {
      for (const value of [key, questions, known ? 1 : 0]) out.varint(value);
      writeRefs(out, refs);
    }
    return out.bytes();
  },
  decode: (bytes) => {
    const from = new ByteReader(bytes);
    const version = from.varint();
    if (version !== VERSION) throw new RangeError(`resolvers: expected version ${VERSION}, got ${version}`);
    const resolves = from.varint() === 1;
    const resolvers: Resolver[] = [];
    for (let left = from.varint(); left > 0; left--) {
      const [key, questions, known] = [from.varint(), from.varint(), from.varint() === 1];
      resolvers.push({ key, questions, known, refs: readRefs(from) });
    }
    from.end();
    return { resolvers, resolves };
  },
  size: ({ resolvers }) => resolvers.reduce((sum, { refs }) => sum + 120 + 220 * refs.length, 64),
};

export const ROGUE_DNS_DETECTOR: Detector = {
  info: ROGUE_DNS,
  feeds: ["connection", "dns"],
  match(sighting, need) {
    const { src, dst, site } = sighting;
    if (dst.port !== 53 || src.port === 53 || src.ip === dst.ip || !src.internal) return null;
    if (src.deviceId === null || !isAnswered(sighting)) return null;
    if (dst.internal && !onlyAssumedInside(site.networksAssumed, src.ip, dst.ip)) {
      return attendInside(sighting, src.deviceId, need);
    }
    return isOneHost(dst.ip) ? attendOutside(sighting, src.deviceId, need) : null;
  },
};

function attendInside(sighting: Sighting, client: string, need: StateLookup): Evaluate {
  const slot = need(DNS_SERVERS, "");
  return () => {
    const { dst, learned, observation } = sighting;
    const service = { serverIp: dst.ip, client, at: observation.start, learned, ref: () => refOf(sighting) };
    const server = recordService(slot.state, service);
    if (server === null) return null;
    slot.save(slot.state);
    if (server.known || server.clients.count < MIN_CLIENTS) return null;
    const result = describeInside(server, sighting);
    if (result !== null) server.reportedScore = result.score;
    return result;
  };
}

function attendOutside(sighting: Sighting, client: string, need: StateLookup): Evaluate {
  const slot = need(DNS_SERVERS, "");
  const own = need(RESOLVERS, client);
  return () => {
    const { src, dst, learned } = sighting;
    const resolver = ask(own.state, dst.ip, learned, () => refOf(sighting));
    if (resolver === null) return null;
    own.save(own.state);
    if (resolver.known || own.state.resolves || resolver.questions < MIN_QUESTIONS) return null;
    if (!hasOwnResolver(slot.state) || answersOthers(slot.state, src.ip)) return null;
    return outside(resolver, sighting);
  };
}

function refOf({ evidence, observation }: Sighting): EvidenceRef {
  return { ...evidence, observedAt: observation.start };
}

function isAnswered({ observation: { facts }, connection }: Sighting): boolean {
  if (facts?.type === "dns") return facts.answered;
  return connection !== null && !connection.exporterDirection && countOf(connection.bytesIn) > 0;
}

/** Null where nothing has changed. */
function ask(state: ResolverState, ip: string, learned: boolean, ref: () => EvidenceRef): Resolver | null {
  if (state.resolves) return null;
  const key = hash32(ip);
  let resolver = state.resolvers.find((one) => one.key === key);
  if (!resolver) {
    resolver = { key, questions: 0, known: !learned, refs: [] };
    state.resolvers.push(resolver);
    if (state.resolvers.length > MAX_RESOLVERS) {
      state.resolves = true;
      state.resolvers = [];
    }
  } else if (resolver.known || resolver.questions >= MIN_QUESTIONS) {
    return null;
  }
  resolver.questions++;
  if (!resolver.known) resolver.refs = [...resolver.refs, ref()].slice(-2);
  return resolver;
}

function hasOwnResolver({ servers }: ServerList): boolean {
  return servers.some(({ known, clients }) => known && clients.count >= SITE_CLIENTS);
}

function answersOthers({ servers }: ServerList, ip: string): boolean {
  const key = hash32(ip);
  return servers.some((server) => server.key === key);
}

function outside(resolver: Resolver, sighting: Sighting): DetectorResult {
  const result = whileLearning(describeOutside(resolver, sighting), sighting.learned);
  // Told once: from here on the device is known to use it.
  resolver.known = true;
  resolver.refs = [];
  return result;
}
