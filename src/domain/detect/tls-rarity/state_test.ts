import fc from "fast-check";
import {
  ANY_DESTINATION,
  anyDistinct,
  anyHash,
  anyList,
  anyRecord,
  anyTextOrNull,
  assertRoundTrip,
  assertStoredAs,
  distinctOf,
} from "../../../../test/support/detect/stored-state.ts";
import { T0, uuid } from "../../../../test/support/detect/detector-fixtures.ts";
import { FINGERPRINTS, TLS_CLIENTS, type TlsClient, type TlsDestination } from "./state.ts";

const anyClient = anyRecord<TlsClient>({
  destinations: anyList(
    anyRecord<TlsDestination>({
      ...ANY_DESTINATION,
      fingerprint: anyTextOrNull(64),
      serverName: anyTextOrNull(64),
      isRare: fc.boolean(),
    }),
    8,
  ),
  recentFingerprints: anyList(anyHash, 16),
  recentAgents: anyList(anyHash, 16),
  unnamedServers: anyDistinct(24),
});

const anyFingerprints = anyList(
  fc.tuple(anyHash, anyRecord({ users: anyList(anyHash, 3), isUsual: fc.boolean() })),
  300,
).map((entries) => new Map(entries));

const USAGE = {
  ip: "203.0.113.7",
  port: 8080,
  firstSeen: T0,
  lastSeen: T0 + 5,
  count: 300,
  evaluatedCount: 81,
  reportedScore: 41.3,
  refs: [{ evidenceId: uuid(1), observedAt: T0, flowId: uuid(1, "9") }],
};

Deno.test("tls-rarity: clients survive storage", () => {
  assertRoundTrip(TLS_CLIENTS, anyClient);
  assertStoredAs(
    TLS_CLIENTS,
    {
      destinations: [{ ...USAGE, fingerprint: "t13d1516h2_8daaf6152771", serverName: null, isRare: true }],
      recentFingerprints: [5, 4_000_000_000],
      recentAgents: [77],
      unnamedServers: distinctOf(24, 9, 300),
    },
    "01010b3230332e302e3131332e37903f4316bcc41e9000004316bcc41e900014ac02519d03010000000000004000" +
      "80000000000000014316bcc41e9000000000000000004000900000000000000117743133643135313668325f3864" +
      "616166363135323737310001020580d0acf30e014d0209a302",
  );
});

Deno.test("tls-rarity: fingerprints survive storage", () => {
  assertRoundTrip(FINGERPRINTS, anyFingerprints);
  assertStoredAs(
    FINGERPRINTS,
    new Map([[7, { users: [1, 2], isUsual: true }], [4_000_000_000, { users: [3], isUsual: false }]]),
    "01020705010280d0acf30e0203",
  );
});
