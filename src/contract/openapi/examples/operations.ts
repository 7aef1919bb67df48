// One example request and response per operation. A test validates each against its schema.

import type { z } from "@hono/zod-openapi";
import type { OperationId, ROUTES } from "../../routes.ts";
import * as accountability from "./accountability.ts";
import * as briefs from "./briefs.ts";
import * as analyst from "./analyst.ts";
import * as devices from "./devices.ts";
import * as flows from "./flows.ts";
import { GRAPH, GRAPH_STREAM } from "./graph.ts";
import { EXAMPLE_META, INCIDENT_ID, NEXT_CURSOR, PERSON_SUBJECT } from "./ids.ts";
import * as incidents from "./incidents.ts";
import * as review from "./review.ts";
import * as search from "./search.ts";
import * as state from "./state.ts";

type BodyOf<R> = R extends { body: infer Schema extends z.ZodType } ? { body: z.input<Schema> } : unknown;
type ExampleOf<Id extends OperationId> = BodyOf<(typeof ROUTES)[Id]> & {
  answer: z.output<(typeof ROUTES)[Id]["response"]>;
};

/** `{ data, meta }` around one resource. */
function one<T>(data: T) {
  return { data, meta: EXAMPLE_META };
}

/** A page of a collection; the last one unless a cursor is given. */
function page<T>(data: T[], next_cursor: string | null = null) {
  return { data, meta: EXAMPLE_META, next_cursor };
}

export const EXAMPLES: { [Id in OperationId]?: ExampleOf<Id> } = {
  getSite: { answer: one(state.SITE) },

  getSummary: { answer: one(state.SUMMARY) },

  listDevices: { answer: page([devices.DEVICE]) },
  getDevice: { answer: one(devices.DEVICE_DETAIL) },
  patchDevice: { body: devices.DEVICE_PATCH, answer: one(devices.CONFIRMED_DEVICE) },

  listFlows: { answer: page([flows.FLOW, flows.DNS_FLOW], NEXT_CURSOR) },
  getFlow: { answer: one(flows.FLOW) },
  getEvidence: { answer: one(flows.CONN_OBSERVATION) },
  getRawRecord: { answer: flows.CONN_PAYLOAD },
  getFlowEvidence: { answer: page([flows.CONN_OBSERVATION, flows.ALERT_OBSERVATION]) },

  listIncidents: { answer: page([incidents.INCIDENT]) },
  getIncident: { answer: one(incidents.INCIDENT_DETAIL) },
  exportIncident: { answer: incidents.INCIDENT_REPORT },
  patchIncident: { body: incidents.INCIDENT_PATCH, answer: one(incidents.CHANGED_INCIDENT) },

  assignIncident: { body: { assignee: PERSON_SUBJECT }, answer: one(incidents.ASSIGNED_INCIDENT) },
  commentIncident: {
    body: { comment: "The owner was asked." },
    answer: one(incidents.COMMENTED_INCIDENT),
  },
  getGraph: { answer: one(GRAPH) },
  streamGraph: { answer: GRAPH_STREAM },

  interpretSearch: {
    body: { query: "who talked to 198.51.100.7 yesterday", mode: "natural", zone: "UTC" },
    answer: one(search.INTERPRETATION),
  },
  previewFilterProposal: { body: search.QUESTION, answer: one(search.PROPOSAL_PREVIEW) },
  proposeFilter: { body: search.QUESTION, answer: one(search.PROPOSAL) },
  search: {
    body: search.FILTER,
    answer: {
      ...page([flows.FLOW], NEXT_CURSOR),
      result_kind: "flows",
      window: { from: "2026-01-31T07:00:00.000Z", to: "2026-01-31T07:15:00.000Z" },
      warnings: [],
    },
  },
  aggregateSearch: {
    body: { filter: search.FILTER, group_by: ["dst.country"], bucket: null, measure: "bytes", limit: 20 },
    answer: one(search.AGGREGATE),
  },
  exportSearch: { answer: "flow_id,start,end" },
  completeSearch: { answer: one(search.COMPLETION) },
  listSavedSearches: { answer: page([search.SAVED]) },
  createSavedSearch: {
    body: {
      name: "Web traffic of clients",
      scope: "shared",
      kind: "flows",
      text: "src.ip:10.0.0.0/8 dst.port:443",
    },
    answer: one(search.SAVED),
  },
  getSavedSearch: { answer: one(search.SAVED) },
  patchSavedSearch: {
    body: { name: "Web traffic" },
    answer: one({ ...search.SAVED, name: "Web traffic", revision: 2 }),
  },

  createAnalystRun: { body: {}, answer: one(analyst.QUEUED_DETAIL) },
  previewAnalystRun: { answer: one(analyst.PREVIEW) },
  listAnalystRuns: { answer: page(analyst.RUNS) },
  getAnalystRun: { answer: one(analyst.COMPLETE) },
  cancelAnalystRun: { body: {}, answer: one(analyst.CANCELLED) },
  giveAnalystFeedback: {
    body: { agrees: false, comment: "It was the penetration test." },
    answer: one(analyst.JUDGED),
  },

  listSuppressions: { answer: page([review.SUPPRESSION]) },
  createSuppression: { body: review.SUPPRESSION_CREATION, answer: one(review.SUPPRESSION_DETAIL) },
  previewSuppression: {
    body: { pattern: review.SUPPRESSION_CREATION.pattern, incident_id: INCIDENT_ID },
    answer: one(review.SUPPRESSION_PREVIEW),
  },
  getSuppression: { answer: one(review.SUPPRESSION_DETAIL) },
  revokeSuppression: {
    body: { reason: "The updater was removed." },
    answer: one(review.REVOKED_SUPPRESSION),
  },

  listModelFeedback: { answer: page([review.FEEDBACK]) },
  createModelFeedback: { body: review.FEEDBACK_CREATION, answer: one(review.FEEDBACK) },

  suggestClassification: {
    body: { device_type: "workstation", reason: "It signs in to the domain and prints." },
    answer: one(review.PROPOSED_CLASSIFICATION),
  },
  proposeModelChange: {
    body: {
      model_id: "beacon",
      action: "change_threshold",
      details: "Halve the points for equal sizes.",
      reason: "Payload sizes are not distinctive on this network.",
    },
    answer: one(review.PROPOSED_MODEL_CHANGE),
  },
  proposeTriage: {
    body: {
      incident_id: INCIDENT_ID,
      incident_status: "resolved",
      reason: "The machine was reinstalled.",
    },
    answer: one(review.PROPOSED_TRIAGE),
  },
  listProposals: { answer: page([review.CLASSIFICATION_PROPOSAL]) },
  getProposal: { answer: one(review.PROPOSED_CLASSIFICATION) },
  decideProposal: {
    body: { decision: "accepted", comment: "Checked on site." },
    answer: one(review.DECIDED_PROPOSAL),
  },

  listResponseActions: { answer: page([accountability.PROPOSED_ACTION]) },
  getResponseAction: { answer: one(accountability.PROPOSED_ACTION) },
  proposeResponseAction: {
    body: accountability.RESPONSE_CREATION,
    answer: one(accountability.PROPOSED_ACTION),
  },
  decideResponseAction: {
    body: { decision: "approved", comment: "A spare machine is available." },
    answer: one(accountability.DECIDED_ACTION),
  },

  listRecords: { answer: page([state.UNPARSED_RECORD], NEXT_CURSOR) },
  listAudit: { answer: page([accountability.AUDIT_ENTRY]) },
  listHealthTransitions: { answer: page([state.HEALTH_TRANSITION]) },
  getHealth: { answer: one(state.HEALTH) },
  getDailyBrief: { answer: one(briefs.DAILY_BRIEF) },
  getBriefDocument: { answer: "<!doctype html>" },
  getBriefCalendar: { answer: one(briefs.BRIEF_CALENDAR) },
  getTrends: { answer: one(briefs.TRENDS) },
  getCoverage: { answer: one(state.COVERAGE) },
  listPeople: { answer: page([state.PERSON]) },
  getSession: { answer: one(state.SESSION) },
  selectTenant: { body: { tenant_id: "main" }, answer: one(state.SESSION) },
};
