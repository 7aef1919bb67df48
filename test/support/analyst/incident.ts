// Incidents for tests of analyst runs: evidence is summarised from real record payloads by the normalisers.

import type { IncidentDetail, ModelResult } from "../../../src/contract/incident/incident.ts";
import type { RecordKind } from "../../../src/contract/record/kinds.ts";
import type { AnalystPlan } from "../../../src/domain/analyst/plan.ts";
import { summarise } from "../../../src/domain/flow/summary.ts";
import { normaliseStored } from "../../../src/domain/record/stored-record.ts";
import { plainLine } from "../../../src/kit/plain-text.ts";

const AT = "2026-01-31T07:15:00.000Z";
export const DEVICE = "00000000-0000-4000-8000-000000000001";

export const PLAN: AnalystPlan = {
  provider: "local",
  model: "llama3.1",
  inputMicrousdPerMillion: 150_000,
  outputMicrousdPerMillion: 600_000,
  maxInputTokens: 12_000,
  maxOutputTokens: 1_000,
  dailyBudgetMicrousd: 1_000_000,
  send: ["names", "addresses", "payloads"],
};

export function evidenceId(number: number): string {
  return `00000000-0000-4000-9000-${String(number).padStart(12, "0")}`;
}

/** The evidence of one record; throws if the normaliser makes no observation of it. */
export function evidenceOf(
  number: number,
  kind: RecordKind,
  payload: unknown,
): IncidentDetail["evidence"][number] {
  const result = normaliseStored({ kind, observedAtText: AT, payload: JSON.stringify(payload) });
  if (!("observation" in result)) throw new Error(`${kind} is no observation: ${JSON.stringify(result)}`);
  const { observation } = result;
  return {
    evidence_id: evidenceId(number),
    kind: observation.evidenceKind,
    source: observation.source,
    sensor_id: "sensor-1",
    observed_at: `2026-01-31T07:${String(number % 60).padStart(2, "0")}:00.000Z`,
    received_at: AT,
    trust: "packet",
    summary: summarise({
      proto: "tcp",
      src: observation.src,
      dst: observation.dst,
      service: observation.service,
      counters: observation.counters,
      duration: 0,
      facts: observation.facts,
    }),
    flow_id: DEVICE,
    record_kind: kind,
  };
}

export function modelResult(more: Partial<ModelResult> = {}): ModelResult {
  return {
    analysis_id: "00000000-0000-4000-a000-000000000001",
    model_id: "beacon",
    model_version: "1",
    technique: "T1071.001",
    at: AT,
    first_seen: AT,
    last_seen: AT,
    device_id: DEVICE,
    title: "Beaconing from ws-12 to 203.0.113.7:443",
    subject: "ws-12 to 203.0.113.7:443",
    destinations: [{ ip: "203.0.113.7", name: "updates.example", port: 443 }],
    score: 71,
    confidence: 0.8,
    sub_scores: [{ name: "regularity", value: 0.9, weight: 40, detail: "every 60 s to updates.example" }],
    modifiers: [],
    summary: "ws-12 connected to updates.example (203.0.113.7:443) every 60 s for 3 h.",
    explanation: "Automated callbacks: intervals are far more regular than human traffic.",
    evidence_ids: [],
    ...more,
  };
}

/** An incident of ws-12; names and texts of `more` as the engine would store them. */
export function incident(more: Partial<IncidentDetail> = {}): IncidentDetail {
  const evidence = more.evidence ?? [];
  const results = more.model_results ??
    [modelResult({ evidence_ids: evidence.map(({ evidence_id }) => evidence_id) })];
  return {
    id: "00000000-0000-4000-b000-000000000001",
    title: plainLine(results[0]?.title ?? "Nothing"),
    severity: "high",
    score: 71,
    status: "open",
    device_ids: [DEVICE],
    model_ids: results.map(({ model_id }) => model_id),
    summary: results[0]?.summary ?? "",
    first_seen: AT,
    last_seen: AT,
    assignee: null,
    revision: 3,
    suppressed: null,
    evidence_truncated: false,
    score_parts: [],
    score_history: [],
    workflow_history: [],
    analyst: { state: "not_requested", run_id: null, updated_at: null, text: null },
    unresolved_evidence_ids: [],
    continues: null,
    held_back: null,
    device_names: { [DEVICE]: "ws-12" },
    related: [],
    phases: [],
    talks: [],
    ...more,
    evidence,
    model_results: results,
  };
}
