import { isId } from "../../../contract/request/common.ts";
import { ApiError } from "../../../contract/request/errors.ts";
import type { FeedbackCreation, ModelFeedback } from "../../../contract/review/feedback.ts";
import { formatMillis } from "../../../kit/time.ts";
import type { Tx } from "../../../store/engine/database.ts";
import {
  type FeedbackRow,
  insertFeedback,
  listFeedback,
  resultById,
} from "../../../store/review/feedback.ts";
import { addHistory } from "../../../store/incident/history.ts";
import { incidentById } from "../../../store/incident/read.ts";
import { fieldError } from "../../field-error.ts";
import type { Handlers } from "../../handler.ts";
import type { HandlerDeps } from "../deps.ts";
import { endPage } from "../page.ts";
import { DEFAULT_LIMIT, newId } from "../params.ts";

export function feedbackHandlers(
  deps: HandlerDeps,
): Pick<Handlers, "listModelFeedback" | "createModelFeedback"> {
  return {
    async listModelFeedback({ caller: { tenantId }, query, now }) {
      const limit = query.limit ?? DEFAULT_LIMIT;
      const scope = { tenantId, operation: "listModelFeedback", filter: query };
      const before = deps.cursors.open<string>(scope, query.cursor, now);
      const filter = { modelId: query.model_id, incidentId: query.incident_id };
      const rows = await deps.db.tenant(
        tenantId,
        (tx) => listFeedback(tx, tenantId, filter, before, limit + 1),
      );
      const found = rows.slice(0, limit).map(view);
      const { page: data, more } = endPage(found, rows.length > limit, deps.pageBytes);
      const last = data.at(-1)?.feedback_id;
      return { data, nextCursor: more ? deps.cursors.seal(scope, last, now) : null };
    },

    async createModelFeedback({ caller: { tenantId, subject }, body, tx, now }) {
      const incidentId = await subjectOf(tx, tenantId, body);
      const comment = body.comment ?? null;
      const row: FeedbackRow = {
        feedback_id: newId(now),
        model_id: body.model_id,
        incident_id: incidentId,
        analysis_id: body.analysis_id ?? null,
        verdict: body.verdict,
        comment,
        created_by: subject,
        created_at: now,
      };
      await insertFeedback(tx, tenantId, row);
      const incident = incidentId === null ? null : await incidentById(tx, tenantId, incidentId);
      if (incident) {
        await addHistory(tx, tenantId, incident.incident_id, {
          at: now,
          actor: subject,
          action: "model_feedback",
          from: null,
          to: `${body.model_id}: ${body.verdict}`,
          comment,
          revision: incident.revision,
        });
      }
      return { data: view(row) };
    },
  };
}

/** The incident that feedback concerns; null for a result without an incident. */
async function subjectOf(tx: Tx, tenantId: string, body: FeedbackCreation): Promise<string | null> {
  const { model_id: modelId, incident_id: incidentId, analysis_id: analysisId } = body;
  if (incidentId) {
    const incident = isId(incidentId) ? await incidentById(tx, tenantId, incidentId) : null;
    if (!incident) throw new ApiError("not_found", "The incident does not exist.");
    if (!(modelId in incident.model_scores)) {
      throw fieldError("model_id", "expected a model with a result in this incident");
    }
    return incident.incident_id;
  }
  const result = analysisId && isId(analysisId) ? await resultById(tx, tenantId, analysisId) : null;
  if (!result) throw new ApiError("not_found", "The model result does not exist.");
  if (result.model_id !== modelId) {
    throw fieldError("model_id", "expected the model that produced this result");
  }
  return result.incident_id;
}

function view(row: FeedbackRow): ModelFeedback {
  return {
    feedback_id: row.feedback_id,
    model_id: row.model_id,
    incident_id: row.incident_id,
    analysis_id: row.analysis_id,
    verdict: row.verdict,
    comment: row.comment,
    created_by: row.created_by,
    created_at: formatMillis(row.created_at),
  };
}
