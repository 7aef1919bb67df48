import { queryOptions } from "@tanstack/react-query";
import type { FlowObservation } from "../../../contract/flow/flow.ts";
import { getPage, type Page } from "../../base/api.ts";
import { LIVE } from "../../base/queries.ts";

const PAGES = 4;

/** A flow's observations, the first pages of them. Records never change, but more sensors may report. */
export const flowEvidence = (tenant: string, flow: string) =>
  queryOptions({
    queryKey: [tenant, "evidence", flow],
    queryFn: async ({ signal }) => {
      const path = `/api/v1/flows/${encodeURIComponent(flow)}/evidence`;
      const observations: FlowObservation[] = [];
      let cursor: string | null = null;
      for (let read = 0; read < PAGES; read++) {
        const page: Page<FlowObservation> = await getPage(path, { cursor }, signal);
        observations.push(...page.data);
        cursor = page.next_cursor;
        if (cursor === null) break;
      }
      return observations;
    },
    staleTime: 4 * LIVE,
  });
