import type { Incident, IncidentDetail, IncidentPatch, ModelResult } from "../../incident/incident.ts";
import { ALERT_EVIDENCE } from "./flows.ts";
import * as ids from "./ids.ts";

export const INCIDENT: Incident = {
  id: ids.INCIDENT_ID,
  title: "Malware traffic of 10.0.0.5 (ET MALWARE)",
  severity: "medium",
  score: 50,
  status: "open",
  device_ids: [ids.DEVICE_ID],
  model_ids: ["signature-alert"],
  summary:
    'The sensor raised 1 alert (ET MALWARE) about 10.0.0.5 at 2026-01-31 07:11 UTC: "ET MALWARE Zbot CnC Checkin". ' +
    "From the device to 198.51.100.7. Confidence: 50 %.",
  first_seen: "2026-01-31T07:11:30.000Z",
  last_seen: "2026-01-31T07:11:30.000Z",
  assignee: null,
  revision: 3,
  suppressed: null,
};

const MODEL_RESULT: ModelResult = {
  analysis_id: ids.ANALYSIS_ID,
  model_id: "signature-alert",
  model_version: "1",
  technique: "T1071",
  at: "2026-01-31T07:11:30.000Z",
  first_seen: "2026-01-31T07:11:30.000Z",
  last_seen: "2026-01-31T07:11:30.000Z",
  device_id: ids.DEVICE_ID,
  title: "Malware traffic of 10.0.0.5 (ET MALWARE)",
  subject: "ET MALWARE alerts on 10.0.0.5",
  destinations: [{ ip: "198.51.100.7", name: null, port: 443 }],
  score: 50,
  confidence: 0.5,
  sub_scores: [
    {
      name: "worst_alert",
      value: 1,
      weight: 50,
      detail:
        '"ET MALWARE Zbot CnC Checkin": A Network Trojan was detected, priority 1, the device is its source',
    },
    { name: "volume", value: 0, weight: 12.5, detail: "1 alert" },
  ],
  modifiers: [],
  summary:
    'The sensor raised 1 alert (ET MALWARE) about 10.0.0.5 at 2026-01-31 07:11 UTC: "ET MALWARE Zbot CnC Checkin". ' +
    "From the device to 198.51.100.7.",
  explanation:
    "The traffic matches what known malware sends or fetches. Look at the device itself, and at who else " +
    "talks to the same peers.",
  evidence_ids: [ids.ALERT_EVIDENCE_ID],
};

export const INCIDENT_DETAIL: IncidentDetail = {
  ...INCIDENT,
  evidence: [ALERT_EVIDENCE],
  evidence_truncated: false,
  model_results: [MODEL_RESULT],
  phases: [{
    phase: "control",
    name: "Control",
    first_seen: MODEL_RESULT.first_seen,
    last_seen: MODEL_RESULT.last_seen,
    analysis_ids: [MODEL_RESULT.analysis_id],
  }],
  talks: [{
    src: { ip: "10.0.0.5", port: null, device_id: ids.DEVICE_ID, name: "front-desk", country: null },
    dst: { ip: "198.51.100.7", port: 443, device_id: null, name: "cdn.example.net", country: null },
    services: ["tls"],
    ports: [443],
    flows: 1,
    bytes_out: 5120,
    bytes_in: 48_200,
    all_flows: { flows: 3, bytes_out: 9216, bytes_in: 1_048_576 },
    first_seen: MODEL_RESULT.first_seen,
    last_seen: MODEL_RESULT.last_seen,
    severity: "medium",
    evidence_ids: [ids.ALERT_EVIDENCE_ID],
  }],
  score_parts: [{
    name: "leading_result",
    value: 50,
    weight: 1,
    detail: "best score of signature-alert",
  }],
  score_history: [{
    at: "2026-01-31T07:11:30.000Z",
    score: 50,
    reason: "Opened: Malware traffic of 10.0.0.5 (ET MALWARE)",
  }],
  workflow_history: [],
  analyst: { state: "not_requested", run_id: null, updated_at: null, text: null },
  unresolved_evidence_ids: [],
  continues: null,
  held_back: null,
  device_names: { [ids.DEVICE_ID]: "front-desk" },
  related: [{
    id: ids.OTHER_INCIDENT_ID,
    title: "Malware traffic of 10.0.0.6 (ET MALWARE)",
    severity: "medium",
    status: "open",
    last_seen: "2026-01-31T07:09:10.000Z",
    reason: "same_destination",
  }],
};

/** The beginning of the Markdown report. */
export const INCIDENT_REPORT =
  "# Malware traffic of 10.0.0.5 \\(ET MALWARE\\)\n\n**Medium**, score 50 of 100, Open, unassigned";

export const INCIDENT_PATCH: IncidentPatch = {
  status: "investigating",
  comment: "Asked the owner of the device.",
};

export const CHANGED_INCIDENT: IncidentDetail = {
  ...INCIDENT_DETAIL,
  status: "investigating",
  revision: 4,
  workflow_history: [{
    at: "2026-01-31T07:15:20.000Z",
    actor: "ada",
    action: "status_changed",
    from: "open",
    to: "investigating",
    comment: "Asked the owner of the device.",
    revision: 4,
  }],
};

export const ASSIGNED_INCIDENT: IncidentDetail = {
  ...INCIDENT_DETAIL,
  assignee: ids.PERSON_SUBJECT,
  revision: 4,
  workflow_history: [{
    at: "2026-01-31T07:15:20.000Z",
    actor: "ada",
    action: "assigned",
    from: null,
    to: ids.PERSON_SUBJECT,
    comment: null,
    revision: 4,
  }],
};

export const COMMENTED_INCIDENT: IncidentDetail = {
  ...INCIDENT_DETAIL,
  workflow_history: [{
    at: "2026-01-31T07:15:20.000Z",
    actor: "ada",
    action: "commented",
    from: null,
    to: null,
    comment: "The owner was asked.",
    revision: 3,
  }],
};
