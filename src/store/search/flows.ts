import type { Grouped } from "../../contract/filter/group.ts";
import { conjuncts } from "../../domain/search/parts.ts";
import type { SearchPlan } from "../../domain/search/plan.ts";
import type { Tx } from "../engine/database.ts";
import type { FlowFilter, FlowPosition, FlowWindow } from "../flow/filter.ts";
import { flowPage } from "../flow/list.ts";
import { longestFlow } from "../flow/paths.ts";
import type { ShownFlow } from "../flow/shown-flows.ts";
import { chooseAccess } from "./access.ts";
import { flowCondition } from "./flow-conditions.ts";
import { resolveFlowScope } from "./resolve.ts";
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

/** A page without any row is followed by the next one, at most this often. */
const MAX_EMPTY_PAGES = 4;

/**
 * A page of at most `limit` flows by start, newest first. It may be short or empty and still have a next page. Takes
 * several statements: see `useRepeatableRead`.
 */
export async function searchFlows(
  tx: Tx,
  tenantId: string,
  plan: SearchPlan,
  after: FlowPosition | null,
  limit: number,
): Promise<SearchPage<ShownFlow, FlowPosition>> {
  const window = plan.window!;
  if (window.from >= window.to) return { rows: [], next: null, exhausted: true, examinedUntil: null };
  const anchored = { ...window, anchorTo: window.to + await longestFlow(tx, tenantId) };
  const scope = await resolveFlowScope(tx, tenantId, plan.where, plan.context, anchored);
  let position = after;
  for (let empty = 0;; empty++) {
    const filter = await flowFilter(tx, plan.where, scope, windowAfter(anchored, position));
    const { flows, next, reached } = await flowPage(tx, tenantId, filter, position, limit);
    if (flows.length > 0 || next === null || empty === MAX_EMPTY_PAGES) {
      return { rows: flows, next, exhausted: reached === null, examinedUntil: reached };
    }
    position = next;
  }
}

/** What remains of a window after a position, whose own microsecond may have further flows. */
function windowAfter(window: FlowWindow, after: FlowPosition | null): FlowWindow {
  if (after === null || after.start + 1 >= window.to) return window;
  const to = after.start + 1;
  return { from: window.from, to, anchorTo: window.anchorTo! - (window.to - to) };
}

/** The flows of a condition, as `store/flow` reads them. */
export async function flowFilter(
  tx: Tx,
  where: Grouped | null,
  scope: SearchScope,
  window: FlowWindow,
): Promise<FlowFilter> {
  const conditions = conjuncts(where);
  return {
    window,
    search: {
      conditionsIn: (part) => conditions.map((each) => flowCondition(each, scope, part)),
      access: await chooseAccess(tx, conditions, scope, window),
    },
  };
}
