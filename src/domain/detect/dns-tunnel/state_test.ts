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

Deno.test("dns-tunnel: a question and its answer in two records are one lookup", () => {
  const label = labels(8);
  const pairs = times(30, (index) => {
    const name = `${label(40)}.t.evil.example`;
    return [
      lookup(index, name, { qtype: "TXT", rcode: null, answers: [], answered: false }),
      lookup(index, name, { qtype: "TXT", answers: ["y".repeat(200)] }),
    ];
  }).flat();
  const { results } = run(pairs);
  assert.match(best(results)!.summary, /looked up 2\d different names .* back in answers/);
});

Deno.test("dns-tunnel: rounds of any size and stored states give the same", () => {
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

Deno.test("dns-tunnel: one record of a wild clock does not end or poison a day", () => {
  const asked = packed(200);
  const wild = lookup(3e9, `${"q9z".repeat(15)}.t.evil.example`);
  assert.ok(best(run([wild, ...asked]).results)!.score >= 60);
  assert.ok(best(run([...asked.slice(0, 100), wild, ...asked.slice(100)]).results)!.score >= 60);
});
