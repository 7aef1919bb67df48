// The content of event log rows, which connectors forward.

import { z } from "@hono/zod-openapi";
import { Id, Ip, Score, Timestamp } from "../request/common.ts";
import { EventIncident } from "../incident/incident.ts";
import { HEALTH_STATUSES } from "../record/kinds.ts";
import { AUTOMATIC_KINDS, IDENTITY_GRADES, RESPONSE_MODES } from "../review/response.ts";

export const RESPONSE_EVENT_TYPES = [
  "response.proposed",
  "response.executed",
  "response.failed",
  "response.released",
] as const;
export type ResponseEventType = (typeof RESPONSE_EVENT_TYPES)[number];

export const INCIDENT_EVENT_TYPES = ["incident.created", "incident.escalated", "incident.closed"] as const;

/** Field `response` of an event about a response action. */
export const EventResponse = z.strictObject({
  action_id: Id,
  incident_id: Id,
  kind: z.enum(AUTOMATIC_KINDS),
  mode: z.enum(RESPONSE_MODES),
  status: z.enum(["proposed", "executed", "failed", "reconciling", "rolled_back", "expired"]),
  device_id: Id.nullable(),
  /** The target; the only address in the event. */
  address: Ip.nullable(),
  identity: z.enum(IDENTITY_GRADES).nullable(),
  detail: z.string().nullable(),
  /** Present while a membership deadline is held. */
  lease_expires_at: Timestamp.optional(),
});
export type EventResponse = z.infer<typeof EventResponse>;

/**
 * Field `health` of an event about a component or the whole appliance (`appliance`). `occurred_at` is the
 * time of the first observation, at most 30 s after the change.
 */
export const EventHealth = z.strictObject({
  component_id: z.string().min(1).openapi({
    description: "Id in the health report; `appliance` is the overall status.",
    example: "sensor:zeek-1",
  }),
  kind: z.string().openapi({ description: "Component kind.", example: "sensor" }),
  from: z.enum(HEALTH_STATUSES),
  to: z.enum(HEALTH_STATUSES),
  message: z.string().optional().openapi({
    description: "Reason, for administrators; may contain a host-local address. At most 500 characters.",
  }),
});
export type EventHealth = z.infer<typeof EventHealth>;

const listed = { incident: z.strictObject(EventIncident.shape) };

/** Bodies by event type; a row of the log holds exactly this. */
export const EVENT_BODIES = {
  "incident.created": z.strictObject(listed),
  "incident.escalated": z.strictObject({
    incident: z.strictObject({ ...EventIncident.shape, previous_score: Score }),
  }),
  "incident.closed": z.strictObject(listed),
  "health.transition": z.strictObject({ health: EventHealth }),
  "response.proposed": responseBody(["proposed"]),
  "response.executed": responseBody(["executed"]),
  "response.failed": responseBody(["failed", "reconciling"]),
  "response.released": responseBody(["rolled_back", "expired"]),
} as const;

function responseBody<const S extends EventResponse["status"]>(statuses: readonly S[]) {
  return z.strictObject({ ...listed, response: EventResponse.extend({ status: z.enum(statuses) }) });
}
