import type { FeedbackVerdict } from "../../contract/review/feedback.ts";
import type { Tx } from "../engine/database.ts";
import { timestampLiteral } from "../engine/literals.ts";
import { all, sql } from "../engine/sql.ts";

export interface FeedbackRow {
  feedback_id: string;
  model_id: string;
  incident_id: string | null;
  analysis_id: string | null;
  verdict: FeedbackVerdict;
  comment: string | null;
  created_by: string;
  /** Microseconds. */
  created_at: number;
}

export async function insertFeedback(tx: Tx, tenantId: string, row: FeedbackRow): Promise<void> {
  await tx.run(sql`
    insert into model_feedback
      (tenant_id, feedback_id, model_id, incident_id, analysis_id, verdict, comment, created_by, created_at)
    values (${tenantId}, ${row.feedback_id}::uuid, ${row.model_id}, ${row.incident_id}::uuid,
      ${row.analysis_id}::uuid, ${row.verdict}, ${row.comment}, ${row.created_by},
      ${timestampLiteral(row.created_at)}::timestamptz)`);
}

/** Newest first. */
export async function listFeedback(
  tx: Tx,
  tenantId: string,
  filter: { modelId?: string; incidentId?: string },
  before: string | null,
  limit: number,
): Promise<FeedbackRow[]> {
  const conditions = [sql`tenant_id = ${tenantId}`];
  if (before !== null) conditions.push(sql`feedback_id < ${before}::uuid`);
  if (filter.modelId !== undefined) conditions.push(sql`model_id = ${filter.modelId}`);
  if (filter.incidentId !== undefined) conditions.push(sql`incident_id = ${filter.incidentId}::uuid`);
  return await tx.rows<FeedbackRow>(sql`
    select * from model_feedback where ${all(conditions)} order by feedback_id desc limit ${limit}`);
}

/**
 * The model of a persisted result and the incident that it joined, if any; null if there is no such result.
 */
export async function resultById(
  tx: Tx,
  tenantId: string,
  analysisId: string,
): Promise<{ model_id: string; incident_id: string | null } | null> {
  const [row] = await tx.rows<{ model_id: string; incident_id: string | null }>(sql`
    select model_id, incident_id from model_result
    where tenant_id = ${tenantId} and analysis_id = ${analysisId}::uuid`);
  return row ?? null;
}
