import fc from "fast-check";
import {
  anyCountedDay,
  anyHash,
  anyList,
  anyRecord,
  anyRefList,
  anySampled,
  anyText,
  checkStored,
  refListOf,
  sampleRef,
} from "../../../../test/support/detect/stored-state.ts";
import { type FailedDomain, FAILURES, type Failures } from "./state.ts";

const anyFailures: fc.Arbitrary<Failures> = fc.tuple(
  anyCountedDay,
  anySampled(anyRecord<FailedDomain>({ hash: anyHash, random: fc.nat(15), length: fc.nat(255) }), 64),
  anyList(anyText(64), 4),
  anyRefList(16),
).map(([day, domains, examples, refs]) => ({ ...day, domains, examples, refs }));

const SAMPLE_FAILURES: Failures = {
  day: {
    anchor: 1_600_000_050_000_000,
    firstSeen: 1_600_000_000_000_000,
    lastSeen: 1_600_000_100_000_000,
    stale: 2,
  },
  evaluatedCount: 30,
  reportedScore: 44.1,
  reportedCount: 28,
  domains: [{ hash: 9, random: 15, length: 12 }, { hash: 4_000_000_000, random: 0, length: 255 }],
  examples: ["qzxvkjhw.com", "", "bücher.example"],
  refs: refListOf([sampleRef(1), sampleRef(2)]),
};

Deno.test("dga: states survive storage, and the format does not change", () => {
  checkStored(
    FAILURES,
    anyFailures,
    SAMPLE_FAILURES,
    "014316bcc42a7bc20080e1eb1780e1eb17021eb9031c0209cf01f7cfacf30ef01f030c717a78766b6a68772e636f6d00" +
      "0f62c3bc636865722e6578616d706c65024316bcc41e9000080100000000000000400080000000000000010000000000" +
      "00400090000000000000010000000000004000800000000000000200000000000040009000000000000002",
  );
});
