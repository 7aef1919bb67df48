import { checkFilter } from "../../../contract/filter/check.ts";
import type { FieldName } from "../../../contract/filter/fields.ts";
import { normalise } from "../../../contract/filter/normalise.ts";
import { parseText } from "../../../contract/filter/parser.ts";
import { takeWindow, windowSpan } from "../../../contract/filter/time.ts";
import type { Comparison, Condition, Filter, ResultKind, Scalar } from "../../../contract/filter/tree.ts";
import { ApiError } from "../../../contract/request/errors.ts";
import { planSearch, type SearchPlan } from "../../../domain/search/plan.ts";
import { broadcastsOf } from "../../../kit/net/ip.ts";
import { withReader } from "../../../domain/search/reader.ts";
import { fieldError } from "../../field-error.ts";
import type { Caller } from "../../handler.ts";
import { checkLength, type Window } from "../../window.ts";
import type { HandlerDeps } from "../deps.ts";
import { textFault, treeFault } from "../../search/filter-fault.ts";

/** Microseconds. */
const HOUR = 3_600_000_000;
const DAY = 24 * HOUR;
/** Longest window of flows, as in their list, in days. */
const MAX_FLOW_DAYS = 31;

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
  const { where, window, zone } = filter;
  const faults = where === null ? [] : checkFilter(where);
  if (faults.length > 0) throw treeFault("where", faults);
  if (window !== null) checkWindow(window, { now, zone });
  return planFor({ tenants }, { tenantId, subject }, filter, { now });
}

function planFor(
  { tenants }: Tenants,
  { tenantId, subject }: Reader,
  filter: Filter,
  times: { now: number; window?: Window | null },
): SearchPlan {
  const { kind, where } = filter;
  const own = where === null ? filter : { ...filter, where: withReader(where, subject) };
  const tenant = tenants.get(tenantId);
  const site = { vlans: tenant?.site.vlans ?? [], broadcasts: broadcastsOf(tenant?.networks ?? []) };
  const plan = planSearch(own, { ...times, ...site });
  if (kind !== "flows" || plan.window === null) return plan;
  // No flow starts later: a time such as `-7d..2099` ends there, so that it is no longer than what it can find.
  const to = Math.min(plan.window.to, Math.max(plan.window.from, times.now + DAY));
  const isOpen = filter.window === null && !times.window &&
    takeWindow(where, { now: times.now, zone: filter.zone }).span?.from === null;
  // A time without a beginning reaches back as far as a window may; nothing older is searched.
  const from = isOpen ? Math.max(0, to - MAX_FLOW_DAYS * DAY) : plan.window.from;
  // A month in which the clocks are set back has an hour more.
  checkLength({ from, to: to - HOUR }, MAX_FLOW_DAYS);
  return { ...plan, window: { from, to } };
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

/** What the parameters of a list ask for. */
interface ListQuery {
  kind: ResultKind;
  /** The conditions that its other parameters stand for. */
  parameters: readonly Condition[];
  filter?: string;
  zone?: string;
}

/**
 * The plan of a list. Relative times are relative to `now`, microseconds. A time in the filter takes the place of a
 * default window.
 */
export function listPlan(
  deps: Tenants,
  reader: Reader,
  { kind, parameters, filter, zone = "UTC" }: ListQuery,
  { now, window }: { now: number; window: (Window & { isDefault: boolean }) | null },
): SearchPlan {
  const typed = filter === undefined ? null : filterParameter(filter);
  const parts = typed === null ? parameters : [...parameters, typed];
  const where = parts.length === 0 ? null : normalise({ all: [...parts] });
  const isReplaced = window?.isDefault && takeWindow(where, { now, zone }).span !== null;
  const written: Filter = { version: 1, kind, where, window: null, zone };
  const given = window === null || isReplaced ? null : { from: window.from, to: window.to };
  return planFor(deps, reader, written, { now, window: given });
}

type Values = Partial<Record<FieldName, Scalar | Scalar[] | undefined>>;

/** Comparisons of fields with the values that are given. */
export function equalities(values: Values): Comparison[] {
  return (Object.entries(values) as [FieldName, Values[FieldName]][]).flatMap(([field, value]) =>
    value === undefined ? [] : { field, op: "=" as const, value }
  );
}
