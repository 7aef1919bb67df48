import { z } from "@hono/zod-openapi";
import { Id, line, PageQuery, prose, Timestamp } from "../request/common.ts";
import { WorkflowHistory } from "../device/device.ts";
import { INCIDENT_STATUSES } from "../record/kinds.ts";
import { DEVICE_ID } from "../openapi/examples/ids.ts";

export const PROPOSAL_KINDS = ["classification", "model", "triage"] as const;
export type ProposalKind = (typeof PROPOSAL_KINDS)[number];
const PROPOSAL_STATUSES = ["proposed", "accepted", "rejected"] as const;
export type ProposalStatus = (typeof PROPOSAL_STATUSES)[number];
export const PROPOSAL_DECISIONS = ["accepted", "rejected"] as const;
export type ProposalDecision = (typeof PROPOSAL_DECISIONS)[number];
const MODEL_ACTIONS = ["activate", "deactivate", "change_threshold", "other"] as const;

const ClassificationContent = z.object({ device_type: z.string() }).openapi("ClassificationContent", {
  description: "For `classification`: the proposed device type.",
});
const ModelContent = z.object({ action: z.enum(MODEL_ACTIONS), details: z.string() })
  .openapi("ModelContent", {
    description: "For `model`: the proposed change of the detector. It is never applied automatically.",
  });
const TriageContent = z.object({ incident_status: z.enum(INCIDENT_STATUSES) }).openapi(
  "TriageContent",
  {
    description: "For `triage`: the proposed incident status. It is never applied automatically.",
  },
);

export const Proposal = z.object({
  proposal_id: Id,
  kind: z.enum(PROPOSAL_KINDS),
  target_id: z.string().openapi({
    description: "A device id, model id or incident id, depending on `kind`.",
  }),
  status: z.enum(PROPOSAL_STATUSES).openapi({
    description: "`proposed` until decided; decisions are final.",
  }),
  content: z.union([ClassificationContent, ModelContent, TriageContent]).openapi({
    description: "The proposed change, depending on `kind`.",
  }),
  reason: z.string().openapi({ description: "Reason given by the proposer." }),
  created_by: z.string(),
  created_at: Timestamp,
  decided_by: z.string().nullable(),
  decided_at: Timestamp.nullable(),
  comment: z.string().nullable().openapi({ description: "Comment on the decision." }),
  revision: z.number().int().positive(),
}).openapi("Proposal");
export type Proposal = z.infer<typeof Proposal>;
export type ProposalContent = Proposal["content"];

export const ProposalDetail = Proposal.extend({ workflow_history: WorkflowHistory })
  .openapi("ProposalDetail");
export type ProposalDetail = z.infer<typeof ProposalDetail>;

export const ProposalQuery = PageQuery.extend({
  kind: z.enum(PROPOSAL_KINDS).optional().openapi({
    description: "Proposals of this kind.",
    example: "classification",
  }),
  target_id: line(128).optional().openapi({
    description: "Proposals for this device id, model id or incident id.",
    example: DEVICE_ID,
  }),
  status: z.enum(PROPOSAL_STATUSES).optional().openapi({
    description: "Proposals with this status.",
    example: "proposed",
  }),
});

const reason = prose(4000).openapi({ description: "Reason." });

export const ClassificationSuggestion = z.strictObject({ device_type: line(64), reason })
  .openapi("ClassificationSuggestion");
export const ModelProposal = z.strictObject({
  model_id: line(64),
  action: z.enum(MODEL_ACTIONS),
  details: prose(4000).openapi({ description: "Description of the change." }),
  reason,
}).openapi("ModelProposal");
export const TriageProposal = z.strictObject({
  incident_id: Id,
  incident_status: z.enum(INCIDENT_STATUSES),
  reason,
}).openapi("TriageProposal");

export const ProposalDecisionBody = z.strictObject({
  decision: z.enum(PROPOSAL_DECISIONS),
  comment: prose(4000).nullable().optional(),
}).openapi("ProposalDecision", {
  description:
    "Decisions are final. Accepting a classification confirms it: the device has that type from then on. Accepting a model " +
    "change or an incident status is only recorded: no model is activated and no threshold or status changes.",
});
