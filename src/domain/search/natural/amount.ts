import type { FieldName } from "../../../contract/filter/fields.ts";
import { wordsAt } from "./entity.ts";
import type { Token } from "./token.ts";

/** Filters state durations in milliseconds. */
const MS = 1000;

const COMPARATORS: ReadonlyMap<string, "<" | "<=" | ">" | ">="> = new Map([
  ...[
    "over",
    "above",
    "more than",
    "larger than",
    "bigger than",
    "greater than",
    "longer than",
    "higher than",
    ">",
    "exceeding",
    "upwards of",
    "of more than",
    "of over",
    "lasting more than",
    "lasting longer than",
    "lasting over",
    "that lasted more than",
    "that lasted longer than",
    "for more than",
    "for over",
    "for longer than",
    "beyond",
  ]
    .map((text) => [text, ">"] as const),
  ...["at least", "no less than", ">=", "minimum", "of at least", "lasting at least", "for at least"].map((
    text,
  ) => [text, ">="] as const),
  ...[
    "under",
    "below",
    "less than",
    "smaller than",
    "shorter than",
    "lower than",
    "fewer than",
    "<",
    "lasting less than",
  ]
    .map((text) => [text, "<"] as const),
  ...["at most", "no more than", "<=", "up to", "maximum"].map((text) => [text, "<="] as const),
]);

const SIZE_WORDS: Readonly<Record<string, number>> = {
  byte: 1,
  b: 1,
  kilobyte: 1e3,
  kb: 1e3,
  megabyte: 1e6,
  mb: 1e6,
  meg: 1e6,
  gigabyte: 1e9,
  gb: 1e9,
  gig: 1e9,
  terabyte: 1e12,
  tb: 1e12,
};

const TIME_WORDS: Readonly<Record<string, number>> = {
  second: 1,
  sec: 1,
  minute: 60,
  min: 60,
  hour: 3600,
  hr: 3600,
  day: 86_400,
  week: 604_800,
  month: 2_592_000,
};

/** The word with which a size, length or number is compared. */
type Bound = "<" | "<=" | ">" | ">=";

/** A size, length or count with its unit, and the field it is of. */
interface Amount {
  field: FieldName;
  value: number;
  length: number;
}

/** The comparison that is worded at a position. */
export function comparatorAt(all: readonly Token[], at: number): { op: Bound; length: number } | null {
  for (let length = 4; length > 0; length--) {
    const words = all.slice(at, at + length).map(({ text }) => text);
    const op = words.length === length ? COMPARATORS.get(words.join(" ")) : undefined;
    if (op !== undefined) return { op, length };
  }
  return null;
}

export function amountAt(all: readonly Token[], at: number, sizeField: FieldName): Amount | null {
  const token = all[at];
  if (token === undefined) return null;
  if (token.kind === "size") return { field: sizeField, value: token.value!, length: 1 };
  if (token.kind === "duration") return { field: "duration", value: token.value! * MS, length: 1 };
  const number = token.kind === "number"
    ? token.value!
    : { a: 1, an: 1, one: 1, two: 2, ten: 10 }[token.text];
  if (number === undefined) return null;
  const unit = wordsAt(all, at + 1, 1)[0] ?? "";
  if (SIZE_WORDS[unit] !== undefined) {
    return { field: sizeField, value: number * SIZE_WORDS[unit], length: 2 };
  }
  if (TIME_WORDS[unit] !== undefined) {
    return { field: "duration", value: number * TIME_WORDS[unit] * MS, length: 2 };
  }
  if (unit === "packet") return { field: "packets", value: number, length: 2 };
  return null;
}
