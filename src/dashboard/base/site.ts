import { queryOptions } from "@tanstack/react-query";
import { call } from "./api.ts";

export const siteQuery = (tenant: string) =>
  queryOptions({
    queryKey: [tenant, "site"],
    queryFn: ({ signal }) => call("getSite", { signal }),
    // It changes only with the deployment's configuration.
    staleTime: Infinity,
  });
