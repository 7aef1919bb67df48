import type { FieldName } from "../../../contract/filter/fields.ts";
import { wordsAt } from "./entity.ts";
import type { Token } from "./token.ts";
import { COMPARATORS, SIZE_WORDS, TIME_WORDS } from "./vocabulary.ts";

/** Filters state durations in milliseconds. */
const MS = 1000;

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
