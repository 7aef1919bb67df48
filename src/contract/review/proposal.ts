import { z } from "@hono/zod-openapi";
import { Id, line, PageQuery, prose, Timestamp } from "../request/common.ts";
import { WorkflowEntry } from "../device/device.ts";
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
  description: "Of `classification`: what the device is proposed to be.",
});
const ModelContent = z.object({ action: z.enum(MODEL_ACTIONS), details: z.string() })
  .openapi("ModelContent", {
    description: "Of `model`: what to do with the detector. Nothing carries it out.",
  });
const TriageContent = z.object({ incident_status: z.enum(INCIDENT_STATUSES) }).openapi(
  "TriageContent",
  {
    description: "Of `triage`: the status that the incident is proposed to have. Nothing sets it.",
  },
);

export const Proposal = z.object({
  proposal_id: Id,
  kind: z.enum(PROPOSAL_KINDS),
  target_id: z.string().openapi({
    description: "A device's id, a model id, or an incident's id, by `kind`.",
  }),
  status: z.enum(PROPOSAL_STATUSES).openapi({
    description: "`proposed` until somebody decides, which is for good.",
  }),
  content: z.union([ClassificationContent, ModelContent, TriageContent]).openapi({
    description: "What is proposed, by `kind`.",
  }),
  reason: z.string().openapi({ description: "Why, in the words of who proposed it." }),
  created_by: z.string(),
  created_at: Timestamp,
  decided_by: z.string().nullable(),
  decided_at: Timestamp.nullable(),
  comment: z.string().nullable().openapi({ description: "What was said with the decision." }),
  revision: z.number().int().positive(),
}).openapi("Proposal");
export type Proposal = z.infer<typeof Proposal>;
export type ProposalContent = Proposal["content"];

export const ProposalDetail = Proposal.extend({ workflow_history: z.array(WorkflowEntry) })
  .openapi("ProposalDetail");
export type ProposalDetail = z.infer<typeof ProposalDetail>;

export const ProposalQuery = PageQuery.extend({
  kind: z.enum(PROPOSAL_KINDS).optional().openapi({
    description: "What is proposed.",
    example: "classification",
  }),
  target_id: line(128).optional().openapi({
    description: "What it is proposed of: a device's id, a model id or an incident's id.",
    example: DEVICE_ID,
  }),
  status: z.enum(PROPOSAL_STATUSES).optional().openapi({
    description: "Exactly this status.",
    example: "proposed",
  }),
});

const reason = prose(4000).openapi({ description: "Why." });

export const ClassificationSuggestion = z.strictObject({ device_type: line(64), reason })
  .openapi("ClassificationSuggestion");
export const ModelProposal = z.strictObject({
  model_id: line(64),
  action: z.enum(MODEL_ACTIONS),
  details: prose(4000).openapi({ description: "What exactly, in words." }),
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
    "Once, and for good. An accepted classification is a person's confirmation: the device has that type from then on. " +
    "An accepted change of a model or of an incident's status is recorded and changes nothing: no model is activated, no " +
    "threshold and no status moves.",
});
