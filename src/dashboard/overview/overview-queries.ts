import { queryOptions } from "@tanstack/react-query";
import { call, pageOf } from "../base/api.ts";
import { LARGEST_PAGE } from "../base/queries.ts";
import { EVER } from "../base/time/range.ts";
import { OPEN_WORK } from "./open-work.ts";

const DAY = 86_400_000;

/** Incidents shown. */
export const TOP = 6;

/** The open incidents with the highest scores, of any age. */
export const worstOpen = (tenant: string) =>
  queryOptions({
    queryKey: [tenant, "incidents-worst"],
    queryFn: ({ signal }) =>
      pageOf("listIncidents", {
        query: {
          filter: OPEN_WORK,
          suppressed: "false",
          sort: "-score",
          limit: TOP,
          from: EVER,
          // A source's clock may be ahead.
          to: new Date(Date.now() + DAY).toISOString(),
        },
        signal,
      }),
    meta: { marks: ["incident"] },
  });

/** Devices with open incidents, unordered. */
export const riskyDevices = (tenant: string) =>
  queryOptions({
    queryKey: [tenant, "devices-at-risk"],
    queryFn: ({ signal }) =>
      call("listDevices", { query: { risk_min: 1, sort: "-score", limit: LARGEST_PAGE }, signal }),
    meta: { marks: ["device", "incident"] },
  });
