import fc from "fast-check";
import {
  anyCount,
  anyCountedDay,
  anyDistinct,
  anyFloat,
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
import { Distinct } from "../kernel/state/distinct.ts";
import { OUTCOMES } from "./name.ts";
import { type Askers, type Desk, DNS_RESOLVERS, RESOLVER_CLIENTS, type Suspect } from "./resolvers.ts";
import { LOOKUPS, type Lookups, type SampledName } from "./state.ts";

export const anyLookups: fc.Arbitrary<Lookups> = fc.tuple(
  anyCountedDay,
  anySampled(
    anyRecord<SampledName>({
      hash: anyHash,
      chars: fc.nat(1023),
      random: fc.nat(15),
      dataType: fc.boolean(),
      outcome: fc.constantFrom(...OUTCOMES),
      down: fc.nat(65_535),
    }),
    64,
  ),
  anyRefList(16),
).map(([day, names, refs]) => ({ ...day, names, refs }));

export const SAMPLE_LOOKUPS: Lookups = {
  day: {
    anchor: 1_600_000_050_000_000,
    firstSeen: 1_600_000_000_000_000,
    lastSeen: 1_600_000_100_000_000,
    stale: 2,
  },
  judged: 30,
  saidScore: 44.1,
  saidCount: 28,
  names: [
    { hash: 9, chars: 56, random: 15, dataType: true, outcome: "data", down: 300 },
    { hash: 4_000_000_000, chars: 5, random: 0, dataType: false, outcome: "unknown", down: 0 },
  ],
  refs: refListOf([sampleRef(1), sampleRef(2)]),
};

const anyAnswers = anyList(fc.tuple(anyHash, anyHash, fc.integer({ min: 1, max: 255 }), fc.nat(1)), 64);

export const anyDesk = anyRecord<Desk>({
  connections: fc.nat(10),
  answers: anyAnswers.map((rows) => rows.flat()),
  suspects: anyList(anyRecord<Suspect>({ domain: anyText(253), names: anyCount, at: anyFloat }), 6),
});

export const SAMPLE_DESK: Desk = {
  connections: 10,
  answers: [4_000_000_000, 3, 255, 1, 7, 70_000, 1, 0],
  suspects: [{ domain: "evil.example", names: 130, at: 1_600_000_000_000_000 }],
};

export const anyAskers = anyRecord<Askers>({
  users: anyDistinct(16),
  inside: fc.nat(64),
  resolvers: anyList(anyHash, 8),
});

export const SAMPLE_ASKERS: Askers = {
  users: new Distinct(16, [1, 300, 4_000_000_000]),
  inside: 64,
  resolvers: [70_000, 3],
};

Deno.test("dns-tunnel: states survive storage, and the format does not change", () => {
  checkStored(
    LOOKUPS,
    anyLookups,
    SAMPLE_LOOKUPS,
    "014316bcc42a7bc20080e1eb1780e1eb17021eb9031c0209389f01ac02f7cfacf30e050000024316bcc41e9000080100" +
      "000000000000400080000000000000010000000000004000900000000000000100000000000040008000000000000002" +
      "00000000000040009000000000000002",
  );
  checkStored(
    DNS_RESOLVERS,
    anyDesk,
    SAMPLE_DESK,
    "010a0280d0acf30e03ff0307f0a20402010c6576696c2e6578616d706c6582014316bcc41e900000",
  );
  checkStored(RESOLVER_CLIENTS, anyAskers, SAMPLE_ASKERS, "010301ab02d4cdacf30e4002f0a20403");
});
