import { infiniteQueryOptions, keepPreviousData } from "@tanstack/react-query";
import type { Incident, IncidentSort } from "../../../contract/incident/incident.ts";
import type { Page } from "../../base/api.ts";
import { pageWithRows } from "../../base/queries.ts";
import { windowOfFilter } from "../../base/filter-text.ts";
import { EVER } from "../../base/time/range.ts";
import { currentZone } from "../../base/time/zone.ts";
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
