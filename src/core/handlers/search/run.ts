import type { Device } from "../../../contract/device/device.ts";
import type { DeviceSort } from "../../../contract/device/query.ts";
import type { Flow, FlowSort } from "../../../contract/flow/flow.ts";
import type { Incident, IncidentSort } from "../../../contract/incident/incident.ts";
import type { FactType } from "../../../contract/record/facts.ts";
import type { Found } from "../../../domain/search/csv.ts";
import type { SearchPlan } from "../../../domain/search/plan.ts";
import { formatMillis } from "../../../kit/time.ts";
import { type DevicePosition, positionOf as positionOfDevice } from "../../../store/device/read.ts";
import type { FlowPosition } from "../../../store/flow/filter.ts";
import type { ScanEffort } from "../../../store/flow/list.ts";
import { type IncidentPosition, positionOf as positionOfIncident } from "../../../store/incident/page.ts";
import { searchDevices } from "../../../store/search/devices.ts";
import { searchFlows, type SearchPage } from "../../../store/search/flows.ts";
import {
  positionOfSorted,
  searchSortedFlows,
  type SortedPosition,
} from "../../../store/search/sorted-flows.ts";
import { searchIncidents } from "../../../store/search/incidents.ts";
import { listing } from "../../search/searching.ts";
import type { HandlerDeps } from "../deps.ts";
import { deviceView } from "../device/view.ts";
import { flowPresenter } from "../flow/present.ts";
import { incidentViews } from "../incident/view.ts";
import { endPage } from "../page.ts";

export type Position = FlowPosition | DevicePosition | IncidentPosition;

/** A page as the API shows it. */
interface FoundPage<T = Found, P = Position> {
  items: T[];
  /** Where the next page begins; null after the last. */
  next: P | null;
  warnings: string[];
}

interface Paging<P> {
  /** `next` of the page before; null for the first. */
  after: P | null;
  limit: number;
  /** Microseconds. */
  now: number;
  /** By default that of a search. */
  effort?: ScanEffort;
}

/** Reads the pages of lists and of searches. */
export function pageReaders(deps: HandlerDeps) {
  const presentFlows = flowPresenter(deps);
  return {
    async flows(
      tenantId: string,
      plan: SearchPlan,
      { after, limit, effort = "search", factType }: Paging<FlowPosition> & {
        /** The facts that flows are shown with. */
        factType?: FactType;
      },
    ): Promise<FoundPage<Flow, FlowPosition>> {
      return await listing(deps.db, tenantId, effort, async (tx) => {
        const page = await searchFlows(tx, tenantId, plan, after, limit, effort);
        const views = await presentFlows(tx, tenantId, page.rows, factType);
        return ended(page, views, ({ start, flowId }) => ({ start, flowId }));
      });
    },
    /** Flows in an order that no index has. */
    async sortedFlows(
      tenantId: string,
      plan: SearchPlan,
      { after, limit, sort, factType }: Paging<SortedPosition> & {
        sort: FlowSort;
        factType?: FactType;
      },
    ): Promise<FoundPage<Flow, SortedPosition>> {
      return await listing(deps.db, tenantId, "search", async (tx) => {
        const page = await searchSortedFlows(tx, tenantId, plan, { sort, after, limit });
        return ended(page, await presentFlows(tx, tenantId, page.rows, factType), positionOfSorted);
      });
    },
    async devices(
      tenantId: string,
      plan: SearchPlan,
      { after, limit, effort = "search", sort }: Paging<DevicePosition> & { sort?: DeviceSort },
    ): Promise<FoundPage<Device, DevicePosition>> {
      return await listing(deps.db, tenantId, effort, async (tx) => {
        const page = await searchDevices(tx, tenantId, plan, after, limit, sort);
        return ended(page, page.rows.map(deviceView), positionOfDevice);
      });
    },
    async incidents(
      tenantId: string,
      plan: SearchPlan,
      { after, limit, now, effort = "search", sort = "-last_seen" }: Paging<IncidentPosition> & {
        sort?: IncidentSort;
      },
    ): Promise<FoundPage<Incident, IncidentPosition>> {
      return await listing(deps.db, tenantId, effort, async (tx) => {
        const page = await searchIncidents(tx, tenantId, plan, after, limit, sort);
        const views = await incidentViews(tx, tenantId, page.rows, now);
        return ended(page, views, (row) => positionOfIncident(row, sort));
      });
    },
  };

  /** Ends the page by its bytes; what is cut begins the next one. */
  function ended<R, P, T>(page: SearchPage<R, P>, views: T[], positionOf: (row: R) => P): FoundPage<T, P> {
    const { page: items } = endPage(views, page.next !== null, deps.pageBytes);
    const isCut = items.length < views.length;
    return {
      items,
      next: isCut ? positionOf(page.rows[items.length - 1]!) : page.next,
      warnings: isCut ? [] : warningsOf(page),
    };
  }
}

/** Reads one page of a search for any kind. */
export type RunSearch = (tenantId: string, plan: SearchPlan, paging: Paging<Position>) => Promise<FoundPage>;

export function searchRunner(deps: HandlerDeps): RunSearch {
  const read = pageReaders(deps);
  return async (tenantId, plan, { after, ...paging }) => {
    switch (plan.kind) {
      case "flows":
        return await read.flows(tenantId, plan, { ...paging, after: after as FlowPosition | null });
      case "devices":
        return await read.devices(tenantId, plan, { ...paging, after: after as DevicePosition | null });
      case "incidents":
        return await read.incidents(tenantId, plan, { ...paging, after: after as IncidentPosition | null });
    }
  };
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
