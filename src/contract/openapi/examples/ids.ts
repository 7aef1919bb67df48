// Identifiers and times of the examples, which share one scenario: a front-desk machine contacts a botnet
// server.

export const DEVICE_ID = "019c12de-8d48-7e68-9a4c-03d80862fb0a";
export const RESOLVER_ID = "019c12e3-1d40-74b4-afd1-1c311d6afbcf";
export const FLOW_ID = "019c12e4-07a0-75a4-b19a-ba8349fe8925";
export const DNS_FLOW_ID = "019c12e3-1d40-7c40-bf1a-4954c90ea00f";
export const CONN_EVIDENCE_ID = "019c12e4-07a0-74be-af35-75c8db235fd6";
export const TLS_EVIDENCE_ID = "019c12e4-07a0-7f8c-a191-58f914157d70";
export const ALERT_EVIDENCE_ID = "019c12e4-7cd0-785c-8bc9-e251d29ad689";
export const DNS_EVIDENCE_ID = "019c12e3-1d40-7912-9118-0b7eec296e21";
export const LEASE_EVIDENCE_ID = "019c12de-8d48-7046-8cff-aa624478b00c";
export const LEASE_FLOW_ID = "019c12de-8d48-7fa8-9c30-fb62331ec987";
export const INCIDENT_ID = "019c12e4-7cd0-7319-af1b-974baf36b021";
export const ANALYSIS_ID = "019c12e4-7cd0-7c02-8e11-6f1c0a4d9b57";
export const SUPPRESSION_ID = "019c12e7-ff40-74cf-9972-7303de69bf4a";
export const PROPOSAL_ID = "019c12e7-ff40-7e63-b570-11be03723cb1";
export const ACTION_ID = "019c12e7-ff40-7a4d-8c3e-1d5b7f902a6c";
export const SAVED_SEARCH_ID = "019c12e7-ff40-7d21-b0a4-5be2c7d1f3a6";
export const FEEDBACK_ID = "019c12e7-ff40-73c7-907f-ee139b2a88fd";
export const ANALYST_RUN_ID = "019c12e8-3b10-7a52-8c61-4d0e9f7b2a15";
export const OTHER_INCIDENT_ID = "019c12e2-5af0-7a4b-9d1f-0c5b8e7a1f42";
export const TRANSITION_ID = "6f9d1c1e-2a54-4c0f-8a3e-9b7d5e21c0aa";
export const PERSON_SUBJECT = "ada";

export const EXAMPLE_META = {
  request_id: "61d893ca-6ff0-4ec2-9cb9-3b5da565307a",
  generated_at: "2026-01-31T07:15:20.000Z",
};
/** An opaque cursor. */
export const NEXT_CURSOR = "eyJpIjoxNzY5ODQzNzIwMDAwMDAwLCJwIjoiMDE5YyJ9.5d41402abc4b2a76b9719d911017c592";
