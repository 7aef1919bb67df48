// One example request and response per operation. A test validates each against its schema.

import type { z } from "@hono/zod-openapi";
import type { OperationId, ROUTES } from "../../routes.ts";
import * as accountability from "./accountability.ts";
import * as devices from "./devices.ts";
import * as flows from "./flows.ts";
import { EXAMPLE_META, INCIDENT_ID, NEXT_CURSOR } from "./ids.ts";
import * as incidents from "./incidents.ts";
import * as review from "./review.ts";
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

  listDevices: { answer: page([devices.DEVICE]) },
  getDevice: { answer: one(devices.DEVICE_DETAIL) },
  patchDevice: { body: devices.DEVICE_PATCH, answer: one(devices.CONFIRMED_DEVICE) },

  listFlows: { answer: page([flows.FLOW, flows.DNS_FLOW], NEXT_CURSOR) },
  getFlowEvidence: { answer: page([flows.CONN_OBSERVATION, flows.ALERT_OBSERVATION]) },

  listIncidents: { answer: page([incidents.INCIDENT]) },
  getIncident: { answer: one(incidents.INCIDENT_DETAIL) },
  patchIncident: { body: incidents.INCIDENT_PATCH, answer: one(incidents.CHANGED_INCIDENT) },

  listSuppressions: { answer: page([review.SUPPRESSION]) },
  createSuppression: { body: review.SUPPRESSION_CREATION, answer: one(review.SUPPRESSION_DETAIL) },
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
  proposeResponseAction: {
    body: accountability.RESPONSE_CREATION,
    answer: one(accountability.PROPOSED_ACTION),
  },
  decideResponseAction: {
    body: { decision: "approved", comment: "A spare machine is available." },
    answer: one(accountability.DECIDED_ACTION),
  },

  listAudit: { answer: page([accountability.AUDIT_ENTRY]) },
  getHealth: { answer: one(state.HEALTH) },
  getSession: { answer: one(state.SESSION) },
  selectTenant: { body: { tenant_id: "main" }, answer: one(state.SESSION) },
};
