// The body of a webhook request: one JSON object per event.

import { z } from "@hono/zod-openapi";
import { Id, Score, Timestamp } from "../request/common.ts";
import { EventHealth, EventResponse, INCIDENT_EVENT_TYPES, RESPONSE_EVENT_TYPES } from "./event.ts";
import { EventIncident } from "../incident/incident.ts";
import { SEVERITIES } from "../record/kinds.ts";

export const WEBHOOK_SCHEMA = "service.webhook.v1";
export const WEBHOOK_USER_AGENT = "service-webhook/1";

/** Every type that a subscription may name. */
export const WEBHOOK_EVENT_TYPES = [
  ...INCIDENT_EVENT_TYPES,
  "health.transition",
  "test",
  ...RESPONSE_EVENT_TYPES,
] as const;
export type WebhookEventType = (typeof WEBHOOK_EVENT_TYPES)[number];

/** Header names as in SPEC. */
export const WEBHOOK_HEADERS = {
  event: "X-Service-Event",
  delivery: "X-Service-Delivery",
  timestamp: "X-Service-Timestamp",
  signature: "X-Service-Signature",
} as const;

/** Minimum length of a signing key, in bytes. */
export const MIN_WEBHOOK_KEY = 16;

/** The fields of a listed incident and additional ones. */
export const WebhookIncident = z.strictObject({
  ...EventIncident.shape,
  previous_score: Score.optional().openapi({ description: "Only for `incident.escalated`." }),
  device_names: z.record(z.string(), z.string()).optional().openapi({
    description:
      "Display names by device id at the time of sending. Devices without a name are absent; fall back to `device_ids`.",
  }),
});

export const WebhookEnvelope = z.strictObject({
  schema: z.literal(WEBHOOK_SCHEMA),
  id: z.string().regex(/^evt_[0-9a-f]{32}$/).openapi({
    description: "Identical in repeated deliveries; receivers use it to discard duplicates.",
  }),
  type: z.enum(WEBHOOK_EVENT_TYPES),
  occurred_at: Timestamp,
  tenant: Id,
  severity: z.enum(SEVERITIES).optional().openapi({ description: "Severity of the incident." }),
  appliance: z.strictObject({
    version: z.string(),
    instance: z.string().openapi({ description: "The sending connector instance." }),
  }),
  incident: WebhookIncident.optional(),
  health: EventHealth.optional(),
  response: EventResponse.optional(),
  links: z.strictObject({ dashboard: z.string(), incident: z.string().optional() }).optional().openapi({
    description: "Absent if no dashboard origin is configured.",
  }),
}).openapi("WebhookEnvelope");
export type WebhookEnvelope = z.infer<typeof WebhookEnvelope>;
