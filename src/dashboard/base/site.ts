import { queryOptions } from "@tanstack/react-query";
import type { SiteReport } from "../../contract/site.ts";
import { getOne } from "./api.ts";

export const siteQuery = (tenant: string) =>
  queryOptions({
    queryKey: [tenant, "site"],
    queryFn: ({ signal }) => getOne<SiteReport>("/api/v1/site", {}, signal),
    // It changes only with the deployment's configuration.
    staleTime: Infinity,
  });
