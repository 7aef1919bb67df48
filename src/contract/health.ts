import { z } from "@hono/zod-openapi";
import { Timestamp } from "./common.ts";
import { HEALTH_STATUSES } from "./kinds.ts";

export const HealthComponent = z.object({
  id: z.string(),
  kind: z.string(),
  status: z.enum(HEALTH_STATUSES),
  last_event_at: Timestamp.nullable(),
  lag_seconds: z.number().nonnegative().openapi({
    description: "Seconds since the last event; since the state was collected (0) where there is none.",
  }),
  message: z.string().nullable(),
}).openapi("HealthComponent");
export type HealthComponent = z.infer<typeof HealthComponent>;

/** Times are the server's receipt times, so a skewed source clock cannot forge them. */
export const HealthReport = z.object({
  status: z.enum(HEALTH_STATUSES),
  watermark: Timestamp.nullable().openapi({
    description: "Receipt time of the newest record; null before the first.",
  }),
  components: z.array(HealthComponent),
  ingest: z.object({
    events_last_5m: z.number().int(),
    unparsed_last_5m: z.number().int(),
    rejected_last_5m: z.number().int(),
    oldest_buffered_at: Timestamp.nullable(),
  }),
  capture: z.object({
    loss_percent: z.number().nullable().openapi({
      description:
        "The highest that any process of the sensors reported in the last 45 minutes: what Zeek found missing in the " +
        "traffic (capture_loss), or where it does not measure that, what its driver dropped (stats). Null where nobody " +
        "reports.",
    }),
    sampled_at: Timestamp.nullable().openapi({ description: "When that report was received." }),
  }),
  telemetry: HealthComponent.extend({ last_payload: z.record(z.string(), z.unknown()).nullable() }),
}).openapi("HealthReport");
export type HealthReport = z.infer<typeof HealthReport>;
