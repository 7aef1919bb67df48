import { groupCondition, type Grouped } from "../../contract/filter/group.ts";
import { type OpenSpan, takeWindow, type TimeSpan, windowSpan } from "../../contract/filter/time.ts";
import type { Filter, ResultKind } from "../../contract/filter/tree.ts";
import type { SearchContext } from "./criterion.ts";

/** A filter as both evaluators take it. */
export interface SearchPlan {
  kind: ResultKind;
  /** Null: everything in the window. */
  where: Grouped | null;
  /**
   * Flows that start in it; devices and incidents that were active before its end and after its start, so that a device
   * that is active now is found by what it did yesterday. Null: at all times. Half-open, microseconds.
   */
  window: TimeSpan | null;
  /** Devices and incidents whose last activity is in it, microseconds, half-open. */
  lastSeen?: OpenSpan;
  /** Devices of exactly this type. */
  deviceType?: string;
  /** Devices that have it as a part of their name, owner, a tag or an address. */
  text?: string;
  /** Only incidents that a suppression covers at `at` (microseconds), or only others; both without it. */
  suppressed?: { is: boolean; at: number };
  context: SearchContext;
}

/** Flows are searched this far back unless the filter says otherwise. */
const DEFAULT_FLOW_WINDOW = 86_400_000_000;

interface PlanContext extends Pick<SearchContext, "vlans" | "broadcasts"> {
  /** What times are relative to, microseconds. */
  now: number;
  /** Takes the place of the filter's own window. */
  window?: TimeSpan | null;
}

/**
 * The plan of a valid filter. A time at the top level of the filter narrows its window, or takes the place of the
 * default one; flows without an end are searched until now.
 */
export function planSearch(
  { kind, where, window: written, zone }: Filter,
  { now, vlans, broadcasts, window = null }: PlanContext,
): SearchPlan {
  const context: SearchContext = { now, zone, vlans, broadcasts };
  const { span, where: rest } = takeWindow(where, context);
  const given = window ?? (written === null ? null : windowSpan(written, context));
  const limits = kind === "flows" && given === null ? { from: 0, to: now } : given;
  return {
    kind,
    where: rest === null ? null : groupCondition(rest, kind),
    window: span === null
      ? given ?? (kind === "flows" ? { from: now - DEFAULT_FLOW_WINDOW, to: now } : null)
      : {
        from: Math.max(span.from ?? 0, limits?.from ?? 0),
        to: Math.min(span.to ?? Number.MAX_SAFE_INTEGER, limits?.to ?? Number.MAX_SAFE_INTEGER),
      },
    context,
  };
}
