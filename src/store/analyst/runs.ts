import type { AnalystAnswer, RunError, RunState, SentPart } from "../../contract/analyst/analyst-run.ts";
import type { PreparedRequest } from "../../domain/analyst/plan.ts";
import type { Tx } from "../engine/database.ts";
import { jsonText, textArray, timestampLiteral } from "../engine/literals.ts";
import { all, sql } from "../engine/sql.ts";

/** Times in microseconds, amounts in micro-USD. */
export interface RunRow {
  run_id: string;
  incident_id: string;
  incident_revision: number;
  state: RunState;
  error_code: RunError | null;
  error_message: string | null;
  requested_by: string;
  requested_at: number;
  started_at: number | null;
  finished_at: number | null;
  provider: string;
  model: string;
  prompt_version: string;
  sent_parts: SentPart[];
  reserved: number;
  spent: number | null;
  input_tokens: number | null;
  output_tokens: number | null;
  answer: AnalystAnswer | null;
  feedback: { agrees: boolean; comment: string | null; by: string; at: number } | null;
  revision: number;
}

/** With the exact texts of the request. */
export interface RunDetailRow extends RunRow {
  system_text: string;
  user_text: string;
}

const COLUMNS = sql`run_id, incident_id, incident_revision, state, error_code, error_message, requested_by,
  requested_at, started_at, finished_at, provider, model, prompt_version, to_json(sent_parts) as sent_parts, reserved, spent,
  input_tokens, output_tokens, answer, feedback, revision`;

interface NewRun {
  runId: string;
  incidentId: string;
  incidentRevision: number;
  requestedBy: string;
  /** Microseconds. */
  requestedAt: number;
  provider: string;
  model: string;
  sentParts: readonly SentPart[];
  request: PreparedRequest;
}

/** Queues a run; false if one is already queued or running for the incident. */
export async function insertRun(tx: Tx, tenantId: string, run: NewRun): Promise<boolean> {
  const { request } = run;
  const reference = { evidence_ids: request.evidenceIds, placeholders: request.placeholders };
  const rows = await tx.rows(sql`
    insert into analyst_run (tenant_id, run_id, incident_id, incident_revision, requested_by, requested_at, provider, model,
      prompt_version, sent_parts, system_text, user_text, worst_input_tokens, reference)
    values (${tenantId}, ${run.runId}::uuid, ${run.incidentId}::uuid, ${run.incidentRevision}, ${run.requestedBy},
      ${
    timestampLiteral(run.requestedAt)
  }::timestamptz, ${run.provider}, ${run.model}, ${request.promptVersion},
      ${textArray(run.sentParts)}::text[], ${request.system}, ${request.user}, ${request.worstInputTokens},
      ${jsonText(reference)}::text::jsonb)
    on conflict (tenant_id, incident_id) where state in ('queued', 'running') do nothing
    returning run_id`);
  return rows.length > 0;
}

export async function runById(tx: Tx, tenantId: string, runId: string): Promise<RunDetailRow | null> {
  const [row] = await tx.rows<RunDetailRow>(sql`
    select ${COLUMNS}, system_text, user_text from analyst_run
    where tenant_id = ${tenantId} and run_id = ${runId}::uuid`);
  return row ?? null;
}

/** Newest first, from before the run `before`. */
export async function listRuns(
  tx: Tx,
  tenantId: string,
  filter: { incidentId?: string; state?: RunState },
  before: string | null,
  limit: number,
): Promise<RunRow[]> {
  const conditions = [sql`tenant_id = ${tenantId}`];
  if (before !== null) conditions.push(sql`run_id < ${before}::uuid`);
  if (filter.incidentId !== undefined) conditions.push(sql`incident_id = ${filter.incidentId}::uuid`);
  if (filter.state !== undefined) conditions.push(sql`state = ${filter.state}`);
  return await tx.rows<RunRow>(sql`
    select ${COLUMNS} from analyst_run where ${all(conditions)} order by run_id desc limit ${limit}`);
}

/** The newest run of an incident, with the summary of its newest complete one. */
export interface LatestRun {
  run_id: string;
  state: RunState;
  /** Microseconds. */
  updated_at: number;
  summary: string | null;
}

export async function latestRun(tx: Tx, tenantId: string, incidentId: string): Promise<LatestRun | null> {
  const [row] = await tx.rows<LatestRun>(sql`
    select run_id, state, coalesce(finished_at, started_at, requested_at) as updated_at,
      (select answer ->> 'summary' from analyst_run
        where tenant_id = ${tenantId} and incident_id = ${incidentId}::uuid and state = 'complete'
        order by run_id desc limit 1) as summary
    from analyst_run where tenant_id = ${tenantId} and incident_id = ${incidentId}::uuid
    order by run_id desc limit 1`);
  return row ?? null;
}

/** Saves a person's opinion of an answer if the revision still matches; false otherwise. */
export async function saveRunFeedback(
  tx: Tx,
  tenantId: string,
  { runId, revision }: { runId: string; revision: number },
  feedback: NonNullable<RunRow["feedback"]>,
): Promise<boolean> {
  const changed = await tx.run(sql`
    update analyst_run set feedback = ${jsonText(feedback)}::text::jsonb, revision = revision + 1
    where tenant_id = ${tenantId} and run_id = ${runId}::uuid and revision = ${revision}`);
  return changed === 1;
}
