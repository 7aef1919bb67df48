import fc from "fast-check";
import {
  anyCount,
  anyFloat,
  anyList,
  anyRecord,
  anyRefList,
  anyScore,
  anyTime,
  checkStored,
  refListOf,
  sampleRef,
} from "../../../../test/support/detect/stored-state.ts";
import { LONG_USES, type LongUse } from "./state.ts";

const anyUse = anyRecord<LongUse>({
  base: anyFloat,
  open: fc.array(fc.nat(1), { minLength: 144, maxLength: 144 }).map((steps) => Uint8Array.from(steps)),
  firstSeen: anyTime,
  lastSeen: anyTime,
  longest: anyTime,
  connections: anyCount,
  reopened: anyCount,
  recent: anyList(anyRecord<LongUse["recent"][number]>({ start: anyTime, end: anyTime }), 8),
  stale: fc.nat(8),
  refs: anyRefList(12),
  evaluatedSteps: fc.nat(144),
  evaluatedAt: anyTime,
  reportedScore: anyScore,
});

const SAMPLE_USE: LongUse = {
  base: 2_666_523,
  open: Uint8Array.from({ length: 144 }, (_, step) => step % 5 === 0 || step > 100 ? 1 : 0),
  firstSeen: 1_600_000_000_000_000,
  lastSeen: 1_600_086_000_000_000,
  longest: 40_000_000_000,
  connections: 3,
  reopened: 1,
  recent: [{ start: 1_600_000_000_000_000, end: 1_600_040_000_000_000 }],
  stale: 2,
  refs: refListOf([sampleRef(1), sampleRef(2)]),
  evaluatedSteps: 60,
  evaluatedAt: 1_600_080_000_000_000,
  reportedScore: 47.9,
};

Deno.test("long-connection: states survive storage, and the format does not change", () => {
  checkStored(
    LONG_USES,
    anyUse,
    SAMPLE_USE,
    "014144580d80000000218401104208218401104208218401f001ff01ff01ff01ff01ff014316bcc41e9000004316bd14" +
      "368f70004222a05f200000004316bd0ea00c80000301023cdf03014316bcc41e9000004316bce95f4e4000024316bcc4" +
      "1e9000080100000000000000400080000000000000010000000000004000900000000000000100000000000040008000" +
      "00000000000200000000000040009000000000000002",
  );
});
