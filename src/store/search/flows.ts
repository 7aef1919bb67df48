import type { FieldName } from "../../contract/filter/fields.ts";
import type { Grouped } from "../../contract/filter/group.ts";
import type { TimeSpan } from "../../contract/filter/time.ts";
import { conjuncts } from "../../domain/search/parts.ts";
import type { SearchPlan } from "../../domain/search/plan.ts";
import type { Tx } from "../engine/database.ts";
import type { FlowPosition, FlowSearch } from "../flow/filter.ts";
import { flowPage, type ScanEffort } from "../flow/list.ts";
import { longestFlow } from "../flow/paths.ts";
import type { ShownFlow } from "../flow/shown-flows.ts";
import { chooseWay } from "./access.ts";
import { flowCondition } from "./flow-conditions.ts";
import { resolveScope } from "./resolve.ts";
import type { SearchScope } from "./scope.ts";

/** A page of a search. */
export interface SearchPage<R, P> {
  rows: R[];
  /** Where the next page begins; null after the last. */
  next: P | null;
  /**
   * False if the page ended because it had examined as many rows as one page may, so that it is shorter than asked for
   * or lacks rows.
   */
  exhausted: boolean;
  /** The time (microseconds) down to which rows were examined; null if all were, as far as the page goes. */
  examinedUntil: number | null;
}

/** A page of a search without any row is followed by the next one, at most this often. */
const MAX_EMPTY_PAGES = 4;

/**
 * A page of at most `limit` flows by start, newest first. It may be short or empty and still have a next page. Takes
 * several statements: see `useRepeatableRead`.
 */
export async function searchFlows(
  tx: Tx,
  tenantId: string,
  { where, context, window }: SearchPlan,
  after: FlowPosition | null,
  limit: number,
  effort: ScanEffort = "search",
): Promise<SearchPage<ShownFlow, FlowPosition>> {
  if (window!.from >= window!.to) return { rows: [], next: null, exhausted: true, examinedUntil: null };
  const anchored = await anchoredWindow(tx, tenantId, window!);
  const scope = await resolveScope(tx, tenantId, where, context, anchored);
  let position = after;
  for (let empty = 0;; empty++) {
    const search = await searchIn(tx, where, scope, windowAfter(anchored, position));
    const { flows, next, reached } = await flowPage(tx, tenantId, search, { after: position, limit, effort });
    if (flows.length > 0 || next === null || effort === "list" || empty === MAX_EMPTY_PAGES) {
      return { rows: flows, next, exhausted: reached === null, examinedUntil: reached };
    }
    position = next;
  }
}

/** What remains of a window after a position, whose own microsecond may have further flows. */
function windowAfter(window: FlowSearch["window"], after: FlowPosition | null): FlowSearch["window"] {
  if (after === null || after.start + 1 >= window.to) return window;
  const to = after.start + 1;
  return { from: window.from, to, anchorTo: window.anchorTo - (window.to - to) };
}

async function anchoredWindow(
  tx: Tx,
  tenantId: string,
  { from, to }: TimeSpan,
): Promise<FlowSearch["window"]> {
  return { from, to, anchorTo: to + await longestFlow(tx, tenantId) };
}

/** How the flows in a window that meet a condition are found. */
export async function flowSearch(
  tx: Tx,
  tenantId: string,
  { where, context, window }: Pick<SearchPlan, "where" | "context"> & { window: TimeSpan },
): Promise<FlowSearch> {
  const anchored = await anchoredWindow(tx, tenantId, window);
  return await searchIn(tx, where, await resolveScope(tx, tenantId, where, context, anchored), anchored);
}

async function searchIn(
  tx: Tx,
  where: Grouped | null,
  scope: SearchScope,
  window: FlowSearch["window"],
): Promise<FlowSearch> {
  const conditions = conjuncts(where);
  const way = await chooseWay(tx, conditions, scope, window);
  const checked = conditions.filter((each) => each !== way?.meets);
  return {
    window,
    access: way?.access ?? null,
    conditionsIn: (part) => checked.map((each) => flowCondition(each, scope, part)),
    hasUsualForm: checked.length <= MAX_USUAL && checked.every((each) => isUsual(each, scope)),
  };
}

/** Conditions that the parameters of a list consist of; in greater numbers they have too many forms. */
const USUAL_FIELDS: ReadonlySet<FieldName> = new Set<FieldName>(["ip", "proto", "service", "source"]);
const MAX_USUAL = 2;

function isUsual(part: Grouped, { devices }: SearchScope): boolean {
  if ("some" in part) return part.some === "device" && devices.get(part) !== null;
  return "field" in part && part.op === "=" && !Array.isArray(part.value) && USUAL_FIELDS.has(part.field);
}
