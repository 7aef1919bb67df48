import { z } from "@hono/zod-openapi";
import { Timestamp } from "../request/common.ts";
import { CONNECTOR_STATES, FAILURE_CLASSES } from "../connector/connector.ts";
import { HEALTH_STATUSES } from "../record/kinds.ts";
import { Release } from "../telemetry/registration.ts";

/** How a connector instance fares: numbers and classes, nothing that names a host. */
export const ConnectorHealth = z.object({
  connector: z.string().openapi({ description: "What sort of connector it is.", example: "webhook" }),
  state: z.enum(CONNECTOR_STATES),
  failure_class: z.enum(FAILURE_CLASSES).nullable(),
  consecutive_failures: z.number().int(),
  counters: z.object({
    delivered: z.number().int(),
    failed: z.number().int(),
    rejected: z.number().int(),
    dropped: z.number().int(),
    pending: z.number().int(),
  }).openapi({ description: "Of the process that serves it, from 0 at its start." }),
}).openapi("ConnectorHealth");
export type ConnectorHealth = z.infer<typeof ConnectorHealth>;

export const HealthComponent = z.object({
  id: z.string(),
  kind: z.string(),
  status: z.enum(HEALTH_STATUSES),
  last_event_at: Timestamp.nullable().openapi({
    description: "Of the appliance and a sensor the newest receipt, of a connector its last success.",
  }),
  lag_seconds: z.number().nonnegative().openapi({
    description:
      "Seconds since the last event; of the pipeline how long the oldest waiting record waits; 0 where there is none of these.",
  }),
  message: z.string().nullable().openapi({ description: "Why, for administrators; others see null." }),
  since: Timestamp.nullable().openapi({
    description:
      "Since when it has this status: as it was observed, or of a silent sensor since its last record.",
  }),
  expected_within_seconds: z.number().nonnegative().nullable().openapi({
    description: "Of a sensor that was heard of: after how much silence it is stale, by what was learned.",
  }),
  events_last_5m: z.number().int().nullable().openapi({ description: "Of a sensor: new records received." }),
  connector: ConnectorHealth.nullable().openapi({
    description: "Of a connector instance; null where the store does not answer.",
  }),
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
    oldest_buffered_at: Timestamp.nullable().openapi({
      description: "Receipt time of the oldest record that waits for the pipeline.",
    }),
  }),
  capture: z.object({
    loss_percent: z.number().nullable().openapi({
      description:
        "The highest that any process of the sensors reported in the last 45 minutes: what Zeek found missing in the " +
        "traffic (capture_loss), or where it does not measure that, what its driver dropped (stats), or what Suricata's " +
        "did. Null where nobody reports.",
    }),
    sampled_at: Timestamp.nullable().openapi({ description: "When that report was received." }),
  }),
  telemetry: HealthComponent.extend({ last_payload: z.record(z.string(), z.unknown()).nullable() }),
  update: HealthComponent.extend({
    release: Release.nullable().openapi({
      description:
        "The newest release where it is newer than this one: untrusted plain text, for everybody to read.",
    }),
  }),
}).openapi("HealthReport");
export type HealthReport = z.infer<typeof HealthReport>;
