import type { AnalystBudget } from "../../../contract/analyst/analyst-run.ts";
import type { IncidentDetail } from "../../../contract/incident/incident.ts";
import { ApiError } from "../../../contract/request/errors.ts";
import { estimatedCost, worstCost } from "../../../domain/analyst/cost.ts";
import type { AnalystPlan } from "../../../domain/analyst/plan.ts";
import { prepareRequest } from "../../../domain/analyst/request.ts";
import type { Tx } from "../../../store/engine/database.ts";
import { cancelRun } from "../../../store/analyst/queue.ts";
import {
  insertRun,
  listRuns,
  runById,
  type RunDetailRow,
  saveRunFeedback,
} from "../../../store/analyst/runs.ts";
import { incidentById } from "../../../store/incident/read.ts";
import { illegalTransition } from "../../field-error.ts";
import type { Handlers } from "../../handler.ts";
import type { HandlerDeps } from "../deps.ts";
import { detail } from "../incident/detail.ts";
import { geoFinder, type GeoOf } from "../intel/intel-view.ts";
import { endPage } from "../page.ts";
import { DEFAULT_LIMIT, newId, pathId } from "../params.ts";
import { budgetView, noRoom, runDetailView, runView } from "./view.ts";

type AnalystOperation =
  | "createAnalystRun"
  | "previewAnalystRun"
  | "listAnalystRuns"
  | "getAnalystRun"
  | "cancelAnalystRun"
  | "giveAnalystFeedback";

export function analystHandlers(deps: HandlerDeps): Pick<Handlers, AnalystOperation> {
  const geoOf = geoFinder(deps.geoip);
  const planOf = (tenantId: string): AnalystPlan => {
    const plan = deps.analyst?.plan(tenantId) ?? null;
    if (plan === null) throw new ApiError("provider_disabled");
    return plan;
  };
  return {
    async createAnalystRun({ caller: { tenantId, subject }, params, tx, now, onCommitted }) {
      const incident = await readIncident(tx, tenantId, pathId(params, "incident_id"), { now, geoOf });
      const plan = planOf(tenantId);
      const request = prepareRequest(incident, plan);
      refuseWithoutRoom(await budgetView(tx, tenantId, plan), worstCost(plan, request), now);
      const runId = newId(now);
      const isQueued = await insertRun(tx, tenantId, {
        runId,
        incidentId: incident.id,
        incidentRevision: incident.revision,
        requestedBy: subject,
        requestedAt: now,
        provider: plan.provider,
        model: plan.model,
        sentParts: plan.send,
        request,
      });
      if (!isQueued) {
        const message = "a run for this incident is queued or running; wait for it or cancel it";
        throw new ApiError("invalid_request", `incident_id: ${message}`, {
          reason: "duplicate",
          issues: [{ path: "incident_id", message }],
        }, 409);
      }
      onCommitted(() => deps.analyst?.queued(tenantId));
      const row = await existing(tx, tenantId, runId);
      return { data: runDetailView(row), etag: row.revision };
    },

    async previewAnalystRun({ caller: { tenantId }, params, now }) {
      const incidentId = pathId(params, "incident_id");
      return await deps.db.tenant(tenantId, async (tx) => {
        const incident = await readIncident(tx, tenantId, incidentId, { now, geoOf });
        const plan = planOf(tenantId);
        const request = prepareRequest(incident, plan);
        return {
          data: {
            model: { provider: plan.provider, model: plan.model, prompt_version: request.promptVersion },
            sent: { system: request.system, user: request.user },
            sent_parts: [...plan.send],
            placeholders: Object.keys(request.placeholders).length,
            evidence_ids: request.evidenceIds,
            evidence_omitted: request.evidenceOmitted,
            estimated_input_tokens: request.estimatedInputTokens,
            max_output_tokens: plan.maxOutputTokens,
            estimated_microusd: estimatedCost(plan, request),
            worst_microusd: worstCost(plan, request),
            budget: await budgetView(tx, tenantId, plan),
          },
        };
      });
    },

    async listAnalystRuns({ caller: { tenantId }, query, now }) {
      const limit = query.limit ?? DEFAULT_LIMIT;
      const scope = { tenantId, operation: "listAnalystRuns", filter: query };
      const before = deps.cursors.open<string>(scope, query.cursor, now);
      const filter = { incidentId: query.incident_id, state: query.state };
      const rows = await deps.db.tenant(tenantId, (tx) => listRuns(tx, tenantId, filter, before, limit + 1));
      const found = rows.slice(0, limit).map(runView);
      const { page: data, more } = endPage(found, rows.length > limit, deps.pageBytes);
      const last = data.at(-1)?.run_id;
      return { data, nextCursor: more ? deps.cursors.seal(scope, last, now) : null };
    },

    async getAnalystRun({ caller: { tenantId }, params }) {
      const runId = pathId(params, "run_id");
      const row = await deps.db.tenant(tenantId, (tx) => existing(tx, tenantId, runId));
      return { data: runDetailView(row), etag: row.revision };
    },

    async cancelAnalystRun({ caller: { tenantId, subject }, params, ifMatch, tx, now, onCommitted }) {
      const before = await existing(tx, tenantId, pathId(params, "run_id"));
      if (before.revision !== ifMatch) throw conflict(before);
      if (before.state !== "queued" && before.state !== "running") {
        throw illegalTransition("state", `expected a queued or running run; this one is ${before.state}`);
      }
      const of = { runId: before.run_id, revision: ifMatch };
      const isDone = await cancelRun(tx, tenantId, of, { message: `${subject} cancelled the run.`, now });
      const after = await existing(tx, tenantId, before.run_id);
      if (!isDone) throw conflict(after);
      onCommitted(() => deps.analyst?.cancelled(before.run_id));
      return { data: runDetailView(after), etag: after.revision, before: { state: before.state } };
    },

    async giveAnalystFeedback({ caller: { tenantId, subject }, params, body, ifMatch, tx, now }) {
      const before = await existing(tx, tenantId, pathId(params, "run_id"));
      if (before.revision !== ifMatch) throw conflict(before);
      if (before.answer === null) {
        throw illegalTransition("state", `expected a complete run; this one is ${before.state}`);
      }
      const { agrees, comment = null } = body;
      const given = { agrees, comment, by: subject, at: now };
      const isSaved = await saveRunFeedback(tx, tenantId, { runId: before.run_id, revision: ifMatch }, given);
      const after = await existing(tx, tenantId, before.run_id);
      if (!isSaved) throw conflict(after);
      return {
        data: runDetailView(after),
        etag: after.revision,
        before: { agrees: before.feedback?.agrees ?? null, comment: before.feedback?.comment ?? null },
      };
    },
  };
}

/**
 * The incident as a model reads it: without what people have decided, so that its judgement is independent of theirs.
 *
 * @throws ApiError not_found
 */
async function readIncident(
  tx: Tx,
  tenantId: string,
  incidentId: string,
  reads: { now: number; geoOf: GeoOf },
): Promise<IncidentDetail> {
  const row = await incidentById(tx, tenantId, incidentId);
  if (!row) throw new ApiError("not_found");
  return { ...await detail(tx, tenantId, row, reads), status: "open" };
}

/** @throws ApiError not_found */
async function existing(tx: Tx, tenantId: string, runId: string): Promise<RunDetailRow> {
  const row = await runById(tx, tenantId, runId);
  if (!row) throw new ApiError("not_found");
  return row;
}

/** @throws ApiError budget_exhausted, to be retried after the UTC day has ended */
function refuseWithoutRoom(budget: AnalystBudget, worst: number, now: number): void {
  const used = budget.reserved_microusd + budget.spent_microusd;
  if (used + worst > budget.limit_microusd) throw noRoom(budget, worst, now);
}

function conflict({ revision }: RunDetailRow): ApiError {
  return new ApiError("revision_conflict", undefined, { revision });
}
