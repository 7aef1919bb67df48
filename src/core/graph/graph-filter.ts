import { groupCondition, type Grouped } from "../../contract/filter/group.ts";
import { pairCondition, pairFaults } from "../../contract/filter/pair-fields.ts";
import { parseText } from "../../contract/filter/parser.ts";
import { printCondition } from "../../contract/filter/printer.ts";
import { withReader } from "../../domain/search/reader.ts";
import { textFault } from "../search/filter-fault.ts";

/**
 * The `filter` of a graph in canonical form, so that equal ones share a computation; null for one without a condition.
 *
 * @param subject The person who asks.
 * @throws ApiError with what is wrong in the text and where
 */
export function readGraphFilter(text: string, subject: string): string | null {
  const parsed = parseText(text);
  if (!parsed.ok) throw textFault("filter", parsed.faults);
  const faults = pairFaults(parsed.spans);
  if (faults.length > 0) throw textFault("filter", faults);
  return parsed.condition === null ? null : printCondition(withReader(parsed.condition, subject));
}

/** The condition of a filter in canonical form. */
export function graphCondition(filter: string): Grouped {
  const parsed = parseText(filter);
  if (!parsed.ok || parsed.condition === null) throw new TypeError("a filter that was not checked");
  return groupCondition(pairCondition(parsed.condition), "flows");
}
