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
  SuppressionQuery,
  SuppressionRevocation,
} from "./suppression.ts";

const create = { ...patch, method: "POST", revisioned: false, status: 201 } as const;
const decide = { ...patch, method: "POST" } as const;

/** What people say of what was found: suppressions, feedback on models, proposals. */
export const REVIEW_ROUTES = {
  listSuppressions: {
    ...read,
    path: "/api/v1/suppressions",
    summary: "Accepted patterns, newest first, with what each holds back",
    tag: "Suppressions",
    query: SuppressionQuery,
    response: collection(Suppression),
  },
  createSuppression: {
    ...create,
    tagged: true,
    path: "/api/v1/suppressions",
    summary: "Accept a narrow pattern for a time; covers open incidents as well as what comes",
    tag: "Suppressions",
    body: SuppressionCreation,
    response: single(SuppressionDetail),
  },
  getSuppression: {
    ...read,
    tagged: true,
    path: "/api/v1/suppressions/{suppression_id}",
    summary: "One suppression with its history",
    tag: "Suppressions",
    response: single(SuppressionDetail),
  },
  revokeSuppression: {
    ...decide,
    path: "/api/v1/suppressions/{suppression_id}/revocation",
    summary: "End a suppression before its time",
    tag: "Suppressions",
    body: SuppressionRevocation,
    response: single(SuppressionDetail),
  },

  listModelFeedback: {
    ...read,
    path: "/api/v1/models/feedback",
    summary: "What analysts said of models, newest first",
    tag: "Models",
    query: FeedbackQuery,
    response: collection(ModelFeedback),
  },
  createModelFeedback: {
    ...create,
    path: "/api/v1/models/feedback",
    summary: "Say whether a model was right; recorded, acting on nothing",
    tag: "Models",
    body: FeedbackCreation,
    bodyNamesObject: true,
    response: single(ModelFeedback),
  },

  suggestClassification: {
    ...create,
    tagged: true,
    path: "/api/v1/devices/{device_id}/classification-suggestions",
    summary: "Propose what a device is",
    tag: "Proposals",
    body: ClassificationSuggestion,
    response: single(ProposalDetail),
  },
  proposeModelChange: {
    ...create,
    tagged: true,
    path: "/api/v1/model-proposals",
    summary: "Propose a change of a model; accepting it changes nothing",
    tag: "Proposals",
    body: ModelProposal,
    response: single(ProposalDetail),
  },
  proposeTriage: {
    ...create,
    tagged: true,
    path: "/api/v1/triage-proposals",
    summary: "Propose a status for an incident; accepting it changes nothing",
    tag: "Proposals",
    body: TriageProposal,
    bodyNamesObject: true,
    response: single(ProposalDetail),
  },
  listProposals: {
    ...read,
    path: "/api/v1/proposals",
    summary: "Proposals, newest first",
    tag: "Proposals",
    query: ProposalQuery,
    response: collection(Proposal),
  },
  getProposal: {
    ...read,
    tagged: true,
    path: "/api/v1/proposals/{proposal_id}",
    summary: "One proposal with its history",
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
