import type { AnalystRunDetail, AnalystRunPreview } from "../../contract/analyst/analyst-run.ts";
import type { Incident, IncidentDetail } from "../../contract/incident/incident.ts";
import { type Agreement, agreementOf } from "../../domain/analyst/agreement.ts";
import { type Call, Refused } from "../search/core-api.ts";

/** A closed incident, what people decided, and what a run would cost. */
export interface Candidate {
  incident: Incident;
  /** Their comment at the decision. */
  comment: string;
  preview: AnalystRunPreview;
}

/** A finished run and how it compares. */
export interface Replayed {
  candidate: Candidate;
  run: AnalystRunDetail;
  agreement: Agreement | null;
}

/** The newest incidents that people closed with a comment, each with the preview of its run. */
export async function candidates(call: Call, limit: number): Promise<Candidate[]> {
  const query = { status: ["resolved", "false_positive"] as const, from: "1970-01-01T00:00:00Z", limit };
  const { data } = await call("listIncidents", { query });
  const found: Candidate[] = [];
  for (const incident of data) {
    const params = { incident_id: incident.id };
    const comment = decisionOf((await call("getIncident", { params })).data);
    if (comment === null) continue;
    const { data: preview } = await call("previewAnalystRun", { params });
    found.push({ incident, comment, preview });
  }
  return found;
}

/** The comment with which people brought the incident into its present status; null without one. */
function decisionOf({ status, workflow_history }: IncidentDetail): string | null {
  const decided = workflow_history.findLast(({ action, to }) => action === "status_changed" && to === status);
  return decided?.comment ?? null;
}

/** Sums in micro-USD. */
export function costsOf(found: readonly Candidate[]): { usual: number; worst: number } {
  return {
    usual: found.reduce((sum, { preview }) => sum + preview.estimated_microusd, 0),
    worst: found.reduce((sum, { preview }) => sum + preview.worst_microusd, 0),
  };
}

const POLL_MS = 300;

/**
 * Runs the model on one candidate and waits for the end.
 *
 * @throws Refused if the core does not queue it: `budget_exhausted`, `provider_disabled`, or another run is open
 */
export async function replay(call: Call, candidate: Candidate): Promise<Replayed> {
  const params = { incident_id: candidate.incident.id };
  let { data: run } = await call("createAnalystRun", { params, body: {} });
  while (run.state === "queued" || run.state === "running") {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    ({ data: run } = await call("getAnalystRun", { params: { run_id: run.run_id } }));
  }
  const agreement = run.answer === null
    ? null
    : agreementOf(run.answer.assessment, candidate.incident.status);
  return { candidate, run, agreement };
}

/** Whether a refusal ends the backtest: no later run would be accepted either. */
export function endsBacktest(error: unknown): boolean {
  return error instanceof Refused &&
    ["budget_exhausted", "provider_disabled"].includes(error.details.reason ?? "");
}

/** What the replayed runs show, in sentences. */
export function conclusion(replayed: readonly Replayed[]): string[] {
  const count = (agreement: Agreement | null) => replayed.filter((one) => one.agreement === agreement).length;
  const [agrees, disagrees, undecided] = [count("agrees"), count("disagrees"), count("undecided")];
  const spent = replayed.reduce((sum, { run }) => sum + (run.cost.spent_microusd ?? 0), 0);
  const reserved = replayed.reduce((sum, { run }) => sum + run.cost.reserved_microusd, 0);
  const decided = agrees + disagrees;
  return [
    `The model agrees with people on ${agrees} of ${decided} incidents that it judged` +
    (decided === 0 ? "." : ` (${Math.round(100 * agrees / decided)} %).`),
    `It was inconclusive on ${undecided}, and ${count(null)} runs failed.`,
    `Cost: ${spent} micro-USD` +
    (reserved === 0 ? "." : `, and ${reserved} stay reserved because their cost is unknown.`),
  ];
}
