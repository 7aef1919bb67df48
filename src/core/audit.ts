import { type AuditChange, type AuditOutcome, MAX_CHANGE_TEXT } from "../contract/session/audit.ts";
import { ApiError } from "../contract/request/errors.ts";
import type { OperationId } from "../contract/routes.ts";
import { messageOf } from "../kit/errors.ts";
import { stringifyJson } from "../kit/json/json.ts";
import type { Logger } from "../observe/log.ts";
import { Redactor } from "../observe/redact.ts";
import { currentRequest } from "../observe/request-scope.ts";
import { addAudit, type AuditRecord } from "../store/session/audit.ts";
import type { Database } from "../store/engine/database.ts";
import type { Answer, Caller } from "./handler.ts";
import type { RefusalLimit } from "./refusal-limit.ts";

/** A request of a person for one operation. */
export interface Asked {
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
/** Knows no secrets by value; keys that name one are enough here. */
const redactor = new Redactor();

/** Which request something belongs to, and from where that came. */
export function requestParts(): Pick<
  AuditRecord,
  "clientAddress" | "userAgent" | "requestId" | "sessionId" | "displayName"
> {
  const { requestId = null, clientAddress = null, userAgent = null, sessionId = null, displayName = null } =
    currentRequest() ?? {};
  return { requestId, clientAddress, userAgent, sessionId, displayName };
}

/** A write that took effect. */
export function auditOfAnswer(asked: Asked, answer: Answer, status: number): AuditRecord {
  const made = objectOf(answer.data);
  const target = pathTarget(asked) ?? made;
  const changes = changesOf(asked.body, answer);
  // What was made for the object of the path, such as a proposal about a device.
  if (made !== null && made.targetId !== target?.targetId) {
    changes.unshift({ field: "created", from: null, to: made.targetId });
  }
  return {
    ...common(asked, "done"),
    ...target ?? NO_TARGET,
    status,
    errorCode: null,
    reason: null,
    changes: changes.slice(0, MAX_CHANGES),
  };
}

/** A write that was refused: what it would have changed, and why it did not. */
export function auditOfRefusal(asked: Asked, error: ApiError): AuditRecord {
  return {
    ...common(asked, "refused"),
    ...pathTarget(asked) ?? NO_TARGET,
    status: error.status,
    errorCode: error.code,
    reason: error.message.slice(0, MAX_REASON),
    changes: changesOf(asked.body, { data: null }).slice(0, MAX_CHANGES),
  };
}

/** Records what somebody had no right to. It stays refused even where that cannot be written down. */
export async function auditRefusal(
  { db, log, refusals }: { db: Database; log: Logger; refusals: RefusalLimit },
  asked: Asked,
  error: unknown,
): Promise<void> {
  if (!(error instanceof ApiError)) return;
  const { caller: { tenantId, subject }, operation } = asked;
  if (!refusals.admits(operation, subject)) return;
  try {
    await db.tenant(tenantId, (tx) => addAudit(tx, tenantId, auditOfRefusal(asked, error)));
  } catch (failure) {
    log.warn("a refusal could not be recorded", { operation, subject, error: messageOf(failure) });
  }
}

function common({ operation, caller, at }: Asked, outcome: AuditOutcome) {
  return { at, operation, outcome, subject: caller.subject, roles: caller.roles, ...requestParts() };
}

type Target = Pick<AuditRecord, "targetType" | "targetId">;
export const NO_TARGET: Target = { targetType: null, targetId: null };

/** The innermost object of the path. */
function pathTarget({ params }: Asked): Target | null {
  const innermost = Object.entries(params).at(-1);
  return innermost === undefined ? null : named(...innermost);
}

/** The object that an answer shows: each begins with its identifier. */
function objectOf(data: unknown): Target | null {
  for (const [name, value] of Object.entries(members(data))) {
    if ((name === "id" || name.endsWith("_id")) && typeof value === "string") return named(name, value);
  }
  return null;
}

/** `device_id` names a device. */
export function named(field: string, id: string): Target {
  const type = field === "action_id" ? "response_action" : /^(\w+)_id$/.exec(field)?.[1] ?? null;
  return { targetType: type, targetId: id.slice(0, 128) };
}

/** What the body asked for, field by field, beside what was there before. */
function changesOf(body: unknown, { data, before = {} }: Answer): AuditChange[] {
  const after = { ...members(data) };
  const asked = members(redactor.value(body));
  const fields = new Set([...Object.keys(before), ...Object.keys(asked)]);
  return [...fields].map((field) => ({
    field: field.slice(0, 64),
    from: valueText(before[field]),
    to: valueText(field in asked ? asked[field] : after[field]),
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
