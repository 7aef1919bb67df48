import { FIELD_NAMES, type FieldName, FIELDS } from "./fields.ts";
import { type Operator, OPERATORS_OF } from "./field.ts";

const BY_SPELLING: ReadonlyMap<string, FieldName> = new Map(
  // Names after aliases, so that a name always means its own field.
  [
    ...FIELD_NAMES.flatMap((name) => (FIELDS[name].aliases ?? []).map((alias) => [alias, name] as const)),
    ...FIELD_NAMES.map((name) => [name, name] as const),
  ],
);

/** Every accepted spelling of a field except `any`, which is written as a bare word. */
export const SPELLINGS: readonly string[] = [...BY_SPELLING.keys()].filter((name) => name !== "any");

/** The field of a name or alias in any letter case; null if there is none. */
export function fieldNamed(text: string): FieldName | null {
  return BY_SPELLING.get(text.toLowerCase()) ?? null;
}

const ORDERED_OPERATORS: readonly Operator[] = [
  "matches",
  "=",
  "!=",
  "<",
  "<=",
  ">",
  ">=",
  "range",
  "exists",
];

/** The operators of a field: those of its type, and all of them for an ordered enumeration. */
export function operatorsOf(field: FieldName): readonly Operator[] {
  const { type, ordered } = FIELDS[field];
  return ordered === true ? ORDERED_OPERATORS : OPERATORS_OF[type];
}

/** Whether `field:low..high` is a range, and not a text with two dots. */
export function takesRange(field: FieldName): boolean {
  return operatorsOf(field).includes("range");
}

/**
 * Whether a bare word is the name of a field whose values have a form, so that `port 22` is probably a comparison
 * without its operator. Texts and names follow any word.
 */
export function wantsOperator(word: string): boolean {
  const field = fieldNamed(word);
  if (field === null) return false;
  const { type } = FIELDS[field];
  return type !== "text" && type !== "name" && type !== "any";
}
