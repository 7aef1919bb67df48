import type { FeedbackCreation, ModelFeedback } from "../../review/feedback.ts";
import type { Proposal, ProposalDetail } from "../../review/proposal.ts";
import type {
  Suppression,
  SuppressionCreation,
  SuppressionDetail,
  SuppressionPreview,
} from "../../review/suppression.ts";
import * as ids from "./ids.ts";
import { INCIDENT } from "./incidents.ts";

const AT = "2026-01-31T07:15:20.000Z";

export const SUPPRESSION_CREATION: SuppressionCreation = {
  pattern: { source: "10.0.0.0/24", destination: "update.example.com", port: 443, detector: "beacon" },
  reason: "The vendor's updater polls every five minutes.",
  expires_at: "2026-04-30T00:00:00Z",
};

export const SUPPRESSION: Suppression = {
  suppression_id: ids.SUPPRESSION_ID,
  pattern: { source: "10.0.0.0/24", destination: "update.example.com", port: 443, detector: "beacon" },
  source_name: null,
  reason: "The vendor's updater polls every five minutes.",
  status: "active",
  created_by: "ada",
  created_at: AT,
  expires_at: "2026-04-30T00:00:00.000Z",
  revoked_by: null,
  revoked_at: null,
  revoked_reason: null,
  held_back: { results: 0, incidents: 0 },
  revision: 1,
};

export const SUPPRESSION_DETAIL: SuppressionDetail = {
  ...SUPPRESSION,
  workflow_history: [{
    at: AT,
    actor: "ada",
    action: "created",
    from: null,
    to: null,
    comment: "The vendor's updater polls every five minutes.",
    revision: 1,
  }],
};

export const SUPPRESSION_PREVIEW: SuppressionPreview = {
  accepted: true,
  faults: [],
  open_incidents: 1,
  results: 3,
  truncated: false,
  first_incidents: [INCIDENT],
  covers_incident: true,
  suggestions: [{
    pattern: { source: ids.DEVICE_ID, destination: "update.example.com", port: 443, detector: "beacon" },
    results: 3,
    covers_incident: true,
  }],
};

export const REVOKED_SUPPRESSION: SuppressionDetail = {
  ...SUPPRESSION_DETAIL,
  status: "revoked",
  revoked_by: "ada",
  revoked_at: "2026-01-31T08:00:00.000Z",
  revoked_reason: "The updater was removed.",
  revision: 2,
  workflow_history: [...SUPPRESSION_DETAIL.workflow_history, {
    at: "2026-01-31T08:00:00.000Z",
    actor: "ada",
    action: "revoked",
    from: "active",
    to: "revoked",
    comment: "The updater was removed.",
    revision: 2,
  }],
};

export const FEEDBACK_CREATION: FeedbackCreation = {
  model_id: "signature-alert",
  incident_id: ids.INCIDENT_ID,
  verdict: "useful",
  comment: "A real infection.",
};

export const FEEDBACK: ModelFeedback = {
  feedback_id: ids.FEEDBACK_ID,
  model_id: "signature-alert",
  incident_id: ids.INCIDENT_ID,
  analysis_id: null,
  verdict: "useful",
  comment: "A real infection.",
  created_by: "ada",
  created_at: AT,
};

const undecided = {
  status: "proposed",
  created_by: "ada",
  created_at: AT,
  decided_by: null,
  decided_at: null,
  comment: null,
  revision: 1,
} as const;

export const CLASSIFICATION_PROPOSAL: Proposal = {
  ...undecided,
  proposal_id: ids.PROPOSAL_ID,
  kind: "classification",
  target_id: ids.DEVICE_ID,
  content: { device_type: "workstation" },
  reason: "It signs in to the domain and prints.",
};

const MODEL_PROPOSAL: Proposal = {
  ...undecided,
  proposal_id: "019c12e7-ff40-7b21-8a05-2f0f4f9f1c1e",
  kind: "model",
  target_id: "beacon",
  content: { action: "change_threshold", details: "Halve the points for equal sizes." },
  reason: "Payload sizes are not distinctive on this network.",
};

const TRIAGE_PROPOSAL: Proposal = {
  ...undecided,
  proposal_id: "019c12e7-ff40-73c6-b099-2783d8990047",
  kind: "triage",
  target_id: ids.INCIDENT_ID,
  content: { incident_status: "resolved" },
  reason: "The machine was reinstalled.",
};

/** A new proposal with its history. */
function proposed(proposal: Proposal): ProposalDetail {
  return {
    ...proposal,
    workflow_history: [{
      at: AT,
      actor: "ada",
      action: "proposed",
      from: null,
      to: null,
      comment: proposal.reason,
      revision: 1,
    }],
  };
}

export const PROPOSED_CLASSIFICATION = proposed(CLASSIFICATION_PROPOSAL);
export const PROPOSED_MODEL_CHANGE = proposed(MODEL_PROPOSAL);
export const PROPOSED_TRIAGE = proposed(TRIAGE_PROPOSAL);

export const DECIDED_PROPOSAL: ProposalDetail = {
  ...PROPOSED_CLASSIFICATION,
  status: "accepted",
  decided_by: "grace",
  decided_at: "2026-01-31T07:20:00.000Z",
  comment: "Checked on site.",
  revision: 2,
  workflow_history: [...PROPOSED_CLASSIFICATION.workflow_history, {
    at: "2026-01-31T07:20:00.000Z",
    actor: "grace",
    action: "decided",
    from: "proposed",
    to: "accepted",
    comment: "Checked on site.",
    revision: 2,
  }],
};
