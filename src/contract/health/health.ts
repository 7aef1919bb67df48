import { z } from "@hono/zod-openapi";
import { Id, PageQuery, Timestamp, WindowQuery } from "../request/common.ts";
import { CONNECTOR_STATES, FAILURE_CLASSES } from "../connector/connector.ts";
import { HEALTH_STATUSES } from "../record/kinds.ts";
import { Release } from "../telemetry/registration.ts";

/** State of a connector instance: numbers and classes, nothing that identifies a host. */
export const ConnectorHealth = z.object({
  connector: z.string().openapi({ description: "Connector type.", example: "webhook" }),
  state: z.enum(CONNECTOR_STATES),
  failure_class: z.enum(FAILURE_CLASSES).nullable(),
  consecutive_failures: z.number().int(),
  counters: z.object({
    delivered: z.number().int(),
    failed: z.number().int(),
    rejected: z.number().int(),
    dropped: z.number().int(),
    pending: z.number().int(),
  }).openapi({ description: "Counters of the process that serves the instance, starting at 0." }),
}).openapi("ConnectorHealth");
export type ConnectorHealth = z.infer<typeof ConnectorHealth>;

export const HealthComponent = z.object({
  id: z.string(),
  kind: z.string(),
  status: z.enum(HEALTH_STATUSES),
  last_event_at: Timestamp.nullable().openapi({
    description: "Appliance and sensors: newest receipt; connectors: last success.",
  }),
  lag_seconds: z.number().nonnegative().openapi({
    description:
      "Seconds since the last event; for a sensor never heard from, since it was configured; for the pipeline the age of the " +
      "oldest waiting record; otherwise 0.",
  }),
  message: z.string().nullable().openapi({ description: "Reason, for administrators; null for others." }),
  since: Timestamp.nullable().openapi({
    description:
      "Start of the current status: the time of observation; for a silent sensor the time of its last record.",
  }),
  expected_within_seconds: z.number().nonnegative().nullable().openapi({
    description: "For a sensor with records: the learned duration of silence after which it is stale.",
  }),
  events_last_5m: z.number().int().nullable().openapi({ description: "For a sensor: new records received." }),
  connector: ConnectorHealth.nullable().openapi({
    description: "For a connector instance; null if the store is unavailable.",
  }),
}).openapi("HealthComponent");
export type HealthComponent = z.infer<typeof HealthComponent>;

/** Times are the server's receipt times, which a skewed source clock cannot affect. */
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
      description: "Receipt time of the oldest record waiting for the pipeline.",
    }),
  }),
  capture: z.object({
    loss_percent: z.number().nullable().openapi({
      description:
        "Highest loss that any sensor process reported in the last 45 minutes: traffic that Zeek found missing (capture_loss), " +
        "otherwise packets dropped by Zeek's driver (stats) or by Suricata's. Null if no sensor reports it.",
    }),
    sampled_at: Timestamp.nullable().openapi({ description: "Receipt time of that report." }),
  }),
  telemetry: HealthComponent.extend({ last_payload: z.record(z.string(), z.unknown()).nullable() }),
  update: HealthComponent.extend({
    release: Release.nullable().openapi({
      description:
        "The newest release if it is newer than the installed one; untrusted plain text, visible to all users.",
    }),
  }),
}).openapi("HealthReport");
export type HealthReport = z.infer<typeof HealthReport>;

/** The component of the history that is in no report. */
export const OBSERVATION = "observation";

export const HealthTransition = z.object({
  transition_id: Id,
  at: Timestamp.openapi({ description: "When it was observed; health is observed every 30 seconds." }),
  component_id: z.string().openapi({
    description:
      "Id of the component in the report; `appliance` is the overall status, and `observation` is unavailable " +
      "while health was not observed: before the first observation, and while no service ran.",
  }),
  kind: z.string(),
  from: z.enum(HEALTH_STATUSES),
  to: z.enum(HEALTH_STATUSES),
  message: z.string().nullable().openapi({
    description: "The component's message at that time; null for non-administrators, as in the report.",
  }),
}).openapi("HealthTransition");
export type HealthTransition = z.infer<typeof HealthTransition>;

export const HealthTransitionQuery = PageQuery.extend(WindowQuery.shape).extend({
  component_id: z.string().min(1).max(256).optional().openapi({
    description: "Transitions of this component.",
    example: "sensor:zeek-1",
  }),
});
