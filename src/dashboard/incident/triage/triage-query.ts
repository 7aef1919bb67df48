import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { Incident, IncidentDetail, IncidentSort } from "../../../contract/incident/incident.ts";
import { firstPages, type Page } from "../../base/api.ts";
import { pageWithRows } from "../../base/queries.ts";
import { windowOfFilter } from "../../base/filter-text.ts";
import { EVER } from "../../base/time/range.ts";
import { currentZone } from "../../base/time/zone.ts";
import { windowAround } from "../../entity/incident/incident-window.ts";
import { combinedFilter, TRIAGE_VIEWS, type TriageViewName } from "./triage-views.ts";

const PAGE = 100;

interface TriageAsked {
  view: TriageViewName;
  /** The filter of the query bar. */
  text: string;
  sort: IncidentSort;
}

/** A view of triage, whatever the page's time range; a time in its filter narrows it. */
export const triageList = (tenant: string, { view, text, sort }: TriageAsked) =>
  infiniteQueryOptions({
    queryKey: [tenant, "triage", view, text, sort],
    initialPageParam: null as string | null,
    queryFn: ({ pageParam, signal }): Promise<Page<Incident>> => {
      const filter = combinedFilter(view, text);
      const zone = currentZone();
      const window = windowOfFilter(text, { now: Date.now(), zone }) ?? { from: EVER };
      const { suppressed } = TRIAGE_VIEWS[view];
      const query = {
        ...window,
        ...(filter === "" ? {} : { filter, zone }),
        suppressed,
        sort,
        limit: PAGE,
      };
      return pageWithRows("listIncidents", { query, signal }, pageParam);
    },
    getNextPageParam: ({ next_cursor }) => next_cursor,
    placeholderData: keepPreviousData,
    meta: { marks: ["incident"] },
  });

const FLOW_PAGE = 500;
const FLOW_PAGES = 2;
const FLOWS_STALE_MILLISECONDS = 60_000;

/** The newest flows with linked evidence, for the graph. */
export const incidentFlows = (tenant: string, incident: IncidentDetail) =>
  queryOptions({
    queryKey: [tenant, "incident-flows", incident.id, incident.evidence.length, incident.last_seen],
    queryFn: async ({ signal }) => {
      const query = { filter: `incident:${incident.id}`, ...windowAround(incident), limit: FLOW_PAGE };
      return (await firstPages("listFlows", { query, signal }, FLOW_PAGES)).rows;
    },
    placeholderData: keepPreviousData,
    staleTime: FLOWS_STALE_MILLISECONDS,
  });
