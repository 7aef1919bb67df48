import type { FieldName } from "../../../../../contract/filter/fields.ts";
import type { Comparison, Scalar } from "../../../../../contract/filter/tree.ts";
import type { Effect } from "../effect.ts";

/** The effect of each phrase of a list; `texts` are separated by commas. */
export function phrases(effect: Effect, texts: string): [string, Effect][] {
  return texts.split(",").map((text) => [text.trim().replaceAll(/\s+/g, " "), effect]);
}

/** An effect that adds one condition. */
export function is(
  field: FieldName,
  value: Scalar | Scalar[],
  op: Comparison["op"] = "matches",
): { is: Comparison } {
  return { is: { field, op, value } };
}

/** An effect that the field has a value. */
export function known(field: FieldName): Effect {
  return { is: { field, op: "exists" } };
}
