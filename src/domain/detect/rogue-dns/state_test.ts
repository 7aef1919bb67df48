import fc from "fast-check";
import {
  anyDistinct,
  anyHash,
  anyList,
  anyObject,
  anyRefs,
  anyScore,
  anyTime,
  assertRoundTrip,
  assertStoredAs,
  distinctOf,
} from "../../../../test/support/detect/stored-states.ts";
import { T0, uuid } from "../../../../test/support/detect/detector-fixtures.ts";
import { assertSameCodec } from "../../../../test/support/detect/former-codecs.ts";
import type { Server, ServerList } from "../kernel/servers.ts";
import { DNS_SERVERS as FORMER_SERVERS, RESOLVERS as FORMER_RESOLVERS } from "./former-codec.ts";
import { DNS_SERVERS, type Resolver, RESOLVERS, type ResolverState } from "./state.ts";

const anyServers = anyObject<ServerList>({
  servers: anyList(
    anyObject<Server>({
      key: anyHash,
      first: anyTime,
      last: anyTime,
      known: fc.boolean(),
      clients: anyDistinct(16),
      network: anyHash,
      options: anyHash,
      reportedScore: anyScore,
      refs: anyRefs(6),
    }),
    24,
  ),
});

const anyResolvers = anyObject<ResolverState>({
  resolvers: anyList(
    anyObject<Resolver>({ key: anyHash, queries: fc.nat(20), known: fc.boolean(), refs: anyRefs(2) }),
    8,
  ),
  resolves: fc.boolean(),
});

const REFS = [{ evidenceId: uuid(1), observedAt: T0, flowId: uuid(1, "9") }];

Deno.test("rogue-dns: the declared codecs equal the former ones", () => {
  assertSameCodec(FORMER_SERVERS, DNS_SERVERS, anyServers);
  assertSameCodec(FORMER_RESOLVERS, RESOLVERS, anyResolvers);
});

Deno.test("servers of the site survive storage", () => {
  assertRoundTrip(DNS_SERVERS, anyServers);
  const state: ServerList = {
    servers: [{
      key: 4_000_000_000,
      first: T0,
      last: T0 + 5,
      known: false,
      clients: distinctOf(16, 9, 300),
      network: 0,
      options: 77,
      reportedScore: 41.3,
      refs: REFS,
    }],
  };
  assertStoredAs(
    DNS_SERVERS,
    state,
    "010180d0acf30e4316bcc41e9000004316bcc41e900014000209a302004d9d03014316bcc41e9000000000000000" +
      "004000800000000000000100000000000040009000000000000001",
  );
});

Deno.test("rogue-dns: resolvers survive storage", () => {
  assertRoundTrip(RESOLVERS, anyResolvers);
  const state: ResolverState = {
    resolvers: [
      { key: 4_000_000_000, queries: 2, known: false, refs: REFS },
      { key: 7, queries: 20, known: true, refs: [] },
    ],
    resolves: false,
  };
  assertStoredAs(
    RESOLVERS,
    state,
    "01000280d0acf30e0200014316bcc41e900000000000000000400080000000000000010000000000004000900000" +
      "000000000107140100",
  );
});
