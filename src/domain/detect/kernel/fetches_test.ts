import fc from "fast-check";
import {
  ANY_DESTINATION,
  anyCount,
  anyList,
  anyRecord,
  anyTextOrNull,
  assertRoundTrip,
  assertStoredAs,
} from "../../../../test/support/detect/stored-state.ts";
import { T0, uuid } from "../../../../test/support/detect/detector-fixtures.ts";
import { type Fetch, FETCHES, type Fetches } from "./fetches.ts";

const anyFetches = anyRecord<Fetches>({
  destinations: anyList(
    anyRecord<Fetch>({
      ...ANY_DESTINATION,
      traits: fc.nat(255),
      host: anyTextOrNull(64),
      uri: anyTextOrNull(64),
      agent: anyTextOrNull(64),
      bytes: anyCount,
    }),
    8,
  ),
});

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

Deno.test("fetches: states survive storage", () => {
  assertRoundTrip(FETCHES, anyFetches);
  assertStoredAs(
    FETCHES,
    {
      destinations: [{ ...USAGE, traits: 11, host: "203.0.113.7", uri: "/a.exe", agent: null, bytes: 7168 }],
    },
    "01010b3230332e302e3131332e37903f4316bcc41e9000004316bcc41e900014ac02519d03010000000000004000" +
      "80000000000000014316bcc41e900000000000000000400090000000000000010b0b3230332e302e3131332e3706" +
      "2f612e657865008038",
  );
});
