import fc from "fast-check";
import {
  anyCount,
  anyDistinct,
  anyIp,
  anyList,
  anyPort,
  anyRecord,
  anyRefs,
  anyText,
  anyTime,
  assertRoundTrip,
  assertStoredAs,
  distinctOf,
} from "../../../../test/support/detect/stored-state.ts";
import { T0, uuid } from "../../../../test/support/detect/detector-fixtures.ts";
import { INTEL_VIAS } from "../../intel/hits.ts";
import { type Contact, MATCHED_INDICATORS, type MatchedIndicator } from "./state.ts";
import { type VisitorsState, VISITS } from "./visits.ts";

const anyContact = fc.constantFrom<Contact>(
  "answer",
  "query",
  "fingerprint",
  "attempt",
  "contact",
  "exchange",
);

const anyMatched = anyRecord<MatchedIndicator>({
  firstSeen: anyTime,
  lastSeen: anyTime,
  stale: fc.nat(8),
  count: anyCount,
  contact: anyContact,
  vias: fc.subarray([...INTEL_VIAS]),
  bytesOut: anyCount,
  peerIp: fc.oneof(anyIp, fc.constant("")),
  peerPort: anyPort,
  evaluated: anyRecord<MatchedIndicator["evaluated"]>({
    count: anyCount,
    contact: fc.option(anyContact),
    vias: fc.nat(9),
    bytesOut: anyCount,
  }),
  refs: anyRefs(8),
});

const anyVisitors = anyRecord<VisitorsState>({
  firstSeen: anyTime,
  lastSeen: anyTime,
  stale: fc.nat(8),
  count: anyCount,
  bytesOut: anyCount,
  certainty: fc.double({ min: 0, max: 1, noNaN: true }),
  adminPort: anyPort,
  visitors: anyDistinct(32),
  named: anyList(anyRecord({ ip: anyIp, list: anyText(60), description: anyText(60) }), 6),
  evaluated: anyRecord({ visitors: anyCount, bytesOut: anyCount, adminPort: fc.boolean() }),
  refs: anyRefs(8),
});

const STRETCH = { firstSeen: T0, lastSeen: T0 + 5, stale: 1 };
const REFS = [{ evidenceId: uuid(1), observedAt: T0, flowId: uuid(1, "9") }];

Deno.test("threat-intel: matched indicators survive storage", () => {
  assertRoundTrip(MATCHED_INDICATORS, anyMatched);
  const state: MatchedIndicator = {
    ...STRETCH,
    count: 300,
    contact: "exchange",
    vias: ["peer", "url"],
    bytesOut: 40_000_000,
    peerIp: "203.0.113.7",
    peerPort: 443,
    evaluated: { count: 200, contact: "query", vias: 1, bytesOut: 1000 },
    refs: REFS,
  };
  assertStoredAs(
    MATCHED_INDICATORS,
    state,
    "014316bcc41e9000004316bcc41e90001401ac02052180b489130b3230332e302e3131332e37bb03c8010201e807" +
      "014316bcc41e9000000000000000004000800000000000000100000000000040009000000000000001",
  );
});

Deno.test("threat-intel: listed visitors survive storage", () => {
  assertRoundTrip(VISITS, anyVisitors);
  const state: VisitorsState = {
    ...STRETCH,
    count: 300,
    bytesOut: 20_000_000,
    certainty: 0.85,
    adminPort: 22,
    visitors: distinctOf(32, 9, 4_000_000_000),
    named: [{ ip: "198.51.100.1", list: "feodo.csv", description: "Emotet" }],
    evaluated: { visitors: 1, bytesOut: 0, adminPort: true },
    refs: REFS,
  };
  assertStoredAs(
    VISITS,
    state,
    "014316bcc41e9000004316bcc41e90001401ac0280dac4093feb333333333333160209f7cfacf30e010c3139382e" +
      "35312e3130302e310966656f646f2e63737606456d6f746574010001014316bcc41e900000000000000000400080" +
      "0000000000000100000000000040009000000000000001",
  );
});
