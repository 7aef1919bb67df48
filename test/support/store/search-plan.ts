import assert from "node:assert/strict";
import { parseText } from "../../../src/contract/filter/parser.ts";
import type { ResultKind } from "../../../src/contract/filter/tree.ts";
import type { TimeSpan } from "../../../src/contract/filter/time.ts";
import { planSearch, type SearchPlan } from "../../../src/domain/search/plan.ts";

/** The plan of a filter's text in a window. */
export function searchPlan(
  kind: ResultKind,
  text: string,
  window: TimeSpan | null,
  now = window?.to ?? 0,
): SearchPlan {
  const parsed = parseText(text);
  assert.ok(parsed.ok, text);
  const filter = { version: 1, kind, where: parsed.condition, window: null, zone: "UTC" } as const;
  return { ...planSearch(filter, { now, vlans: [] }), window };
}
