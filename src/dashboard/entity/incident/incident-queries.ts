import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { QueryOf } from "../../../contract/request/client.ts";
import { pageOf } from "../../base/api.ts";
import { LARGEST_PAGE } from "../../base/queries.ts";
import { type Range, rangeKey, windowOf } from "../../base/time/range.ts";

/** One large page for the overview's charts; `next_cursor` is set if there are more. */
export const manyIncidents = (tenant: string, filter: QueryOf<"listIncidents">, range: Range) =>
  queryOptions({
    queryKey: [tenant, "incidents-once", filter, rangeKey(range)],
    queryFn: ({ signal }) =>
      pageOf("listIncidents", {
        query: { ...filter, limit: LARGEST_PAGE, ...windowOf(range, Date.now()) },
        signal,
      }),
    placeholderData: keepPreviousData,
    meta: { marks: ["incident"] },
  });
