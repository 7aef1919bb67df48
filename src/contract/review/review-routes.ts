import { collection, single } from "../request/common.ts";
import { FeedbackCreation, FeedbackQuery, ModelFeedback } from "./feedback.ts";
import {
  ClassificationSuggestion,
  ModelProposal,
  Proposal,
  ProposalDecisionBody,
  ProposalDetail,
  ProposalQuery,
  TriageProposal,
} from "./proposal.ts";
import { patch, read, type Route } from "../request/route.ts";
import {
  Suppression,
  SuppressionCreation,
  SuppressionDetail,
  SuppressionPreview,
  SuppressionPreviewRequest,
  SuppressionQuery,
  SuppressionRevocation,
} from "./suppression.ts";

const create = { ...patch, method: "POST", revisioned: false, status: 201 } as const;
const decide = { ...patch, method: "POST" } as const;

/** Routes with which users review findings: suppressions, feedback on models, proposals. */
export const REVIEW_ROUTES = {
  listSuppressions: {
    ...read,
    path: "/api/v1/suppressions",
    summary: "List suppressions, newest first, with the number of results each one holds back",
    tag: "Suppressions",
    query: SuppressionQuery,
    response: collection(Suppression),
  },
  createSuppression: {
    ...create,
    tagged: true,
    path: "/api/v1/suppressions",
    summary: "Suppress a narrow pattern until a given time; applies to open incidents and future results",
    tag: "Suppressions",
    body: SuppressionCreation,
    response: single(SuppressionDetail),
  },
  previewSuppression: {
    ...read,
    method: "POST",
    path: "/api/v1/suppressions/preview",
    summary: "Get what a suppression would cover now, and patterns for an incident; nothing is stored",
    tag: "Suppressions",
    body: SuppressionPreviewRequest,
    bodyNamesObject: true,
    response: single(SuppressionPreview),
  },
  getSuppression: {
    ...read,
    tagged: true,
    path: "/api/v1/suppressions/{suppression_id}",
    summary: "Get one suppression with its history",
    tag: "Suppressions",
    response: single(SuppressionDetail),
  },
  revokeSuppression: {
    ...decide,
    path: "/api/v1/suppressions/{suppression_id}/revocation",
    summary: "Revoke a suppression before it expires",
    tag: "Suppressions",
    body: SuppressionRevocation,
    response: single(SuppressionDetail),
  },

  listModelFeedback: {
    ...read,
    path: "/api/v1/models/feedback",
    summary: "List analyst feedback on models, newest first",
    tag: "Models",
    query: FeedbackQuery,
    response: collection(ModelFeedback),
  },
  createModelFeedback: {
    ...create,
    path: "/api/v1/models/feedback",
    summary: "Submit feedback on a model; it is recorded and has no further effect",
    tag: "Models",
    body: FeedbackCreation,
    bodyNamesObject: true,
    response: single(ModelFeedback),
  },

  suggestClassification: {
    ...create,
    tagged: true,
    path: "/api/v1/devices/{device_id}/classification-suggestions",
    summary: "Propose a classification for a device",
    tag: "Proposals",
    body: ClassificationSuggestion,
    response: single(ProposalDetail),
  },
  proposeModelChange: {
    ...create,
    tagged: true,
    path: "/api/v1/model-proposals",
    summary: "Propose a model change; acceptance is recorded only",
    tag: "Proposals",
    body: ModelProposal,
    response: single(ProposalDetail),
  },
  proposeTriage: {
    ...create,
    tagged: true,
    path: "/api/v1/triage-proposals",
    summary: "Propose an incident status; acceptance is recorded only",
    tag: "Proposals",
    body: TriageProposal,
    bodyNamesObject: true,
    response: single(ProposalDetail),
  },
  listProposals: {
    ...read,
    path: "/api/v1/proposals",
    summary: "List proposals, newest first",
    tag: "Proposals",
    query: ProposalQuery,
    response: collection(Proposal),
  },
  getProposal: {
    ...read,
    tagged: true,
    path: "/api/v1/proposals/{proposal_id}",
    summary: "Get one proposal with its history",
    tag: "Proposals",
    response: single(ProposalDetail),
  },
  decideProposal: {
    ...decide,
    path: "/api/v1/proposals/{proposal_id}/decision",
    summary: "Accept or reject a proposal",
    tag: "Proposals",
    body: ProposalDecisionBody,
    response: single(ProposalDetail),
  },
} as const satisfies Record<string, Route>;
