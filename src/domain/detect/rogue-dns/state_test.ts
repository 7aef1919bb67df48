import fc from "fast-check";
import {
  anyHash,
  anyList,
  anyRecord,
  anyRefs,
  assertRoundTrip,
  assertStoredAs,
} from "../../../../test/support/detect/stored-state.ts";
import { T0, uuid } from "../../../../test/support/detect/detector-fixtures.ts";
import { type Resolver, RESOLVERS, type ResolverState } from "./state.ts";

const anyResolvers = anyRecord<ResolverState>({
  resolvers: anyList(
    anyRecord<Resolver>({ key: anyHash, queries: fc.nat(20), known: fc.boolean(), refs: anyRefs(2) }),
    8,
  ),
  resolves: fc.boolean(),
});

const REFS = [{ evidenceId: uuid(1), observedAt: T0, flowId: uuid(1, "9") }];

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
