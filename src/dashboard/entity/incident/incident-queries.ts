import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { Incident, IncidentDetail } from "../../../contract/incident/incident.ts";
import { getOne, getPage } from "../../base/api.ts";
import { LARGEST_PAGE } from "../../base/queries.ts";
import { type Range, rangeKey, windowOf } from "../../base/time/range.ts";

interface IncidentFilter {
  filter?: string;
  status?: string;
  severity?: string;
  device_id?: string;
  /** `true` or `false`; absent shows both. */
  suppressed?: string;
}

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

export const incidentDetail = (tenant: string, id: string) =>
  queryOptions({
    queryKey: [tenant, "incident", id],
    queryFn: ({ signal }) =>
      getOne<IncidentDetail>(`/api/v1/incidents/${encodeURIComponent(id)}`, {}, signal),
    meta: { marks: ["incident"] },
  });
