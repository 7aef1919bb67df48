// Reports of external executors, received on the core's loopback listener.

import { z } from "@hono/zod-openapi";
import { Id, Meta, prose, Timestamp, TimestampInput } from "../request/common.ts";
import { IDENTITY_GRADES, OUTCOME_STATUSES } from "./response.ts";

/** In the router's notation. */
export const OUTCOMES_PATH = "/internal/v1/response-actions/:action_id/outcomes";
/** Maximum size of a report's body, in bytes. */
export const MAX_OUTCOME_BYTES = 16 * 1024;

export const OutcomeReport = z.strictObject({
  status: z.enum(OUTCOME_STATUSES),
  detail: prose(1000).nullable().optional(),
  /** Until when the executor maintains the action on its own; only while it does. */
  lease_expires_at: TimestampInput.nullable().optional(),
  /** How well the executor verified the owner of the address; default: the appliance's own assessment. */
  identity: z.enum(IDENTITY_GRADES).nullable().optional(),
});
export type OutcomeReport = z.infer<typeof OutcomeReport>;

export const OutcomeAnswer = z.object({
  data: z.object({
    action_id: Id,
    /** The event created from the report; null for actions that webhooks do not report. */
    event_id: z.string().nullable(),
    reported_at: Timestamp,
    /** Whether the same report was received before; then this one had no effect. */
    repeated: z.boolean(),
  }),
  meta: Meta,
});
