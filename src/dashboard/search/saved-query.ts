import { queryOptions } from "@tanstack/react-query";
import { firstPages } from "../base/api.ts";
import { LARGEST_PAGE, LIVE } from "../base/queries.ts";

/** The caller's own and the shared searches, by name. */
export const savedSearches = (tenant: string) =>
  queryOptions({
    queryKey: [tenant, "saved-searches"],
    queryFn: async ({ signal }) =>
      (await firstPages("listSavedSearches", { query: { limit: LARGEST_PAGE }, signal }, Infinity)).rows,
    staleTime: LIVE,
  });
