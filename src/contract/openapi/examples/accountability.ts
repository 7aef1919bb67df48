import type { AuditEntry } from "../../session/audit.ts";
import type { ResponseAction, ResponseActionCreation } from "../../review/response.ts";
import * as ids from "./ids.ts";

export const RESPONSE_CREATION: ResponseActionCreation = {
  kind: "quarantine_device",
  target: { device_id: ids.DEVICE_ID },
  reason: "It communicates with a botnet server; isolate it until it is reinstalled.",
};

export const PROPOSED_ACTION: ResponseAction = {
  action_id: ids.ACTION_ID,
  incident_id: ids.INCIDENT_ID,
  incident_title: "front-desk: beaconing to 203.0.113.7:443",
  kind: "quarantine_device",
  mode: "proposal",
  status: "proposed",
  target: { device_id: ids.DEVICE_ID, device_name: "front-desk", address: "10.0.0.5" },
  identity: "weak",
  reason: RESPONSE_CREATION.reason,
  proposed_by: "rosa",
  proposed_at: "2026-01-31T07:15:20.000Z",
  decided_by: null,
  decided_at: null,
  self_approved: false,
  comment: null,
  outcome: null,
  workflow_history: [{
    at: "2026-01-31T07:15:20.000Z",
    actor: "rosa",
    action: "proposed",
    from: null,
    to: "proposed",
    comment: RESPONSE_CREATION.reason,
    revision: 1,
  }],
  revision: 1,
};

export const DECIDED_ACTION: ResponseAction = {
  ...PROPOSED_ACTION,
  status: "approved",
  decided_by: "omar",
  decided_at: "2026-01-31T07:18:00.000Z",
  comment: "A spare machine is available.",
  workflow_history: [...PROPOSED_ACTION.workflow_history, {
    at: "2026-01-31T07:18:00.000Z",
    actor: "omar",
    action: "decided",
    from: "proposed",
    to: "approved",
    comment: "A spare machine is available.",
    revision: 2,
  }],
  revision: 2,
};

export const AUDIT_ENTRY: AuditEntry = {
  audit_id: "019c12e7-ff40-7d0a-b6f1-4a8e0a9b3c21",
  at: "2026-01-31T07:15:20.000Z",
  operation: "patchIncident",
  outcome: "done",
  status: 200,
  error_code: null,
  reason: null,
  subject: "ada",
  display_name: "Ada Analyst",
  roles: ["analyst"],
  target_type: "incident",
  target_id: ids.INCIDENT_ID,
  target_name: "front-desk: beaconing to 203.0.113.7:443",
  changes: [{ field: "status", from: "open", to: "investigating" }],
  client_address: "192.0.2.7",
  user_agent: "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
  request_id: ids.EXAMPLE_META.request_id,
  session_id: "d9b0c9a6-5f1d-4b60-9a44-7d5a2e0c3f18",
};
