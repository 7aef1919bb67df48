import { z } from "@hono/zod-openapi";
import { FilterId, Id, Ip, IpInput, PageQuery, prose, Timestamp } from "../request/common.ts";
import { MAX_HISTORY, WorkflowHistory } from "../device/device.ts";
import { INCIDENT_ID } from "../openapi/examples/ids.ts";

export const RESPONSE_KINDS = ["quarantine_device", "block_destination", "notify_only"] as const;
export type ResponseKind = (typeof RESPONSE_KINDS)[number];
/** Kinds that automatic mode proposes and webhooks report. */
export const AUTOMATIC_KINDS = ["quarantine_device", "notify_only"] as const satisfies ResponseKind[];
export type AutomaticKind = (typeof AUTOMATIC_KINDS)[number];
export const RESPONSE_MODES = ["automatic", "proposal"] as const;
export type ResponseMode = (typeof RESPONSE_MODES)[number];
/** All statuses of the interface. Version 1 uses only the first four. */
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
/** Outcomes that an external executor may report. */
export const OUTCOME_STATUSES = ["executed", "failed", "reconciling", "rolled_back", "expired"] as const;
export type OutcomeStatus = (typeof OUTCOME_STATUSES)[number];
export const IDENTITY_GRADES = ["strong", "weak", "address_only"] as const;
export type IdentityGrade = (typeof IDENTITY_GRADES)[number];

const Identity = z.enum(IDENTITY_GRADES).openapi({
  description:
    "How well the address is attributed to the device. `strong`: by a property that identifies a machine on its own, such as " +
    "a hardware address; `weak`: only by supporting properties, such as a host name or host key; `address_only`: by nothing " +
    "but the address, as far as the identity job knows. Null if there is no device.",
});

const ResponseTarget = z.object({
  device_id: Id.nullable(),
  device_name: z.string().nullable(),
  address: Ip.nullable().openapi({
    description: "Address of the device or of the destination.",
  }),
}).openapi("ResponseTarget");

/** The latest report of an external executor. */
export const ResponseOutcome = z.object({
  status: z.enum(OUTCOME_STATUSES),
  detail: z.string().nullable().openapi({ description: "Text from the executor." }),
  identity: Identity.nullable(),
  lease_expires_at: Timestamp.nullable().openapi({
    description: "Until when the executor maintains the action on its own; null if it does not.",
  }),
  reported_by: z.string().openapi({ description: "The executor's id in response.yaml." }),
  reported_at: Timestamp,
}).openapi("ResponseOutcome");
export type ResponseOutcome = z.infer<typeof ResponseOutcome>;

export const ResponseAction = z.object({
  action_id: Id,
  incident_id: Id,
  incident_title: z.string().nullable().openapi({
    description: "Title of the incident; null if it is past its retention.",
  }),
  kind: z.enum(RESPONSE_KINDS),
  mode: z.enum(RESPONSE_MODES).openapi({
    description:
      "Proposed by a user (`proposal`) or by the service under the rules of response.yaml (`automatic`), which still " +
      "requires a user's decision.",
  }),
  status: z.enum(RESPONSE_STATUSES).openapi({
    description:
      "`proposed`, then `approved`, `rejected` or `cancelled`; an `approved` action may still be `cancelled`, the others are " +
      "final. This version executes nothing and never sets the last three; executor reports are in `outcome`.",
  }),
  target: ResponseTarget,
  identity: Identity.nullable(),
  reason: z.string().openapi({ description: "Reason given by the proposer." }),
  proposed_by: z.string(),
  proposed_at: Timestamp,
  decided_by: z.string().nullable(),
  decided_at: Timestamp.nullable(),
  self_approved: z.boolean().openapi({
    description:
      "Whether the person who approved it had proposed it. Stays when the approved action is cancelled. With " +
      "`require_second_person` in response.yaml such an approval is refused.",
  }),
  comment: z.string().nullable().openapi({ description: "Comment on the latest decision." }),
  outcome: ResponseOutcome.nullable(),
  workflow_history: WorkflowHistory.openapi({
    description: `The newest ${MAX_HISTORY} entries, oldest first, including executor reports.`,
  }),
  revision: z.number().int().positive().openapi({
    description: "Increases with each decision and each report.",
  }),
}).openapi("ResponseAction");
export type ResponseAction = z.infer<typeof ResponseAction>;

export const ResponseActionQuery = PageQuery.extend({
  status: z.enum(RESPONSE_STATUSES).optional().openapi({
    description: "Actions with this status.",
    example: "proposed",
  }),
  incident_id: FilterId.optional().openapi({
    description: "Actions for this incident.",
    example: INCIDENT_ID,
  }),
});

export const ResponseActionCreation = z.strictObject({
  kind: z.enum(RESPONSE_KINDS),
  target: z.strictObject({
    device_id: Id.nullable().optional(),
    address: IpInput.nullable().optional(),
  }).optional(),
  reason: prose(4000).openapi({ description: "Reason." }),
}).openapi("ResponseActionCreation", {
  description:
    "`quarantine_device` requires `device_id`, a device of the incident; `address` must be one of its addresses and defaults " +
    "to the one seen last. `block_destination` requires `address`, which must occur in the incident's results or evidence and " +
    "not belong to its devices. `notify_only` may name a device. Only one action per kind and target may be open (`proposed` " +
    "or `approved`) at a time.",
});
export type ResponseActionCreation = z.infer<typeof ResponseActionCreation>;

export const ResponseDecisionBody = z.strictObject({
  decision: z.enum(RESPONSE_DECISIONS),
  comment: prose(4000).nullable().optional(),
}).openapi("ResponseDecision", {
  description:
    "A `proposed` action may be `approved` or `rejected`; a `proposed` or `approved` one may be `cancelled`. The decision is " +
    "recorded; the service does not execute it. With `require_second_person` in response.yaml, approving one's own proposal " +
    "is `forbidden` (`second_person_required`).",
});
