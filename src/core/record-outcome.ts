import type { z } from "@hono/zod-openapi";
import { ApiError } from "../contract/request/errors.ts";
import type { EventResponse } from "../contract/connector/event.ts";
import type { OutcomeAnswer, OutcomeReport } from "../contract/review/response-outcome.ts";
import { checkOutcome, eventOf, isReported, OutcomeError } from "../domain/review/response/outcome.ts";
import { sha256Hex } from "../kit/hash.ts";
import { formatMillis } from "../kit/time.ts";
import { addAudit } from "../store/session/audit.ts";
import type { Tx } from "../store/engine/database.ts";
import { appendEvents } from "../store/connector/event-log.ts";
import { addHistory } from "../store/incident/history.ts";
import { incidentById } from "../store/incident/read.ts";
import { actionById, type ActionRow } from "../store/review/response-actions.ts";
import { addOutcome, lockAction, outcomeByKey, type OutcomeRow } from "../store/review/response-outcomes.ts";
import { suppressionsByIds } from "../store/review/suppressions.ts";
import { requestOrigin, targetOf } from "./audit.ts";
import { fieldError, illegalTransition } from "./field-error.ts";
import type { Executor } from "./executors.ts";
import { incidentOfEvent } from "./handlers/incident/view.ts";
import { readTimestamp } from "./window.ts";

type Recorded = z.infer<typeof OutcomeAnswer>["data"];

interface Report {
  actionId: string;
  /** The executor's idempotency key. */
  key: string;
  report: OutcomeReport;
  /** Microseconds. */
  now: number;
}

/** Reports per action; an executor that sends more is malfunctioning. */
const MAX_REPORTS = 1000;

/**
 * Records a report once: in the action and its history, the event log and the audit. The action's status does
 * not change. A repeated report, at any later time, returns the original result.
 *
 * @throws ApiError not_found; 422 for a different report under the same key; 409 for an action that was never
 * approved; invalid_request for an impossible lease
 */
export async function recordOutcome(tx: Tx, executor: Executor, sent: Report): Promise<Recorded> {
  const { actionId, key, now } = sent;
  const { tenantId, executorId } = executor;
  if (!await lockAction(tx, tenantId, actionId)) throw new ApiError("not_found");
  const action = (await actionById(tx, tenantId, actionId))!;
  const row = rowOf(action, executorId, sent);
  const { known, count } = await outcomeByKey(tx, tenantId, actionId, key);
  if (known !== null) return repeated(actionId, known, row);
  check(action, row);
  if (count >= MAX_REPORTS) {
    throw new ApiError("invalid_request", `An action accepts at most ${MAX_REPORTS} reports.`, {
      reason: "limit_reached",
      limit: MAX_REPORTS,
    });
  }
  const revision = await addOutcome(tx, tenantId, actionId, count, row);
  await addHistory(tx, tenantId, actionId, {
    at: now,
    actor: `executor:${executorId}`,
    action: "outcome_reported",
    from: action.outcome_status,
    to: row.status,
    comment: row.detail,
    revision,
  });
  await addAudit(tx, tenantId, {
    at: now,
    operation: "reportOutcome",
    outcome: "done",
    status: 200,
    errorCode: null,
    reason: null,
    subject: `executor:${executorId}`,
    roles: [],
    ...targetOf("action_id", actionId),
    changes: [{ field: "outcome.status", from: action.outcome_status, to: row.status }],
    ...requestOrigin(),
  });
  await emitEvent(tx, tenantId, action, row);
  return answer(actionId, row, false);
}

function rowOf(action: ActionRow, executorId: string, { actionId, key, report, now }: Report): OutcomeRow {
  const { status, detail = null, lease_expires_at: lease = null, identity } = report;
  return {
    report_key: key,
    report_hash: sha256Hex(JSON.stringify([status, detail, lease, identity ?? null])),
    executor_id: executorId,
    status,
    identity: identity ?? action.identity,
    detail,
    lease_expires_at: lease === null ? null : readTimestamp("lease_expires_at", lease),
    reported_at: now,
    event_id: isReported(action) ? `evt_${sha256Hex(`outcome\n${actionId}\n${key}`).slice(0, 32)}` : null,
  };
}

function repeated(actionId: string, known: OutcomeRow, sent: OutcomeRow): Recorded {
  if (known.report_hash !== sent.report_hash || known.executor_id !== sent.executor_id) {
    throw new ApiError("invalid_request", "This Idempotency-Key was already used for a different report.", {
      reason: "idempotency_mismatch",
    }, 422);
  }
  return answer(actionId, known, true);
}

function check(action: ActionRow, { status, lease_expires_at: leaseExpiresAt }: OutcomeRow): void {
  try {
    checkOutcome({ status: action.status, approvedAt: action.approved_at }, { status, leaseExpiresAt });
  } catch (error) {
    if (!(error instanceof OutcomeError)) throw error;
    throw error.field === "status"
      ? illegalTransition("status", error.message)
      : fieldError(error.field, error.message);
  }
}

/** Must come last in the transaction: it locks the tenant's event numbering. */
async function emitEvent(tx: Tx, tenantId: string, action: ActionRow, row: OutcomeRow): Promise<void> {
  const type = eventOf(action, row.status);
  if (type === null || row.event_id === null || !isReported(action)) return;
  const { action_id, incident_id, kind, mode, device_id, address } = action;
  const incident = await incidentById(tx, tenantId, incident_id);
  if (!incident) throw new Error("the action's incident is missing");
  const suppressions = await suppressionsByIds(
    tx,
    tenantId,
    incident.suppressed_by ? [incident.suppressed_by] : [],
  );
  const response: EventResponse = {
    action_id,
    incident_id,
    kind,
    mode,
    status: row.status,
    device_id,
    address,
    identity: row.identity,
    detail: row.detail,
    ...(row.lease_expires_at === null ? {} : { lease_expires_at: formatMillis(row.lease_expires_at) }),
  };
  await appendEvents(tx, tenantId, [{
    eventId: row.event_id,
    type,
    occurredAt: row.reported_at,
    body: { incident: incidentOfEvent(incident, suppressions, row.reported_at), response },
  }]);
}

function answer(actionId: string, { event_id, reported_at }: OutcomeRow, isRepeat: boolean): Recorded {
  return { action_id: actionId, event_id, reported_at: formatMillis(reported_at), repeated: isRepeat };
}
