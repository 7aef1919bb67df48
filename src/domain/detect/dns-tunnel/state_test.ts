import assert from "node:assert/strict";
import fc from "fast-check";
import {
  best,
  connection,
  labels,
  lookup,
  packed,
  run,
  times,
} from "../../../../test/support/detect/dns-tunnel-fixtures.ts";
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
import {
  type AnswerUse,
  DNS_RESOLVERS,
  type DomainClients,
  RESOLVER_CLIENTS,
  type Suspect,
} from "./resolvers.ts";
import { LOOKUPS, type Lookups, type SampledName } from "./state.ts";

const anyLookups: fc.Arbitrary<Lookups> = fc.tuple(
  anyCountedDay,
  anySampled(
    anyRecord<SampledName>({
      hash: anyHash,
      chars: fc.nat(1023),
      random: fc.nat(15),
      dataType: fc.boolean(),
      outcome: fc.constantFrom(...OUTCOMES),
      answerBytes: fc.nat(65_535),
    }),
    64,
  ),
  anyRefList(16),
).map(([day, names, refs]) => ({ ...day, names, refs }));

const SAMPLE_LOOKUPS: Lookups = {
  day: {
    anchor: 1_600_000_050_000_000,
    firstSeen: 1_600_000_000_000_000,
    lastSeen: 1_600_000_100_000_000,
    stale: 2,
  },
  evaluatedCount: 30,
  reportedScore: 44.1,
  reportedCount: 28,
  names: [
    { hash: 9, chars: 56, random: 15, dataType: true, outcome: "data", answerBytes: 300 },
    { hash: 4_000_000_000, chars: 5, random: 0, dataType: false, outcome: "unknown", answerBytes: 0 },
  ],
  refs: refListOf([sampleRef(1), sampleRef(2)]),
};

const anyAnswers = anyList(fc.tuple(anyHash, anyHash, fc.integer({ min: 1, max: 255 }), fc.nat(1)), 64);

const anyAnswerUse = anyRecord<AnswerUse>({
  connections: fc.nat(10),
  answers: anyAnswers.map((rows) => rows.flat()),
  suspects: anyList(anyRecord<Suspect>({ domain: anyText(253), names: anyCount, at: anyFloat }), 6),
});

const SAMPLE_ANSWER_USE: AnswerUse = {
  connections: 10,
  answers: [4_000_000_000, 3, 255, 1, 7, 70_000, 1, 0],
  suspects: [{ domain: "evil.example", names: 130, at: 1_600_000_000_000_000 }],
};

const anyClients = anyRecord<DomainClients>({
  users: anyDistinct(16),
  inside: fc.nat(64),
  resolvers: anyList(anyHash, 8),
});

const SAMPLE_CLIENTS: DomainClients = {
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
    anyAnswerUse,
    SAMPLE_ANSWER_USE,
    "010a0280d0acf30e03ff0307f0a20402010c6576696c2e6578616d706c6582014316bcc41e900000",
  );
  checkStored(RESOLVER_CLIENTS, anyClients, SAMPLE_CLIENTS, "010301ab02d4cdacf30e4002f0a20403");
});

Deno.test("dns-tunnel: query and answer in two records are one lookup", () => {
  const label = labels(8);
  const pairs = times(30, (index) => {
    const name = `${label(40)}.t.evil.example`;
    return [
      lookup(index, name, { qtype: "TXT", rcode: null, answers: [], answered: false }),
      lookup(index, name, { qtype: "TXT", answers: ["y".repeat(200)] }),
    ];
  }).flat();
  const { results } = run(pairs);
  assert.match(best(results)!.summary, /looked up at least 2\d different names .* back in answers/);
});

Deno.test("dns-tunnel: results do not depend on rounds or storage", () => {
  const label = labels(9);
  const mixed = times(
    400,
    (index) =>
      index % 5 === 0
        ? connection(index, `203.0.113.${index % 7}`)
        : lookup(index, `${label(20 + index % 30)}.t${index % 3}.evil${index % 2}.example`, {
          answers: [`203.0.113.${index % 90}`],
        }),
  );
  const expected = run(mixed, { round: 1, stored: true });
  for (
    const options of [{ round: 7, stored: true }, { round: 400, stored: false }, { round: 1, stored: false }]
  ) {
    const other = run(mixed, options);
    assert.deepEqual(other.results, expected.results);
    assert.deepEqual(other.states, expected.states);
  }
  assert.ok(expected.results.length > 0);
});

Deno.test("dns-tunnel: hostile names never throw and stay bounded", () => {
  const anyName = fc.oneof(
    fc.string({ unit: "binary", maxLength: 1024 }),
    fc.array(fc.stringMatching(/^[a-z0-9\\x-]{0,70}$/), { maxLength: 12 }).map((parts) =>
      `${parts.join(".")}.evil.example`
    ),
  );
  const anyLookup = fc.record({
    name: fc.option(anyName),
    seconds: fc.oneof(fc.nat(100_000), fc.constantFrom(-1e9, 1e9, 4e9)),
    answers: fc.array(fc.oneof(fc.string({ maxLength: 512 }), fc.ipV4(), fc.ipV6()), { maxLength: 32 }),
    qtype: fc.option(fc.constantFrom("A", "TXT", "NULL", "*", "TYPE999")),
  });
  fc.assert(
    fc.property(fc.array(anyLookup, { maxLength: 120, size: "max" }), (all) => {
      const made = all.map(({ name, seconds, ...facts }) => lookup(seconds, name, facts));
      const { results, largest, states } = run(made, { round: 13 });
      assert.ok(largest < 4000);
      assert.deepEqual(run(made, { round: 50, stored: false }).states, states);
      for (const { title, summary } of results) assert.ok(title.length < 400 && summary.length < 800);
    }),
    { numRuns: 20 },
  );
});

Deno.test("dns-tunnel: one record of a wrong clock does not end or spoil a day", () => {
  const asked = packed(200);
  const wild = lookup(3e9, `${"q9z".repeat(15)}.t.evil.example`);
  assert.ok(best(run([wild, ...asked]).results)!.score >= 60);
  assert.ok(best(run([...asked.slice(0, 100), wild, ...asked.slice(100)]).results)!.score >= 60);
});
