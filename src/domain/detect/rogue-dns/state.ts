// DNS servers of the site, and the outside resolvers that each device queries.
import type { EvidenceRef } from "../kernel/result.ts";
import { serverListState } from "../kernel/servers.ts";
import { hash32 } from "../kernel/state/distinct.ts";
import { refs } from "../kernel/state/refs.ts";
import { defineState, flag, list, record, varint } from "../kernel/state/schema.ts";

/** Queries to a new outside resolver before it is reported: a single lookup does not mean changed settings. */
export const MIN_QUERIES = 20;
/** Outside resolvers tracked per device; a device with more resolves names itself. */
const MAX_RESOLVERS = 8;
const MAX_RESOLVER_REFS = 2;

/** One state per tenant. */
export const DNS_SERVERS = serverListState(16, "dns servers");

/** An outside resolver that a device queries. */
export interface Resolver {
  /** Hash of its address. */
  key: number;
  /** Counted up to MIN_QUERIES. */
  queries: number;
  known: boolean;
  refs: EvidenceRef[];
}

export interface ResolverState {
  resolvers: Resolver[];
  /** The device is a resolver itself: it queries more than MAX_RESOLVERS others. */
  resolves: boolean;
}

/** Keys: device. */
export const RESOLVERS = defineState<ResolverState>({
  id: 17,
  name: "resolvers",
  keepDays: 60,
  version: 1,
  empty: () => ({ resolvers: [], resolves: false }),
  fields: record<ResolverState>({
    resolves: flag,
    resolvers: list(
      record<Resolver>({ key: varint, queries: varint, known: flag, refs: refs(MAX_RESOLVER_REFS) }),
      MAX_RESOLVERS,
    ),
  }),
});

/** Records one answered query. Returns the resolver, or null if nothing changed. */
export function recordQuery(
  state: ResolverState,
  ip: string,
  learned: boolean,
  ref: () => EvidenceRef,
): Resolver | null {
  if (state.resolves) return null;
  const key = hash32(ip);
  let resolver = state.resolvers.find((one) => one.key === key);
  if (!resolver) {
    resolver = { key, queries: 0, known: !learned, refs: [] };
    state.resolvers.push(resolver);
    if (state.resolvers.length > MAX_RESOLVERS) {
      state.resolves = true;
      state.resolvers = [];
    }
  } else if (resolver.known || resolver.queries >= MIN_QUERIES) {
    return null;
  }
  resolver.queries++;
  if (!resolver.known) resolver.refs = [...resolver.refs, ref()].slice(-MAX_RESOLVER_REFS);
  return resolver;
}
