import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { AuditEntry } from "../../contract/session/audit.ts";
import type { Device, DeviceDetail } from "../../contract/device/device.ts";
import type { FactType } from "../../contract/record/facts.ts";
import type { FailedRecord } from "../../contract/record/failed-record.ts";
import type { Flow, FlowObservation } from "../../contract/flow/flow.ts";
import type { HealthReport } from "../../contract/health/health.ts";
import type { Incident, IncidentDetail } from "../../contract/incident/incident.ts";
import type { ModelFeedback } from "../../contract/review/feedback.ts";
import type { Proposal } from "../../contract/review/proposal.ts";
import type { ResponseAction, ResponseStatus } from "../../contract/review/response.ts";
import type { SiteReport } from "../../contract/site.ts";
import type { Suppression } from "../../contract/review/suppression.ts";
import type { Mark } from "./feed.ts";
import { ApiFailure, getOne, getOneAt, getPage, type Page, type Params } from "./api.ts";
import { type Range, rangeKey, type Window, windowOf } from "./time/range.ts";
import { currentZone } from "./time/zone.ts";

/** Poll interval of visible data, in milliseconds: records become incidents within seconds. */
const LIVE = 15_000;
const PAGE = 100;
const LARGEST_PAGE = 500;
const DIRECTORY_PAGES = 4;
const EVIDENCE_PAGES = 4;
/** Bounds the wait for a sparse list; the reader can load more. */
const EMPTY_PAGES = 30;

/** Later pages keep the window of the first one: the cursor belongs to it. */
interface Next {
  cursor: string;
  window: Window | null;
}
type WindowedPage<T> = Page<T> & { window: Window | null };

/**
 * The server ends a page early when it would have to scan too much, even with no rows. Sparse lists are read
 * on, up to a bound, so that "none" is shown only if there is none.
 */
export async function pageWithRows<T>(path: string, asked: Params, signal: AbortSignal): Promise<Page<T>> {
  let page = await getPage<T>(path, asked, signal);
  for (let more = 0; more < EMPTY_PAGES && page.data.length === 0 && page.next_cursor !== null; more++) {
    page = await getPage<T>(path, { ...asked, cursor: page.next_cursor }, signal);
  }
  return page;
}

/** A time in the filter takes the place of the page's range. */
async function listWindow({ filter }: Params, range: Range): Promise<Window> {
  const now = Date.now();
  if (!filter) return windowOf(range, now);
  // The search language is large, and the first page does without it.
  const { windowOfFilter } = await import("./filter-text.ts");
  const own = windowOfFilter(String(filter), { now, zone: currentZone() });
  return own ?? windowOf(range, now);
}

/** The parameters of a filter in the text form. */
function filterParams({ filter, ...others }: { filter?: string }): Params {
  return filter === undefined ? others : { ...others, filter, zone: currentZone() };
}

function list<T>(
  tenant: string,
  path: string,
  params: Params,
  range: Range | null,
  marks: readonly Mark[] = [],
) {
  return infiniteQueryOptions({
    queryKey: [tenant, path, params, range && rangeKey(range)],
    initialPageParam: null as Next | null,
    queryFn: async ({ pageParam, signal }): Promise<WindowedPage<T>> => {
      const window = pageParam ? pageParam.window : range && await listWindow(params, range);
      const asked = { ...params, limit: PAGE, ...window, cursor: pageParam?.cursor };
      return { ...await pageWithRows<T>(path, asked, signal), window };
    },
    getNextPageParam: ({ next_cursor, window }): Next | null =>
      next_cursor === null ? null : { cursor: next_cursor, window },
    placeholderData: keepPreviousData,
    meta: { marks },
    // Polling many pages would cost more than it shows.
    refetchInterval: (query) => marks.length > 0 || (query.state.data?.pages.length ?? 0) > 1 ? false : LIVE,
  });
}

export interface IncidentFilter {
  filter?: string;
  status?: string;
  severity?: string;
  device_id?: string;
  /** `true` or `false`; absent shows both. */
  suppressed?: string;
}
export const incidentList = (tenant: string, filter: IncidentFilter, range: Range) =>
  list<Incident>(tenant, "/api/v1/incidents", filterParams(filter), range, ["incident"]);

export const suppressionList = (tenant: string, filter: { status?: string }) =>
  list<Suppression>(tenant, "/api/v1/suppressions", { ...filter }, null, ["incident"]);

export const decisionList = (tenant: string, filter: { status?: ResponseStatus }) =>
  list<ResponseAction>(tenant, "/api/v1/response-actions", { ...filter }, null, ["decision"]);

export const responseAction = (tenant: string, id: string) =>
  queryOptions({
    queryKey: [tenant, "response-action", id],
    queryFn: ({ signal }) =>
      getOne<ResponseAction>(`/api/v1/response-actions/${encodeURIComponent(id)}`, {}, signal),
    meta: { marks: ["decision"] },
  });

export interface ProposalFilter {
  kind?: string;
  status?: string;
  target_id?: string;
}
export const proposalList = (tenant: string, filter: ProposalFilter) =>
  list<Proposal>(tenant, "/api/v1/proposals", { ...filter }, null, ["decision"]);

export const feedbackList = (tenant: string, filter: { model_id?: string; incident_id?: string }) =>
  list<ModelFeedback>(tenant, "/api/v1/models/feedback", { ...filter }, null);

/** Response actions of an incident, newest first; one page is enough for daily work. */
export const responseActions = (tenant: string, incident: string) =>
  queryOptions({
    queryKey: [tenant, "response-actions", incident],
    queryFn: async ({ signal }) =>
      (await getPage<ResponseAction>("/api/v1/response-actions", { incident_id: incident }, signal)).data,
    meta: { marks: ["decision"] },
  });

export interface AuditFilter {
  subject?: string;
  operation?: string;
  target_id?: string;
  outcome?: string;
}
export const auditList = (tenant: string, filter: AuditFilter, range: Range) =>
  list<AuditEntry>(tenant, "/api/v1/audit", { ...filter }, range);

export interface FailedFilter {
  status?: string;
  sensor_id?: string;
  source?: string;
  kind?: string;
}
export const failedRecords = (tenant: string, filter: FailedFilter, range: Range) =>
  list<FailedRecord>(tenant, "/api/v1/records", { ...filter }, range);

export const deviceList = (tenant: string, filter: { filter?: string; sort?: string }) =>
  list<Device>(tenant, "/api/v1/devices", filterParams(filter), null, ["device"]);

export const flowList = (tenant: string, filter: { filter?: string; facts?: FactType }, range: Range) =>
  list<Flow>(tenant, "/api/v1/flows", filterParams(filter), range);

/** One large page for the overview's charts; `next_cursor` is set if there are more. */
export const manyIncidents = (tenant: string, filter: IncidentFilter, range: Range) =>
  queryOptions({
    queryKey: [tenant, "incidents-once", filter, rangeKey(range)],
    queryFn: ({ signal }) =>
      getPage<Incident>("/api/v1/incidents", {
        ...filter,
        limit: LARGEST_PAGE,
        ...windowOf(range, Date.now()),
      }, signal),
    placeholderData: keepPreviousData,
    meta: { marks: ["incident"] },
  });

/** Devices by identifier, to name them elsewhere; a very large site names the first few thousand. */
export const deviceDirectory = (tenant: string) =>
  queryOptions({
    queryKey: [tenant, "directory"],
    queryFn: async ({ signal }) => {
      const devices = new Map<string, Device>();
      let cursor: string | null = null;
      for (let read = 0; read < DIRECTORY_PAGES; read++) {
        // The order in which a scan misses no device, however many move meanwhile.
        const query = { sort: "-first_seen", limit: LARGEST_PAGE, cursor };
        const page: Page<Device> = await getPage("/api/v1/devices", query, signal);
        for (const device of page.data) devices.set(device.device_id, device);
        cursor = page.next_cursor;
        if (cursor === null) break;
      }
      return { devices, complete: cursor === null };
    },
    staleTime: LIVE,
    refetchInterval: 4 * LIVE,
  });

export const incidentDetail = (tenant: string, id: string) =>
  queryOptions({
    queryKey: [tenant, "incident", id],
    queryFn: ({ signal }) =>
      getOne<IncidentDetail>(`/api/v1/incidents/${encodeURIComponent(id)}`, {}, signal),
    meta: { marks: ["incident"] },
  });

/** A device without what depends on a window. */
export const deviceRecord = (tenant: string, id: string) =>
  queryOptions({
    queryKey: [tenant, "device-record", id],
    queryFn: ({ signal }) => getOne<DeviceDetail>(`/api/v1/devices/${encodeURIComponent(id)}`, {}, signal),
  });

/** `zone`: that of the hours of the activity pattern. */
export const deviceDetail = (tenant: string, id: string, range: Range, zone: string) =>
  queryOptions({
    queryKey: [tenant, "device", id, rangeKey(range), zone],
    queryFn: ({ signal }) =>
      getOne<DeviceDetail>(
        `/api/v1/devices/${encodeURIComponent(id)}`,
        { ...windowOf(range, Date.now()), zone },
        signal,
      ),
    placeholderData: keepPreviousData,
    refetchInterval: 2 * LIVE,
  });

/** A flow's observations, the first pages of them. Records never change, but more sensors may report. */
export const flowEvidence = (tenant: string, flow: string) =>
  queryOptions({
    queryKey: [tenant, "evidence", flow],
    queryFn: async ({ signal }) => {
      const path = `/api/v1/flows/${encodeURIComponent(flow)}/evidence`;
      const observations: FlowObservation[] = [];
      let cursor: string | null = null;
      for (let read = 0; read < EVIDENCE_PAGES; read++) {
        const page: Page<FlowObservation> = await getPage(path, { cursor }, signal);
        observations.push(...page.data);
        cursor = page.next_cursor;
        if (cursor === null) break;
      }
      return observations;
    },
    staleTime: 4 * LIVE,
  });

/** A flow with what was read from all its observations; null if only they are retained. */
export const oneFlow = (tenant: string, id: string) =>
  queryOptions({
    queryKey: [tenant, "flow", id],
    queryFn: async ({ signal }) => {
      try {
        return await getOne<Flow>(`/api/v1/flows/${encodeURIComponent(id)}`, {}, signal);
      } catch (error) {
        if (error instanceof ApiFailure && error.status === 404) return null;
        throw error;
      }
    },
    staleTime: 4 * LIVE,
  });

/** A health report, and by how many milliseconds the server's clock was ahead of this browser's. */
export type TimedHealthReport = HealthReport & { skew: number };

/** The health report; `null` reads it before the session is known. */
export const healthReport = (tenant: string | null) =>
  queryOptions({
    queryKey: [tenant, "health"],
    queryFn: async ({ signal }): Promise<TimedHealthReport> => {
      const { data, at } = await getOneAt<HealthReport>("/api/v1/health", signal);
      return { ...data, skew: Date.parse(at) - Date.now() };
    },
    refetchInterval: LIVE,
  });

export const siteQuery = (tenant: string) =>
  queryOptions({
    queryKey: [tenant, "site"],
    queryFn: ({ signal }) => getOne<SiteReport>("/api/v1/site", {}, signal),
    // It changes only with the deployment's configuration.
    staleTime: Infinity,
  });

/** Devices with open incidents, unordered. */
export const riskyDevices = (tenant: string) =>
  queryOptions({
    queryKey: [tenant, "devices-at-risk"],
    queryFn: async ({ signal }) =>
      (await getPage<Device>("/api/v1/devices", { risk_min: 1, sort: "-score", limit: LARGEST_PAGE }, signal))
        .data,
    meta: { marks: ["device", "incident"] },
  });
