import {
  ANY_DESTINATION,
  anyCount,
  anyDistinct,
  anyHash,
  anyList,
  anyRecord,
  anyRef,
  anyTextOrNull,
  anyTime,
  assertRoundTrip,
  assertStoredAs,
  distinctOf,
} from "../../../../test/support/detect/stored-state.ts";
import { T0, uuid } from "../../../../test/support/detect/detector-fixtures.ts";
import {
  UNEXPECTED,
  type UnexpectedDestination,
  type UnexpectedProtocols,
  type UntypedDownload,
} from "./state.ts";

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
  downloads: anyList(
    anyRecord<UntypedDownload>({
      server: anyHash,
      port: anyCount,
      firstSeen: anyTime,
      lastSeen: anyTime,
      refs: anyList(anyRef, 1),
    }),
    4,
  ),
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
    downloads: [],
  };
  assertStoredAs(
    UNEXPECTED,
    state,
    "01010b3230332e302e3131332e37bb034316bcc41e9000004316bcc41e900014ac02519d03010000000000004000" +
      "80000000000000014316bcc41e900000000000000000400090000000000000010373736800412b77400000000040" +
      "f117000000000041dad274800000000209a3020180d0acf30e",
  );
  state.downloads.push({
    server: 4_000_000_000,
    port: 80,
    firstSeen: T0,
    lastSeen: T0 + 5,
    refs: [{ evidenceId: uuid(2), observedAt: T0, flowId: uuid(2, "9") }],
  });
  assertStoredAs(
    UNEXPECTED,
    state,
    "02010b3230332e302e3131332e37bb034316bcc41e9000004316bcc41e900014ac02519d030100000000000040008000" +
      "0000000000014316bcc41e900000000000000000400090000000000000010373736800412b77400000000040f1170000" +
      "00000041dad274800000000209a3020180d0acf30e0180d0acf30e504316bcc41e9000004316bcc41e90001401000000" +
      "000000400080000000000000024316bcc41e90000000000000000040009000000000000002",
  );
});
