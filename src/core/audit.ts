import { type AuditChange, type AuditOutcome, MAX_CHANGE_TEXT } from "../contract/session/audit.ts";
import { ApiError } from "../contract/request/errors.ts";
import type { OperationId } from "../contract/routes.ts";
import { messageOf } from "../kit/errors.ts";
import { stringifyJson } from "../kit/json/json.ts";
import { plainLine } from "../kit/plain-text.ts";
import type { Logger } from "../observe/log.ts";
import { Redactor } from "../observe/redactor.ts";
import { currentRequest } from "../observe/request-scope.ts";
import { addAudit, type AuditRecord } from "../store/session/audit.ts";
import type { Database } from "../store/engine/database.ts";
import type { Answer, Caller } from "./handler.ts";
import type { AuditBudget } from "./audit-budget.ts";

/** A user's request for one operation, as the audit records it. */
export interface AuditedRequest {
  operation: OperationId;
  caller: Caller;
  /** Path parameters. */
  params: Record<string, string>;
  body: unknown;
  /** Microseconds. */
  at: number;
}

const MAX_CHANGES = 20;
const MAX_REASON = 500;
/** Redacts by key name only; no secret values are registered. */
const redactor = new Redactor();

/** The current request and its origin; null for what is unknown. */
export function requestOrigin(): Pick<
  AuditRecord,
  "clientAddress" | "userAgent" | "requestId" | "sessionId" | "displayName"
> {
  const { requestId = null, clientAddress = null, userAgent = null, sessionId = null, displayName = null } =
    currentRequest() ?? {};
  return { requestId, clientAddress, userAgent, sessionId, displayName };
}

/** The audit record of a write that took effect. */
export function auditOfAnswer(request: AuditedRequest, answer: Answer, status: number): AuditRecord {
  const created = objectOf(answer.data);
  const target = pathTarget(request) ?? created;
  const changes = changesOf(request.body, answer);
  // The write created another object than the path names, such as a proposal about a device.
  if (created !== null && created.targetId !== target?.targetId) {
    changes.unshift({ field: "created", from: null, to: created.targetId });
  }
  return {
    ...common(request, "done"),
    ...target ?? NO_TARGET,
    status,
    errorCode: null,
    reason: null,
    changes: changes.slice(0, MAX_CHANGES),
  };
}

/** The audit record of a rejected write: the requested changes and the reason for the rejection. */
export function auditOfRefusal(request: AuditedRequest, error: ApiError): AuditRecord {
  return {
    ...common(request, "refused"),
    ...pathTarget(request) ?? NO_TARGET,
    status: error.status,
    errorCode: error.code,
    reason: plainLine(error.message).slice(0, MAX_REASON),
    changes: changesOf(request.body, { data: null }).slice(0, MAX_CHANGES),
  };
}

/**
 * Records a request that was rejected for lack of rights. A failure to record it does not change the
 * response.
 */
export async function auditRefusal(
  { db, log, refusals }: { db: Database; log: Logger; refusals: AuditBudget },
  request: AuditedRequest,
  error: unknown,
): Promise<void> {
  if (!(error instanceof ApiError)) return;
  const { caller: { tenantId, subject }, operation } = request;
  if (!refusals.admits(operation, subject)) return;
  try {
    await db.tenant(tenantId, (tx) => addAudit(tx, tenantId, auditOfRefusal(request, error)));
  } catch (failure) {
    log.warn("cannot record a rejected request in the audit", {
      operation,
      subject,
      error: messageOf(failure),
    });
  }
}

function common({ operation, caller, at }: AuditedRequest, outcome: AuditOutcome) {
  return { at, operation, outcome, subject: caller.subject, roles: caller.roles, ...requestOrigin() };
}

type Target = Pick<AuditRecord, "targetType" | "targetId">;
export const NO_TARGET: Target = { targetType: null, targetId: null };

/** The innermost object that the path names. */
function pathTarget({ params }: AuditedRequest): Target | null {
  const innermost = Object.entries(params).at(-1);
  return innermost === undefined ? null : targetOf(...innermost);
}

/** The object in an answer: the first `id` or `*_id` field identifies it. */
function objectOf(data: unknown): Target | null {
  for (const [name, value] of Object.entries(members(data))) {
    if ((name === "id" || name.endsWith("_id")) && typeof value === "string") return targetOf(name, value);
  }
  return null;
}

/** The target that an identifier field names: `device_id` names a `device`. */
export function targetOf(field: string, id: string): Target {
  const type = field === "action_id" ? "response_action" : /^(\w+)_id$/.exec(field)?.[1] ?? null;
  return { targetType: type, targetId: id.slice(0, 128) };
}

/** The requested values, field by field, with the former ones. */
function changesOf(body: unknown, { data, before = {} }: Answer): AuditChange[] {
  const after = { ...members(data) };
  const requested = members(redactor.value(body));
  const fields = new Set([...Object.keys(before), ...Object.keys(requested)]);
  return [...fields].map((field) => ({
    field: field.slice(0, 64),
    from: valueText(before[field]),
    to: valueText(field in requested ? requested[field] : after[field]),
  }));
}

function members(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? value as Record<string, unknown> : {};
}

function valueText(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  const text = typeof value === "string" ? value : stringifyJson(value);
  return text.length <= MAX_CHANGE_TEXT ? text : `${text.slice(0, MAX_CHANGE_TEXT - 1).toWellFormed()}…`;
}
