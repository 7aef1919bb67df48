import type { AnalystRun, AnalystRunDetail, AnalystRunPreview } from "../../analyst/analyst-run.ts";
import * as ids from "./ids.ts";

const AT = "2026-01-31T07:15:20.000Z";

const QUEUED_RUN: AnalystRun = {
  run_id: ids.ANALYST_RUN_ID,
  incident_id: ids.INCIDENT_ID,
  incident_revision: 3,
  state: "queued",
  error: null,
  requested_by: ids.PERSON_SUBJECT,
  requested_at: AT,
  started_at: null,
  finished_at: null,
  model: { provider: "local", model: "llama3.1", prompt_version: "1" },
  cost: { input_tokens: null, output_tokens: null, reserved_microusd: 0, spent_microusd: null },
  assessment: null,
  feedback: null,
  revision: 1,
};

const SENT = {
  system: "You review one incident of a network detection system for a security analyst.",
  user: '{"incident":{"title":"Malware traffic of [device-1] (ET MALWARE)","severity":"medium"}}',
};

const COMPLETE_RUN: AnalystRun = {
  ...QUEUED_RUN,
  state: "complete",
  started_at: "2026-01-31T07:15:20.100Z",
  finished_at: "2026-01-31T07:15:24.600Z",
  cost: { input_tokens: 2_310, output_tokens: 262, reserved_microusd: 0, spent_microusd: 504 },
  assessment: "malicious",
  revision: 3,
};

const QUEUED: AnalystRunDetail = { ...QUEUED_RUN, answer: null, sent: SENT, sent_parts: ["addresses"] };

export const COMPLETE: AnalystRunDetail = {
  ...QUEUED,
  ...COMPLETE_RUN,
  answer: {
    assessment: "malicious",
    confidence: 0.8,
    summary:
      "The device checked in at a command server of Zbot, and nothing in the records explains it otherwise.",
    reasoning: [{
      claim: "The sensor raised an alert of Zbot's check-in at the command server.",
      evidence_ids: [ids.ALERT_EVIDENCE_ID],
    }],
    next_steps: ["Ask the owner of the device what ran at 07:11 UTC."],
    suggestion: {
      kind: "search",
      filter: "dst.ip:198.51.100.7",
      reason: "Other devices may talk to the same server.",
    },
  },
};

export const RUNS: AnalystRun[] = [COMPLETE_RUN];
export const QUEUED_DETAIL = QUEUED;

export const CANCELLED: AnalystRunDetail = {
  ...QUEUED,
  state: "failed",
  error: { code: "cancelled", message: "ada cancelled the run." },
  finished_at: "2026-01-31T07:15:22.000Z",
  revision: 2,
};

export const JUDGED: AnalystRunDetail = {
  ...COMPLETE,
  feedback: {
    agrees: false,
    comment: "It was the penetration test.",
    by: ids.PERSON_SUBJECT,
    at: "2026-01-31T07:20:00.000Z",
  },
  revision: 4,
};

export const PREVIEW: AnalystRunPreview = {
  model: QUEUED.model,
  sent: SENT,
  sent_parts: ["addresses"],
  placeholders: 1,
  evidence_ids: [ids.ALERT_EVIDENCE_ID],
  evidence_omitted: 0,
  estimated_input_tokens: 2_300,
  max_output_tokens: 1_000,
  estimated_microusd: 945,
  worst_microusd: 2_019,
  budget: { date: "2026-01-31", limit_microusd: 1_000_000, reserved_microusd: 0, spent_microusd: 504 },
};
