import {
  ANY_DESTINATION,
  anyCount,
  anyDistinct,
  anyIp,
  anyList,
  anyPort,
  anyRecord,
  anyRefs,
  anyScore,
  anyText,
  anyTextOrNull,
  anyTime,
  assertRoundTrip,
  assertStoredAs,
  distinctOf,
} from "../../../../test/support/detect/stored-state.ts";
import fc from "fast-check";
import { T0, uuid } from "../../../../test/support/detect/detector-fixtures.ts";
import { type CertificateDestination, CERTIFICATES, type Certificates, type RandomNames } from "./state.ts";

const anyCertificates = anyRecord<Certificates>({
  destinations: anyList(
    anyRecord<CertificateDestination>({
      ...ANY_DESTINATION,
      faults: fc.nat(127),
      subject: anyTextOrNull(64),
      issuer: anyTextOrNull(64),
      serverName: anyTextOrNull(64),
      expiry: fc.option(anyTime),
      users: anyCount,
    }),
    8,
  ),
  randomNames: fc.option(anyRecord<RandomNames>({
    servers: anyDistinct(64),
    firstSeen: anyTime,
    lastSeen: anyTime,
    evaluatedCount: anyCount,
    reportedScore: anyScore,
    refs: anyRefs(16),
    examples: anyList(anyRecord({ ip: anyIp, port: anyPort, name: anyText(64) }), 6),
  })),
});

const SAMPLE: Certificates = {
  destinations: [{
    ip: "203.0.113.7",
    port: 443,
    firstSeen: T0,
    lastSeen: T0 + 5,
    count: 300,
    evaluatedCount: 81,
    reportedScore: 41.3,
    refs: [{ evidenceId: uuid(1), observedAt: T0, flowId: uuid(1, "9") }],
    faults: 17,
    subject: "CN=srv.test",
    issuer: null,
    serverName: null,
    expiry: null,
    users: 2,
  }],
  randomNames: {
    servers: distinctOf(64, 7, 4_000_000_000),
    firstSeen: T0,
    lastSeen: T0 + 9,
    evaluatedCount: 1,
    reportedScore: 30,
    refs: [{ evidenceId: uuid(2), observedAt: T0 + 9, flowId: uuid(2, "9") }],
    examples: [{ ip: "2001:db8::1", port: 9001, name: "www.tl6ou6ap7fjroh2o.net" }],
  },
};

Deno.test("certificates: states survive storage", () => {
  assertRoundTrip(CERTIFICATES, anyCertificates);
  assertStoredAs(
    CERTIFICATES,
    SAMPLE,
    "01010b3230332e302e3131332e37bb034316bcc41e9000004316bcc41e900014ac02519d03010000000000004000" +
      "80000000000000014316bcc41e90000000000000000040009000000000000001110b434e3d7372762e7465737400" +
      "007ff800000000000002010207f9cfacf30e4316bcc41e9000004316bcc41e90002401ac02010000000000004000" +
      "80000000000000024316bcc41e90002400000000000040009000000000000002010b323030313a6462383a3a31a9" +
      "46187777772e746c366f7536617037666a726f68326f2e6e6574",
  );
});
