import { queryOptions } from "@tanstack/react-query";
import type { HealthReport } from "../../../contract/health/health.ts";
import { callWhole } from "../../base/api.ts";
import { LIVE } from "../../base/queries.ts";

/** A health report, and by how many milliseconds the server's clock was ahead of this browser's. */
export type TimedHealthReport = HealthReport & { skew: number };

/** The health report; `null` reads it before the session is known. */
export const healthReport = (tenant: string | null) =>
  queryOptions({
    queryKey: [tenant, "health"],
    queryFn: async ({ signal }): Promise<TimedHealthReport> => {
      const { data, meta } = await callWhole("getHealth", { signal });
      return { ...data, skew: Date.parse(meta.generated_at) - Date.now() };
    },
    refetchInterval: LIVE,
  });
