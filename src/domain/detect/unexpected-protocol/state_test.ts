import {
  ANY_DESTINATION,
  anyCount,
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
import { UNEXPECTED, type UnexpectedDestination, type UnexpectedProtocols } from "./state.ts";

const anyProtocols = anyRecord<UnexpectedProtocols>({
  destinations: anyList(
    anyRecord<UnexpectedDestination>({
      ...ANY_DESTINATION,
      service: anyTextOrNull(64),
      serverName: anyTextOrNull(64),
      bytesIn: anyCount,
      bytesOut: anyCount,
      longest: anyCount,
    }),
    8,
  ),
  servers: anyDistinct(16),
  ftpServers: anyList(anyHash, 4),
});

Deno.test("unexpected-protocol: states survive storage", () => {
  assertRoundTrip(UNEXPECTED, anyProtocols);
  const state: UnexpectedProtocols = {
    destinations: [{
      ip: "203.0.113.7",
      port: 443,
      firstSeen: T0,
      lastSeen: T0 + 5,
      count: 300,
      evaluatedCount: 81,
      reportedScore: 41.3,
      refs: [{ evidenceId: uuid(1), observedAt: T0, flowId: uuid(1, "9") }],
      service: "ssh",
      serverName: null,
      bytesIn: 900_000,
      bytesOut: 70_000,
      longest: 1_800_000_000,
    }],
    servers: distinctOf(16, 9, 300),
    ftpServers: [4_000_000_000],
  };
  assertStoredAs(
    UNEXPECTED,
    state,
    "01010b3230332e302e3131332e37bb034316bcc41e9000004316bcc41e900014ac02519d03010000000000004000" +
      "80000000000000014316bcc41e900000000000000000400090000000000000010373736800412b77400000000040" +
      "f117000000000041dad274800000000209a3020180d0acf30e",
  );
});
