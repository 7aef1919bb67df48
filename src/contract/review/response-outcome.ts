// What an executor outside of this service reports, on the core's loopback listener.

import { z } from "@hono/zod-openapi";
import { Id, Meta, prose, Timestamp, TimestampInput } from "../request/common.ts";
import { IDENTITY_GRADES, OUTCOME_STATUSES } from "./response.ts";

/** In the router's notation. */
export const OUTCOMES_PATH = "/internal/v1/response-actions/:action_id/outcomes";
/** Bodies of reports, in bytes. */
export const MAX_OUTCOME_BYTES = 16 * 1024;

export const OutcomeReport = z.strictObject({
  status: z.enum(OUTCOME_STATUSES),
  detail: prose(1000).nullable().optional(),
  /** Until when the executor keeps the action up by itself; only while it does. */
  lease_expires_at: TimestampInput.nullable().optional(),
  /** How well the executor has proven whose the address is; else what the appliance knew counts. */
  identity: z.enum(IDENTITY_GRADES).nullable().optional(),
});
export type OutcomeReport = z.infer<typeof OutcomeReport>;

export const OutcomeAnswer = z.object({
  data: z.object({
    action_id: Id,
    /** The event that the report became; null for an action that is told to nobody outside. */
    event_id: z.string().nullable(),
    reported_at: Timestamp,
    /** The same report came before, and nothing was done this time. */
    repeated: z.boolean(),
  }),
  meta: Meta,
});
