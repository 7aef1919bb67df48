// Values for the document's schemas: valid ones, ones at the bounds, and ones no client sends.

import { flatten, type Schema } from "../../contract/openapi/document.ts";
import type { Random } from "./random.ts";

/** Schema keywords that response checks do not use. */
export type Described = Schema & {
  format?: string;
  example?: unknown;
  examples?: unknown[];
  default?: unknown;
  minItems?: number;
  maxItems?: number;
};

/** Texts that have broken programs before. */
const HOSTILE: readonly string[] = [
  "",
  " ",
  "\0",
  "a\0b",
  "null",
  "undefined",
  "true",
  "-1",
  "0",
  "1e309",
  "NaN",
  "9007199254740993",
  "99999999999999999999999999",
  "' or 1=1 --",
  "'; drop table flow; --",
  "$1",
  "${7*7}",
  "{{7*7}}",
  "%00",
  "%s%s%n",
  "%",
  "_%\\",
  "../../etc/passwd",
  "..%2f..%2f",
  "<script>alert(1)</script>",
  '"><img src=x onerror=alert(1)>',
  "\r\nX-Injected: yes",
  "__proto__",
  "constructor",
  "toString",
  "[object Object]",
  "\ud800",
  "\udfff\ud800",
  "\u202e\u2066",
  "\u200b",
  "ß\u0130\u01c5",
  "e\u0301".repeat(20),
  "👩‍👩‍👧‍👦",
  "𝟘𝟙",
  "٣",
  "a".repeat(129),
  "a".repeat(1025),
  "é".repeat(2000),
  "::ffff:10.0.0.1",
  "010.0.0.1",
  "1",
  "fe80::1%eth0",
  "10.0.0.0/8",
  "10.0.0.256",
  "2026-13-01T00:00:00Z",
  "2026-02-30T00:00:00Z",
  "0000-01-01T00:00:00Z",
  "9999-12-31T23:59:59.999999999Z",
  "-271821-04-20T00:00:00Z",
  "+275760-09-13T00:00:00.001Z",
  "2026-01-01T00:00:60Z",
  "2026-01-01T24:00:00Z",
  "2026-01-01T00:00:00+99:99",
  "1970-01-01T00:00:00Z",
  "00000000-0000-0000-0000-000000000000",
  "ffffffff-ffff-ffff-ffff-ffffffffffff",
  "00000000-0000-0000-0000-00000000000G",
];

export function hostileText(random: Random): string {
  if (random.chance(0.8)) return random.pick(HOSTILE);
  return Array.from({ length: random.below(40) }, () => String.fromCharCode(random.below(0x3000))).join("");
}

/** A time near `around` (milliseconds), or at the limits of the format. */
function someTime(random: Random, around: number): string {
  const offset = random.pick([
    0,
    1,
    -1,
    60_000,
    -60_000,
    3_600_000,
    -86_400_000,
    -31 * 86_400_000,
    366 * 86_400_000,
  ]);
  const text = new Date(around + offset).toISOString();
  if (random.chance(0.7)) return text;
  return random.pick([
    text.replace("Z", "+02:00"),
    text.replace(/\.\d+/, ""),
    text.replace("Z", "123456Z"),
    text.toLowerCase(),
  ]);
}

/** A value that the schema allows, as far as the schema states. */
export function allowed(random: Random, reference: Described, now: number): unknown {
  const schema: Described = { ...reference, ...flatten(reference) };
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return allowed(random, random.pick(choices), now);
  if (schema.enum) return random.pick(schema.enum);
  const types = [schema.type ?? "object"].flat();
  switch (random.pick(types)) {
    case "null":
      return null;
    case "boolean":
      return random.chance(0.5);
    case "integer":
      return Math.floor(someNumber(random, schema));
    case "number":
      return someNumber(random, schema);
    case "array":
      return Array.from({ length: random.below(4) }, () => allowed(random, schema.items ?? {}, now));
    case "object":
      return someObject(random, schema, now);
    default:
      return someText(random, schema, now);
  }
}

function someNumber(random: Random, { minimum = 0, maximum = 1e6 }: Described): number {
  return random.pick([minimum, maximum, minimum + (maximum - minimum) * random.share()]);
}

function someText(random: Random, schema: Described, now: number): string {
  if (schema.format === "date-time") return someTime(random, now);
  const examples = [schema.example, ...schema.examples ?? []].filter((one) => typeof one === "string");
  if (examples.length > 0 && random.chance(0.6)) return random.pick(examples) as string;
  const { minLength = 0, maxLength = 40 } = schema;
  const length = random.pick([Math.max(1, minLength), maxLength, Math.min(maxLength, 8)]);
  return "abcdefgh ijklmnop".repeat(Math.ceil(length / 17)).slice(0, length);
}

function someObject(random: Random, { properties = {}, required = [] }: Described, now: number) {
  const names = Object.keys(properties).filter((name) => required.includes(name) || random.chance(0.5));
  return Object.fromEntries(names.map((name) => [name, allowed(random, properties[name]!, now)]));
}

/** A value that the schema refuses: another type, a value out of bounds, a hostile text. */
export function refused(random: Random, reference: Described): unknown {
  const { maximum = 100, minimum = 0, maxLength = 100 } = flatten(reference) as Described;
  return random.pick([
    () => hostileText(random),
    () => null,
    () => random.pick([true, false]),
    () => random.pick([maximum + 1, minimum - 1, 0.5, -0, 2 ** 53, 1e308, -1e308]),
    () => "x".repeat(maxLength + 1),
    () => [],
    () => ({}),
    () => [[[[]]]],
    () => ({ "": null, __proto__: 1 }),
  ])();
}
