import { queryOptions } from "@tanstack/react-query";
import { call } from "./api.ts";

/** An incident with its evidence and results. */
export const incidentDetail = (tenant: string, id: string) =>
  queryOptions({
    queryKey: [tenant, "incident", id],
    queryFn: ({ signal }) => call("getIncident", { params: { incident_id: id }, signal }),
    meta: { marks: ["incident"] },
  });
