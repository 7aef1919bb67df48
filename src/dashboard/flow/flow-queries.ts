import { queryOptions, useQuery } from "@tanstack/react-query";
import type { FlowSort } from "../../contract/flow/flow.ts";
import type { FactType } from "../../contract/record/facts.ts";
import { ApiFailure, call } from "../base/api.ts";
import { filterParams, list, LIVE } from "../base/queries.ts";
import { useSignedIn } from "../base/session.ts";
import type { Range } from "../base/time/range.ts";
import { aggregate } from "../search/search-queries.ts";

/** The usual order of the list. */
export const NEWEST_FIRST = "-start" satisfies FlowSort;

interface FlowListQuery {
  filter?: string;
  facts?: FactType;
  /** Default: newest first. */
  sort?: FlowSort;
}

export const flowList = (tenant: string, query: FlowListQuery, range: Range) =>
  list(tenant, "listFlows", filterParams(query), range);

/** Number of flows that a filter finds over time, by direction. */
export const flowsOverTime = (tenant: string, text: string, range: Range, csrf: string) =>
  aggregate(tenant, { kind: "flows", text, range, groupBy: ["direction"], bucket: "auto" }, csrf);

/** How many flows a filter finds, from what the histogram asks; undefined unless all of the window were counted. */
export function useFlowTotal(text: string, range: Range): number | undefined {
  const { tenant, session } = useSignedIn();
  const { data, isPlaceholderData } = useQuery(flowsOverTime(tenant, text, range, session.csrf_token));
  if (isPlaceholderData || !data?.complete) return undefined;
  return data.groups.reduce((sum, { total }) => sum + Number(total), Number(data.other?.total ?? 0));
}

/** How many bytes the flows of a filter carried, in both directions; undefined unless all of the window were added up. */
export function useByteTotal(text: string, range: Range): number | undefined {
  const { tenant, session } = useSignedIn();
  const { data, isPlaceholderData } = useQuery(
    aggregate(tenant, { kind: "flows", text, range, measure: "bytes" }, session.csrf_token),
  );
  if (isPlaceholderData || !data?.complete) return undefined;
  return Number(data.groups[0]?.total ?? 0);
}

/** A flow with what was read from all its observations; null if only they are retained. */
export const oneFlow = (tenant: string, id: string) =>
  queryOptions({
    queryKey: [tenant, "flow", id],
    queryFn: async ({ signal }) => {
      try {
        return await call("getFlow", { params: { flow_id: id }, signal });
      } catch (error) {
        if (error instanceof ApiFailure && error.status === 404) return null;
        throw error;
      }
    },
    staleTime: 4 * LIVE,
  });
