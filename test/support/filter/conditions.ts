// Random filters, for the tests of everything that takes one.

import fc from "fast-check";
import { checkLeaf } from "../../../src/contract/filter/check.ts";
import { FIELD_NAMES, type FieldName, FIELDS } from "../../../src/contract/filter/fields.ts";
import type { Field, FieldType, Operator } from "../../../src/contract/filter/field.ts";
import { TIME_WORDS } from "../../../src/contract/filter/time.ts";
import { operatorsOf } from "../../../src/contract/filter/names.ts";
import { depthOf, leavesOf } from "../../../src/contract/filter/normalise.ts";
import type { Comparison, Condition, Scalar } from "../../../src/contract/filter/tree.ts";
import { compareValues, parseValue } from "../../../src/contract/filter/values.ts";

const hex = (length: number) =>
  fc.string({ unit: fc.constantFrom(..."0123456789abcdef"), minLength: length, maxLength: length });
const word = fc.string({ unit: fc.constantFrom(..."abcxyz0189_-"), minLength: 1, maxLength: 8 });
const number = fc.oneof(
  fc.nat(5000),
  fc.nat(2 ** 31),
  fc.constantFrom(0, 1, 1000, 1024, 1_000_000, 1_073_741_824, 2 ** 53 - 1),
);

/** Texts that break careless parsers and printers. */
const AWKWARD = [
  "and",
  "OR",
  "not",
  "-x",
  "a b",
  " a",
  'quote " and \\',
  "\\\\server\\share",
  "(a)",
  "a,b",
  "a..b",
  "..",
  "*",
  "a*",
  "*a*",
  ":443",
  ":",
  "=",
  ">5",
  "!",
  "port",
  "dns",
  "src.ip:10.1",
  "10.1",
  "12:30",
  "1:2",
  "MB",
  "a||b",
  "a&&b",
  "'a'",
  "\u201cquoted\u201d",
  "a\nb",
  "\u00a0",
  "\u{1f600}",
  "%",
  "_",
  "a%b_c",
  "https://example.com/a?b=c",
  "aa:bb:cc:dd:ee:ff",
  "fe80::1",
  "x".repeat(512),
];

const address = fc.oneof(
  fc.ipV4(),
  fc.ipV6(),
  fc.tuple(fc.ipV4(), fc.nat(32)).map(([ip, prefix]) => `${ip}/${prefix}`),
  fc.tuple(fc.ipV6(), fc.nat(128)).map(([ip, prefix]) => `${ip}/${prefix}`),
  fc.constantFrom("10.1", "192.168.", "::ffff:10.0.0.1", "10.0.0.0/8"),
);
const text = fc.oneof(
  word,
  fc.constantFrom(...AWKWARD),
  fc.string({ unit: "binary", minLength: 1, maxLength: 12 }),
  fc.string({ minLength: 1, maxLength: 20 }),
);
const name = fc.oneof(
  fc.array(word, { minLength: 1, maxLength: 4 }).map((labels) => labels.join(".")),
  word.map((label) => `*.${label}.com`),
  word.map((label) => `${label}*`),
  address,
  text,
);
const fingerprint = fc.oneof(
  hex(32),
  hex(40),
  hex(64),
  fc.tuple(hex(12), hex(12)).map(([a, b]) => `t13d1516h2_${a}_${b}`),
  fc.tuple(hex(4), hex(12)).map(([a, b]) => `t130200_${a}_${b}`),
  fc.string({ unit: fc.constantFrom(..."abcXYZ019+/"), minLength: 27, maxLength: 27 }).map((id) =>
    `1:${id}=`
  ),
);
const time = fc.oneof(
  fc.constantFrom(...TIME_WORDS),
  fc.tuple(fc.nat(2000), fc.constantFrom("s", "m", "h", "d", "w")).map(([count, unit]) => `-${count}${unit}`),
  fc.date({ min: new Date("1990-01-01"), max: new Date("2100-01-01"), noInvalidDate: true }).chain((date) =>
    fc.constantFrom(10, 16, 19, 23, 24).map((length) => date.toISOString().slice(0, length))
  ),
);

const TEXTS: Readonly<Record<FieldType, fc.Arbitrary<string>>> = {
  address,
  port: fc.nat(65_535).map(String),
  name,
  fingerprint,
  text,
  enum: word,
  country: fc.constantFrom("RO", "de", "United States", "uk", "South Korea"),
  asn: fc.nat(2 ** 32 - 1).map((asn) => `AS${asn}`),
  number: fc.oneof(number.map(String), fc.constantFrom("0.5", "12.25")),
  bytes: number.map(String),
  rate: number.map(String),
  duration: number.map((milliseconds) => `${milliseconds}ms`),
  time,
  vlan: fc.oneof(fc.nat(4094).map(String), text),
  id: fc.uuid(),
  any: fc.oneof(text, name, address, fingerprint, fc.uuid(), fc.nat(65_535).map((port) => `:${port}`)),
};

/** A canonical value of a field. */
export function valueOf(field: FieldName, op: Operator): fc.Arbitrary<Scalar> {
  const { type, values } = FIELDS[field] as Field;
  const texts = values === undefined ? TEXTS[type] : fc.constantFrom(...values);
  return texts.map((each) => parseValue(field, each, { op, quoted: true }))
    .filter((parsed) => parsed.ok).map((parsed) => parsed.ok ? parsed.value : 0);
}

/** A valid comparison of a field. */
export function comparisonOf(field: FieldName): fc.Arbitrary<Comparison> {
  return fc.constantFrom(...operatorsOf(field)).chain((op): fc.Arbitrary<Comparison> => {
    const value = valueOf(field, op);
    if (op === "exists") return fc.constant({ field, op });
    if (op === "range") {
      return fc.tuple(value, value).map(([a, b]): Comparison => ({
        field,
        op,
        value: (compareValues(field, a, b) ?? 0) <= 0 ? [a, b] : [b, a],
      })).filter((leaf) => checkLeaf(leaf) === null);
    }
    const single = value.map((each): Comparison => ({ field, op, value: each }));
    if (op !== "matches" && op !== "=" && op !== "!=") return single;
    const list = fc.array(value, { minLength: 1, maxLength: 4 }).map((values): Comparison => ({
      field,
      op,
      value: values,
    }));
    return fc.oneof({ weight: 3, arbitrary: single }, { weight: 1, arbitrary: list });
  });
}

/** A valid condition of up to about a dozen comparisons of these fields, or as `leaf` gives them. */
export function conditions(
  fields: readonly FieldName[] = FIELD_NAMES,
  leaf: fc.Arbitrary<Comparison> = fc.constantFrom(...fields).chain(comparisonOf),
): fc.Arbitrary<Condition> {
  const { tree } = fc.letrec<{ tree: Condition; group: Condition[] }>((tie) => ({
    group: fc.array(tie("tree"), { minLength: 1, maxLength: 4 }),
    tree: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      leaf,
      tie("group").map((all): Condition => ({ all })),
      tie("group").map((any): Condition => ({ any })),
      tie("tree").map((not): Condition => ({ not })),
    ),
  }));
  return tree.filter((each) => depthOf(each) <= 8 && leavesOf(each).length <= 30);
}
