import fc from "fast-check";
import {
  anyCount,
  anyDistinct,
  anyIp,
  anyList,
  anyRecord,
  anyRefs,
  anyScore,
  anyText,
  anyTime,
  assertRoundTrip,
  assertStoredAs,
  distinctOf,
} from "../../../../test/support/detect/stored-state.ts";
import { T0, uuid } from "../../../../test/support/detect/detector-fixtures.ts";
import type { Day } from "../kernel/state/sample.ts";
import { ACT_COUNTS, type ActCount, type ActCounts, newActCount } from "./state.ts";

const anyActCounts = anyRecord<ActCounts>({
  day: anyRecord<Day>({
    anchor: fc.option(anyTime),
    firstSeen: anyTime,
    lastSeen: anyTime,
    stale: fc.nat(8),
  }),
  acts: fc.array(
    anyRecord<ActCount>({
      peers: anyDistinct(96),
      examples: anyList(anyText(120), 4),
      ips: anyList(anyIp, 4),
      refs: anyRefs(6),
      evaluatedCount: anyCount,
    }),
    { minLength: 4, maxLength: 4 },
  ),
  reportedScore: anyScore,
});

Deno.test("type-contradiction: states survive storage", () => {
  assertRoundTrip(ACT_COUNTS, anyActCounts);
  const state: ActCounts = {
    day: { anchor: T0, firstSeen: T0 - 5, lastSeen: T0 + 5, stale: 2 },
    acts: [
      {
        peers: distinctOf(96, 9, 300),
        examples: ["SSH on 10.0.1.0"],
        ips: ["10.0.1.0"],
        refs: [{ evidenceId: uuid(1), observedAt: T0, flowId: uuid(1, "9") }],
        evaluatedCount: 1,
      },
      newActCount(),
      newActCount(),
      { ...newActCount(), peers: distinctOf(96, 4_000_000_000) },
    ],
    reportedScore: 44.5,
  };
  assertStoredAs(
    ACT_COUNTS,
    state,
    "014316bcc41e9000004316bcc41e8fffec4316bcc41e90001402bd030209a302010f535348206f6e2031302e302e" +
      "312e30010831302e302e312e3001000000000000400080000000000000014316bcc41e9000000000000000004000" +
      "900000000000000101000000000000000000000180d0acf30e00000000",
  );
});
