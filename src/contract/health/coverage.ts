import { z } from "@hono/zod-openapi";
import { Id, Timestamp, WindowQuery } from "../request/common.ts";

/** The longest window of the coverage, in days. */
export const MAX_COVERAGE_DAYS = 31;

export const CoverageQuery = WindowQuery;

/** Which hours each sensor delivered records in, by receipt time. */
export const SensorCoverage = z.object({
  hours: z.array(Timestamp).openapi({ description: "Starts of the hours that the window touches, in UTC." }),
  sensors: z.array(z.object({
    sensor_id: Id,
    received: z.array(z.boolean().nullable()).openapi({
      description:
        "One per hour: whether records were received from the sensor. Null if there were none because the hour is not over " +
        "yet, or began before the sensor was configured.",
    }),
  })).openapi({ description: "Configured sensors, by id." }),
}).openapi("SensorCoverage");
export type SensorCoverage = z.infer<typeof SensorCoverage>;
