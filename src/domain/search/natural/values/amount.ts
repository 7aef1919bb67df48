import type { FieldName } from "../../../../contract/filter/fields.ts";
import { WHOLE_NUMBERS } from "../time/time-words.ts";
import { lengthOfOne } from "./context.ts";
import { wordsAt } from "./entity.ts";
import type { Token } from "../words/token.ts";
import { PHRASES } from "../words/vocabulary.ts";

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
  fortnight: 1_209_600,
  month: 2_592_000,
};

/** Words after an amount that bound it. */
const OR_MORE = ["or more", "and more", "or larger", "or longer", "or above"];
const OR_LESS = ["or less", "and less", "or smaller", "or shorter", "or below"];
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
  const number = token.kind === "number" ? token.value! : WHOLE_NUMBERS[token.text];
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

interface BoundedAmount {
  field: FieldName;
  op: Bound | "range";
  value: number | [least: number, most: number];
  note?: string;
  length: number;
}

/** A size, length or count with what bounds it: `over 5 MB`, `500MB+`, `between 10 and 20 minutes`. */
export function boundedAmountAt(all: readonly Token[], at: number, size: FieldName): BoundedAmount | null {
  const between = amountsBetween(all, at, size);
  if (between !== null) return between;
  const bound = comparatorAt(all, at);
  const amount = amountAt(all, at + (bound?.length ?? 0), size);
  if (amount === null) return null;
  if (bound !== null) return { ...amount, op: bound.op, length: bound.length + amount.length };
  // `500 MB or more`, `500MB+`.
  const more = lengthOfOne(all, at + amount.length, OR_MORE);
  const less = lengthOfOne(all, at + amount.length, OR_LESS);
  const length = amount.length + more + less;
  if (more > 0 || all[at]!.text.endsWith("+")) return { ...amount, op: ">=", length };
  if (less > 0) return { ...amount, op: "<=", length };
  // `who downloaded 5 GB`.
  const verb = PHRASES.get(all[at - 1]?.text ?? "");
  const typed = all.slice(at, at + length).map(({ typed }) => typed).join(" ");
  const isMoved = amount.field.endsWith("bytes") && verb !== undefined && "verb" in verb &&
    "topic" in verb;
  return isMoved ? { ...amount, op: ">=", note: `At least ${typed}.`, length } : null;
}

/** `between 10 and 20 minutes`, but not `between 10 and 20 minutes ago`. */
function amountsBetween(all: readonly Token[], at: number, size: FieldName): BoundedAmount | null {
  if (all[at]!.text !== "between") return null;
  const first = amountAt(all, at + 1, size);
  const joint = at + 1 + (first?.length ?? 1);
  const most = all[joint]?.text === "and" ? amountAt(all, joint + 1, size) : null;
  const length = joint + 1 - at + (most?.length ?? 0);
  if (most === null || all[at + length]?.text === "ago") return null;
  // Without a unit of its own, the first has that of the second.
  const unit = most.value / (all[joint + 1]!.value ?? NaN);
  const value = first?.field === most.field ? first.value : all[at + 1]!.value! * unit;
  return Number.isFinite(value)
    ? { field: most.field, op: "range", value: [value, most.value], length }
    : null;
}
