// Text to tree to text is lossless, and no text makes the parser fail.

import assert from "node:assert/strict";
import fc from "fast-check";
import { comparisonOf, conditions } from "../../../test/support/filter/conditions.ts";
import { scaled } from "../../../test/support/scale.ts";
import { checkFilter } from "./check.ts";
import { FIELD_NAMES, FIELDS } from "./fields.ts";
import { FILTER_LIMITS } from "./limits.ts";
import { operatorsOf } from "./names.ts";
import { leavesOf, normalise } from "./normalise.ts";
import { parseText } from "./parser.ts";
import { printCondition } from "./printer.ts";
import type { Condition } from "./tree.ts";

function assertRoundTrip(condition: Condition): void {
  assert.deepEqual(checkFilter(condition), []);
  const text = printCondition(normalise(condition));
  if (text.length > FILTER_LIMITS.textLength) return;
  const parsed = parseText(text);
  assert.ok(parsed.ok, `${text}\n${JSON.stringify(parsed)}`);
  assert.deepEqual(parsed.condition, normalise(condition), text);
  assert.deepEqual(parsed.spans.map(({ leaf }) => leaf), leavesOf(parsed.condition!));
  assert.equal(printCondition(parsed.condition), text);
}

Deno.test("filter: every field and operator is parsed as it was printed", () => {
  for (const field of FIELD_NAMES) {
    const seen = new Set<string>();
    fc.assert(
      fc.property(comparisonOf(field), (comparison) => {
        seen.add(comparison.op);
        assertRoundTrip(comparison);
      }),
      { numRuns: scaled(60), seed: 27 },
    );
    assert.deepEqual([...seen].sort(), [...operatorsOf(field)].sort(), field);
  }
});

Deno.test("filter: a tree is parsed as it was printed", () => {
  fc.assert(fc.property(conditions(), assertRoundTrip), { numRuns: scaled(2000) });
});

/** Parts that a text is made of. */
const PIECES = [
  ...FIELD_NAMES.map((name) => `${name}:`),
  ...FIELD_NAMES.map((name) => FIELDS[name].example),
  ..."()\"',:=<>!-*.&|\\".split(""),
  " ",
  "  ",
  " and ",
  " or ",
  " not ",
  "..",
  "&&",
  "||",
  "src.ip>=",
  "foo:",
  "10.1",
  "::1",
  "1h30m",
  "5 MB",
  "-2h",
  "\u201c",
  "\u201d",
  "\0",
  "\ud800",
  "\u00a0",
  "\n",
];
const texts = fc.oneof(
  fc.array(fc.constantFrom(...PIECES), { maxLength: 14 }).map((parts) => parts.join("")),
  fc.string({ unit: "binary", maxLength: 60 }),
  // A valid text with a piece cut out and another put in.
  fc.tuple(conditions(), fc.nat(), fc.nat(6), fc.constantFrom("", ...PIECES)).map(
    ([condition, at, cut, piece]) => {
      const text = printCondition(condition);
      const from = at % (text.length + 1);
      return text.slice(0, from) + piece + text.slice(from + cut);
    },
  ),
);

Deno.test("filter: a random text is a filter or has faults with positions", () => {
  fc.assert(
    fc.property(texts, (text) => {
      const parsed = parseText(text);
      if (!parsed.ok) {
        assert.ok(parsed.faults.length > 0);
        for (const { from, to, message } of parsed.faults) {
          assert.ok(0 <= from && from <= to && to <= text.length && message !== "", JSON.stringify(parsed));
        }
        return;
      }
      const { condition, spans } = parsed;
      if (condition === null) return assert.equal(text.trim(), "");
      assert.deepEqual(checkFilter(condition), []);
      assert.equal(spans.length, leavesOf(condition).length);
      for (const { from, to } of spans) assert.ok(0 <= from && from < to && to <= text.length);
      const printed = printCondition(condition);
      if (printed.length > FILTER_LIMITS.textLength) return;
      const again = parseText(printed);
      assert.ok(again.ok, printed);
      assert.deepEqual(again.condition, condition);
      assert.equal(printCondition(again.condition), printed);
    }),
    { numRuns: scaled(2000) },
  );
});

Deno.test("filter: a long hostile text is refused without overflowing the stack", () => {
  for (
    const piece of [
      "(",
      "not ",
      "-",
      "!",
      "a:(",
      "a or (",
      '"',
      "\\",
      "port:(1,",
      "ip:1..",
      "((a)",
      "bytes:1 ",
    ]
  ) {
    for (const length of [1000, FILTER_LIMITS.textLength, 100_000]) {
      const text = piece.repeat(Math.ceil(length / piece.length)).slice(0, length);
      const parsed = parseText(text);
      assert.equal(parsed.ok, false, `${piece} ${length}`);
    }
  }
});
