import { z } from "@hono/zod-openapi";
import { Id, Timestamp } from "./request/common.ts";
import { HEALTH_STATUSES } from "./record/kinds.ts";

const Amount = z.number().int().nonnegative();
const Mark = z.string().openapi({ description: "Opaque; compare it with the previous one." });

/** What a client polls to notice changes. */
export const Summary = z.object({
  open_incidents: Amount.openapi({
    description:
      "Open work: incidents that are `open` or `investigating` and not suppressed, whatever their age.",
  }),
  high_incidents: Amount.openapi({ description: "Those of them with severity `high` or `critical`." }),
  unassigned_incidents: Amount.openapi({ description: "Those of them without an assignee." }),
  mine: Amount.openapi({ description: "Those of them that are assigned to the caller." }),
  pending_decisions: Amount.openapi({ description: "Response actions that are `proposed`." }),
  pending_proposals: Amount.openapi({ description: "Proposals that are `proposed`." }),
  newest_incident: z.object({
    id: Id,
    revision: z.number().int().positive(),
    last_seen: Timestamp,
  }).nullable().openapi({ description: "The incident that was opened last, whatever its status." }),
  incident_mark: Mark.openapi({
    description: "Changes whenever an incident or a suppression is created or changes.",
  }),
  device_mark: Mark.openapi({ description: "Changes whenever devices may have been added or changed." }),
  flow_mark: Mark.openapi({ description: "Changes whenever further records have been processed." }),
  decision_mark: Mark.openapi({
    description: "Changes whenever a response action or a proposal is created or changes.",
  }),
  health: z.enum(HEALTH_STATUSES).nullable().openapi({
    description:
      "Overall status as last observed, at most a minute ago. Null before the first observation after the installation.",
  }),
  watermark: Timestamp.nullable().openapi({
    description: "Time at which records were last processed; null before the first.",
  }),
}).openapi("Summary");
export type Summary = z.infer<typeof Summary>;
