// Which columns and which order of the list of flows show what a question asks for.

import type { FieldName } from "../../contract/filter/fields.ts";
import { type Comparison, type Condition, isAll, isAny, isNot } from "../../contract/filter/tree.ts";

const VIEWS: readonly (readonly [view: string, fields: RegExp])[] = [
  ["dns", /^dns\./],
  ["alerts", /^alert(\.|$)/],
  ["tls", /^(tls\.|ja[34]s?$|certificate(\.|$))/],
  ["http", /^(http\.|user_agent$)/],
];
const SORTED: readonly FieldName[] = ["bytes", "src.bytes", "dst.bytes", "packets", "duration"];

/** The comparisons that rows of an answer meet; those under a `not` say what they are not. */
function asserted(condition: Condition): Comparison[] {
  if (isNot(condition)) return [];
  if (isAll(condition)) return condition.all.flatMap(asserted);
  return isAny(condition) ? condition.any.flatMap(asserted) : [condition];
}

/**
 * The view whose facts a filter is about, if it is one view's, and the largest first if the filter has a lower limit.
 * Undefined members are the list's own: all flows, the newest first.
 */
export function shownFor(where: Condition | null): { view: string | undefined; sort: string | undefined } {
  const leaves = where === null ? [] : asserted(where);
  const views = VIEWS.filter(([, fields]) => leaves.some(({ field }) => fields.test(field)));
  const limited = leaves.find(({ field, op }) => SORTED.includes(field) && (op === ">" || op === ">="));
  return {
    view: views.length === 1 ? views[0]![0] : undefined,
    sort: limited && `-${limited.field}`,
  };
}
