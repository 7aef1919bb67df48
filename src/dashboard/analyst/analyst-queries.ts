import { queryOptions } from "@tanstack/react-query";
import { call, pageOf } from "../base/api.ts";
import { isActive } from "./run-labels.ts";

const MOST_RUNS = 50;
/** Milliseconds between reads while a run is on its way; the change feed covers everything else. */
const WATCH = 2000;

/** Runs for an incident, newest first. */
export const runsFor = (tenant: string, incident_id: string) =>
  queryOptions({
    queryKey: [tenant, "analyst-runs", incident_id],
    queryFn: async ({ signal }) =>
      (await pageOf("listAnalystRuns", { query: { incident_id, limit: MOST_RUNS }, signal })).data,
    meta: { marks: ["incident"] },
    refetchInterval: ({ state: { data } }) => data?.some(isActive) ? WATCH : false,
  });

/** A run with its texts. They never change within a revision. */
export const runDetail = (tenant: string, run_id: string, revision: number) =>
  queryOptions({
    queryKey: [tenant, "analyst-run", run_id, revision],
    queryFn: ({ signal }) => call("getAnalystRun", { params: { run_id }, signal }),
    staleTime: Infinity,
  });

/** What a run would send and cost now. */
export const runPreview = (tenant: string, incident_id: string) =>
  queryOptions({
    queryKey: [tenant, "analyst-preview", incident_id],
    queryFn: ({ signal }) => call("previewAnalystRun", { params: { incident_id }, signal }),
    staleTime: 0,
    gcTime: 0,
    retry: false,
  });
