import { type FieldName, FIELDS } from "../../contract/filter/fields.ts";
import type { Comparison } from "../../contract/filter/tree.ts";
import { parseValue } from "../../contract/filter/values.ts";

/** The comparison with a value that a list shows; null if the field has no such value. */
export function comparisonOf(field: FieldName, value: string | number): Comparison | null {
  const parsed = parseValue(field, String(value), { op: "=", quoted: true });
  if (!parsed.ok) return null;
  // `:` finds parts of texts and wildcards of names; the value itself is meant here.
  const { type } = FIELDS[field];
  return { field, op: type === "text" || type === "name" ? "=" : "matches", value: parsed.value };
}
