import { queryOptions } from "@tanstack/react-query";
import { firstPages } from "../../base/api.ts";
import { LIVE } from "../../base/queries.ts";

const PAGES = 4;

/** A flow's observations, the first pages of them. Records never change, but more sensors may report. */
export const flowEvidence = (tenant: string, flow: string) =>
  queryOptions({
    queryKey: [tenant, "evidence", flow],
    queryFn: async ({ signal }) =>
      (await firstPages("getFlowEvidence", { params: { flow_id: flow }, signal }, PAGES)).rows,
    staleTime: 4 * LIVE,
  });
