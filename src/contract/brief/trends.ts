import { z } from "@hono/zod-openapi";
import { NullableCount, Timestamp } from "../request/common.ts";

/** Detectors listed with their false positives. */
export const TRENDS_DETECTORS = 6;

const TrendFigure = z.object({
  today: NullableCount.openapi({ description: "So far. Null: unknown, which is not zero." }),
  yesterday: NullableCount,
  week_before: NullableCount.openapi({ description: "Of the same day of the week before." }),
}).openapi("TrendFigure");
export type TrendFigure = z.infer<typeof TrendFigure>;

const WorkFigure = z.object({
  value: NullableCount.openapi({ description: "Of the last seven days. Null: unknown." }),
  previous: NullableCount.openapi({ description: "Of the seven days before. Null: unknown." }),
}).openapi("WorkFigure");
export type WorkFigure = z.infer<typeof WorkFigure>;

export const Trends = z.object({
  time_zone: z.string().openapi({ example: "Europe/Bucharest" }),
  counted_at: Timestamp.openapi({ description: "The end of what is counted." }),
  start: Timestamp.openapi({ description: "When today began." }),
  counts: z.object({
    opened_incidents: TrendFigure,
    closed_incidents: TrendFigure,
    new_devices: TrendFigure,
  }).openapi({ description: "Each day from its beginning to the present time of day." }),
  traffic: z.object({ flows: TrendFigure, traffic_bytes: TrendFigure }).openapi({
    description: "From rollups, which are kept per day: today so far, the other days whole.",
  }),
  work: z.object({
    opened: WorkFigure,
    closed: WorkFigure.openapi({
      description: "Incidents that were resolved or marked as false positives, and not opened again.",
    }),
    median_close_seconds: WorkFigure.openapi({
      description: "Median time from the opening of an incident to its closing. Null: none was closed.",
    }),
    false_positives: z.array(z.object({
      model_id: z.string(),
      title: z.string(),
      closed: z.number().int().positive().openapi({
        description: "Incidents of the detector that were closed.",
      }),
      false_positives: z.number().int().positive().openapi({
        description: "Those marked as false positives.",
      }),
    })).max(TRENDS_DETECTORS).openapi({
      description:
        `The ${TRENDS_DETECTORS} detectors with the most false positives among the incidents that were closed in the last ` +
        "seven days, most first. An incident counts for the detector that opened it.",
    }),
  }),
}).openapi("Trends");
export type Trends = z.infer<typeof Trends>;
