import { checkFilter } from "../../../contract/filter/check.ts";
import { parseText } from "../../../contract/filter/parser.ts";
import { windowSpan } from "../../../contract/filter/time.ts";
import type { Condition, Filter, ResultKind } from "../../../contract/filter/tree.ts";
import { ApiError } from "../../../contract/request/errors.ts";
import { planSearch, type SearchPlan } from "../../../domain/search/plan.ts";
import { withReader } from "../../../domain/search/reader.ts";
import { fieldError } from "../../field-error.ts";
import type { Caller } from "../../handler.ts";
import type { HandlerDeps } from "../deps.ts";
import { textFault, treeFault } from "../../search/filter-fault.ts";

/** Longest window of flows, as in their list: 31 days in microseconds. */
const MAX_FLOW_WINDOW = 31 * 86_400_000_000;

type Tenants = Pick<HandlerDeps, "tenants">;
/** Who asks, and where. */
type Reader = Pick<Caller, "tenantId" | "subject">;

/**
 * The plan of a client's structured filter. Relative times are relative to `now`, microseconds.
 *
 * @throws ApiError with what is wrong in the filter and where
 */
export function planOf(
  { tenants }: Tenants,
  { tenantId, subject }: Reader,
  filter: Filter,
  now: number,
): SearchPlan {
  const { where, window, zone, kind } = filter;
  const faults = where === null ? [] : checkFilter(where);
  if (faults.length > 0) throw treeFault("where", faults);
  if (window !== null) checkWindow(window, { now, zone });
  const own = where === null ? filter : { ...filter, where: withReader(where, subject) };
  const plan = planSearch(own, { now, vlans: tenants.get(tenantId)?.site.vlans ?? [] });
  if (kind !== "flows" || plan.window === null) return plan;
  // A time without a beginning reaches back as far as a window may; nothing older is searched.
  const from = Math.max(plan.window.from, plan.window.to - MAX_FLOW_WINDOW);
  return { ...plan, window: { ...plan.window, from } };
}

function checkWindow(window: NonNullable<Filter["window"]>, context: { now: number; zone: string }): void {
  for (const end of ["from", "to"] as const) {
    if (windowSpan({ from: window[end], to: window[end] }, context) !== null) continue;
    throw fieldError(
      `window.${end}`,
      "expected an RFC 3339 timestamp or a time such as -2h, today, monday or 2026-11-01",
    );
  }
  const { from, to } = windowSpan(window, context)!;
  if (from >= to) throw new ApiError("invalid_time_range");
}

/** The condition in the `filter` parameter of a list; null for an empty one. */
export function filterParameter(text: string): Condition | null {
  const parsed = parseText(text);
  if (!parsed.ok) throw textFault("filter", parsed.faults);
  return parsed.condition;
}

/** The plan of a list's `filter` parameter; null without one. The list's own window applies besides. */
export function listPlan(
  deps: Tenants,
  reader: Reader,
  kind: ResultKind,
  { filter, zone = "UTC" }: { filter?: string; zone?: string },
  now: number,
): SearchPlan | null {
  if (filter === undefined) return null;
  const where = filterParameter(filter);
  return planOf(deps, reader, { version: 1, kind, where, window: null, zone }, now);
}
