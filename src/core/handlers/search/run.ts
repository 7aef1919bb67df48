import type { FactType } from "../../../contract/record/facts.ts";
import type { Found } from "../../../domain/search/csv.ts";
import type { SearchPlan } from "../../../domain/search/plan.ts";
import { formatMillis } from "../../../kit/time.ts";
import type { FlowPosition } from "../../../store/flow/filter.ts";
import type { ScanEffort } from "../../../store/flow/list.ts";
import { type DevicePosition, searchDevices } from "../../../store/search/devices.ts";
import { searchFlows, type SearchPage } from "../../../store/search/flows.ts";
import { type LastSeenPosition, searchIncidents } from "../../../store/search/incidents.ts";
import type { HandlerDeps } from "../deps.ts";
import { deviceView } from "../device/view.ts";
import { flowPresenter } from "../flow/present.ts";
import { incidentViews } from "../incident/incidents.ts";
import { endPage } from "../page.ts";
import { listing } from "../../search/searching.ts";

export type Position = FlowPosition | DevicePosition | LastSeenPosition;

/** A page of a search as the API shows it. */
export interface FoundPage {
  items: Found[];
  /** Where the next page begins; null after the last. */
  next: Position | null;
  warnings: string[];
}

interface Paging {
  /** `next` of the page before; null for the first. */
  after: Position | null;
  limit: number;
  /** Microseconds. */
  now: number;
  /** The facts that flows are shown with. */
  factType?: FactType;
  /** How far a page of flows goes to be full; by default as a search. */
  effort?: ScanEffort;
}

/** Reads one page of a search. */
export type RunSearch = (tenantId: string, plan: SearchPlan, paging: Paging) => Promise<FoundPage>;

export function searchRunner(deps: HandlerDeps): RunSearch {
  const presentFlows = flowPresenter(deps);

  return async (tenantId, plan, { after, limit, now, factType, effort = "search" }) =>
    await listing(deps.db, tenantId, effort, async (tx) => {
      switch (plan.kind) {
        case "flows": {
          const page = await searchFlows(tx, tenantId, plan, after as FlowPosition | null, limit, effort);
          return ended(
            page,
            await presentFlows(tx, tenantId, page.rows, factType),
            ({ start, flowId }) => ({ start, flowId }),
          );
        }
        case "devices": {
          const page = await searchDevices(tx, tenantId, plan, after as DevicePosition | null, limit);
          return ended(page, page.rows.map(deviceView), (row) => ({
            lastSeen: row.last_seen,
            deviceId: row.device_id,
          }));
        }
        case "incidents": {
          const page = await searchIncidents(tx, tenantId, plan, after as LastSeenPosition | null, limit);
          return ended(page, await incidentViews(tx, tenantId, page.rows, now), (row) => ({
            lastSeen: row.last_seen,
            incidentId: row.incident_id,
          }));
        }
      }
    });

  /** Ends the page by its bytes; what is cut begins the next one. */
  function ended<R, P extends Position>(
    page: SearchPage<R, P>,
    views: Found[],
    positionOf: (row: R) => P,
  ): FoundPage {
    const { page: items } = endPage(views, page.next !== null, deps.pageBytes);
    const isCut = items.length < views.length;
    return {
      items,
      next: isCut ? positionOf(page.rows[items.length - 1]!) : page.next,
      warnings: isCut ? [] : warningsOf(page),
    };
  }
}

/** What a client should know about a page that did not look at everything. */
function warningsOf({ exhausted, examinedUntil, next }: SearchPage<unknown, unknown>): string[] {
  if (exhausted || examinedUntil === null) return [];
  const until = formatMillis(examinedUntil);
  return [
    next === null
      ? `Only flows since ${until} were examined; narrow the filter or the window to see what came before.`
      : `The page ended at ${until} because it had examined as many rows as one page may; the next page goes on.`,
  ];
}
