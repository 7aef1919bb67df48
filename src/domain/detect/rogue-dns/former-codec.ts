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
import type { Resolver } from "./state.ts";
import { recordService, type ServerList, serverListState } from "../kernel/former-servers.ts";

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
    for (const { key, queries, known, refs } of resolvers) {
      for (const value of [key, queries, known ? 1 : 0]) out.varint(value);
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
      const [key, queries, known] = [from.varint(), from.varint(), from.varint() === 1];
      resolvers.push({ key, queries, known, refs: readRefs(from) });
    }
    from.end();
    return { resolvers, resolves };
  },
  size: ({ resolvers }) => resolvers.reduce((sum, { refs }) => sum + 120 + 220 * refs.length, 64),
};
