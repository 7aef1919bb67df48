import { z } from "@hono/zod-openapi";
import { Id, Ip, IpInput, PageQuery, prose, Timestamp } from "../request/common.ts";
import { WorkflowEntry } from "../device/device.ts";
import { INCIDENT_ID } from "../openapi/examples/ids.ts";

export const RESPONSE_KINDS = ["quarantine_device", "block_destination", "notify_only"] as const;
export type ResponseKind = (typeof RESPONSE_KINDS)[number];
/** Those that automatic mode proposes, and that webhooks tell of. */
export const AUTOMATIC_KINDS = ["quarantine_device", "notify_only"] as const satisfies ResponseKind[];
export type AutomaticKind = (typeof AUTOMATIC_KINDS)[number];
export const RESPONSE_MODES = ["automatic", "proposal"] as const;
export type ResponseMode = (typeof RESPONSE_MODES)[number];
/** All that the interface names. Version 1 moves an action between the first four only. */
export const RESPONSE_STATUSES = [
  "proposed",
  "approved",
  "rejected",
  "cancelled",
  "executed",
  "rolled_back",
  "failed",
] as const;
export type ResponseStatus = (typeof RESPONSE_STATUSES)[number];
export const RESPONSE_DECISIONS = ["approved", "rejected", "cancelled"] as const;
export type ResponseDecision = (typeof RESPONSE_DECISIONS)[number];
/** What an executor outside of this service may say became of an action. */
export const OUTCOME_STATUSES = ["executed", "failed", "reconciling", "rolled_back", "expired"] as const;
export type OutcomeStatus = (typeof OUTCOME_STATUSES)[number];
export const IDENTITY_GRADES = ["strong", "weak", "address_only"] as const;
export type IdentityGrade = (typeof IDENTITY_GRADES)[number];

const Identity = z.enum(IDENTITY_GRADES).openapi({
  description:
    "How well it is proven that the address is the device's. `strong`: something was seen of the device that identifies a " +
    "machine by itself, such as a hardware address; `weak`: only what supports that, such as a host name or a host key; " +
    "`address_only`: nothing but the address, as far as the identity job has looked. Null where no device is meant.",
});

const ResponseTarget = z.object({
  device_id: Id.nullable(),
  device_name: z.string().nullable(),
  address: Ip.nullable().openapi({
    description: "Of the device, or of the destination.",
  }),
}).openapi("ResponseTarget");

/** The last that an executor outside of this service said. */
export const ResponseOutcome = z.object({
  status: z.enum(OUTCOME_STATUSES),
  detail: z.string().nullable().openapi({ description: "The executor's own words." }),
  identity: Identity.nullable(),
  lease_expires_at: Timestamp.nullable().openapi({
    description: "Until when the executor keeps it up by itself; null where it holds nothing.",
  }),
  reported_by: z.string().openapi({ description: "The executor's id in response.yaml." }),
  reported_at: Timestamp,
}).openapi("ResponseOutcome");
export type ResponseOutcome = z.infer<typeof ResponseOutcome>;

export const ResponseAction = z.object({
  action_id: Id,
  incident_id: Id,
  kind: z.enum(RESPONSE_KINDS),
  mode: z.enum(RESPONSE_MODES).openapi({
    description:
      "Who proposed it: a person (`proposal`), or the service by the rules of response.yaml (`automatic`), which still " +
      "holds it for a person.",
  }),
  status: z.enum(RESPONSE_STATUSES).openapi({
    description:
      "`proposed`, then `approved`, `rejected` or `cancelled`; an `approved` one may still be `cancelled`, the others stay. " +
      "This version executes nothing and never sets the last three: what an executor says stands in `outcome`.",
  }),
  target: ResponseTarget,
  identity: Identity.nullable(),
  reason: z.string().openapi({ description: "Why, in the words of who proposed it." }),
  proposed_by: z.string(),
  proposed_at: Timestamp,
  decided_by: z.string().nullable(),
  decided_at: Timestamp.nullable(),
  comment: z.string().nullable().openapi({ description: "What was said with the last decision." }),
  outcome: ResponseOutcome.nullable(),
  workflow_history: z.array(WorkflowEntry).openapi({
    description: "Oldest first; reports of executors included.",
  }),
  revision: z.number().int().positive().openapi({ description: "Grows with each decision and each report." }),
}).openapi("ResponseAction");
export type ResponseAction = z.infer<typeof ResponseAction>;

export const ResponseActionQuery = PageQuery.extend({
  status: z.enum(RESPONSE_STATUSES).optional().openapi({
    description: "Exactly this status.",
    example: "proposed",
  }),
  incident_id: Id.optional().openapi({ description: "About this incident.", example: INCIDENT_ID }),
});

export const ResponseActionCreation = z.strictObject({
  kind: z.enum(RESPONSE_KINDS),
  target: z.strictObject({
    device_id: Id.nullable().optional(),
    address: IpInput.nullable().optional(),
  }).optional(),
  reason: prose(4000).openapi({ description: "Why." }),
}).openapi("ResponseActionCreation", {
  description:
    "`quarantine_device` needs `device_id`, a device that the incident names; `address` is one of its addresses and by " +
    "default the one that was seen last. `block_destination` needs `address`, an address that the incident's results or " +
    "evidence name and that is none of its devices'. `notify_only` may name a device. One action of a kind may be open " +
    "(`proposed` or `approved`) for the same target at a time.",
});
export type ResponseActionCreation = z.infer<typeof ResponseActionCreation>;

export const ResponseDecisionBody = z.strictObject({
  decision: z.enum(RESPONSE_DECISIONS),
  comment: prose(4000).nullable().optional(),
}).openapi("ResponseDecision", {
  description:
    "`approved` and `rejected` of what is `proposed`; `cancelled` of what is `proposed` or `approved`. Recorded, and " +
    "executed by nobody here.",
});
