import { ApiError } from "../../../contract/request/errors.ts";
import type { ResponseAction, ResponseDecision } from "../../../contract/review/response.ts";
import { decideAction, DecisionError } from "../../../domain/review/response/action.ts";
import type { Tx } from "../../../store/engine/database.ts";
import { addHistory } from "../../../store/incident/history.ts";
import { incidentById, type IncidentRow } from "../../../store/incident/read.ts";
import {
  actionById,
  type ActionPosition,
  type ActionRow,
  decideAction as storeDecision,
  insertActions,
  listActions,
  type NewAction,
  openAction,
} from "../../../store/review/response-actions.ts";
import { illegalTransition } from "../../field-error.ts";
import type { Handlers } from "../../handler.ts";
import type { HandlerDeps } from "../deps.ts";
import { Page } from "../page.ts";
import { DEFAULT_LIMIT, newId, pathId } from "../params.ts";
import { readTarget } from "./response-target.ts";
import { actionViews } from "./response-view.ts";

/** Actions whose histories are read at once: with the longest texts 60 MB. */
const VIEWS_AT_ONCE = 20;

type ResponseOperation =
  | "listResponseActions"
  | "getResponseAction"
  | "proposeResponseAction"
  | "decideResponseAction";

export function responseHandlers(deps: HandlerDeps): Pick<Handlers, ResponseOperation> {
  return {
    async listResponseActions({ caller: { tenantId }, query, now }) {
      const limit = query.limit ?? DEFAULT_LIMIT;
      const scope = { tenantId, operation: "listResponseActions", filter: query };
      const before = deps.cursors.open<ActionPosition>(scope, query.cursor, now);
      const { status, incident_id: incidentId } = query;
      const page = new Page<ResponseAction>(deps.pageBytes);
      const rows = await deps.db.tenant(tenantId, async (tx) => {
        const rows = await listActions(tx, tenantId, { status, incidentId }, before, limit + 1);
        let room = true;
        for (let from = 0; from < Math.min(limit, rows.length) && room; from += VIEWS_AT_ONCE) {
          const part = rows.slice(from, Math.min(limit, from + VIEWS_AT_ONCE));
          room = (await actionViews(tx, tenantId, part)).every((view) => page.add(view));
        }
        return rows;
      });
      const data = page.items;
      const last = rows[data.length - 1];
      const nextCursor = last && rows.length > data.length
        ? deps.cursors.seal(scope, { at: last.proposed_at, id: last.action_id }, now)
        : null;
      return { data, nextCursor };
    },

    async getResponseAction({ caller: { tenantId }, params }) {
      const id = pathId(params, "action_id");
      const data = await deps.db.tenant(
        tenantId,
        async (tx) => await view(tx, tenantId, await existing(tx, tenantId, id)),
      );
      return { data, etag: data.revision };
    },

    async proposeResponseAction({ caller: { tenantId, subject }, params, body, tx, now }) {
      const incident = await existingIncident(tx, tenantId, pathId(params, "incident_id"));
      const { kind, reason } = body;
      const action: NewAction = {
        action_id: newId(now),
        incident_id: incident.incident_id,
        kind,
        mode: "proposal",
        ...await readTarget(tx, tenantId, incident, body),
        severity: incident.severity,
        reason,
        proposed_by: subject,
        proposed_at: now,
      };
      const written = await insertActions(tx, tenantId, [action]);
      if (!written.has(action.action_id)) throw alreadyOpen(await openAction(tx, tenantId, action));
      await addHistory(tx, tenantId, action.action_id, {
        at: now,
        actor: subject,
        action: "proposed",
        from: null,
        to: null,
        comment: reason,
        revision: 1,
      });
      const data = await view(tx, tenantId, await existing(tx, tenantId, action.action_id));
      return { data, etag: data.revision };
    },

    async decideResponseAction({ caller: { tenantId, subject }, params, body, ifMatch, tx, now }) {
      const before = await existing(tx, tenantId, pathId(params, "action_id"));
      if (before.revision !== ifMatch) throw conflict(before);
      checkMove(before, body.decision);
      const isOwn = before.mode === "proposal" && before.proposed_by === subject;
      if (body.decision === "approved" && isOwn && deps.secondPerson?.isRequired(tenantId)) {
        throw new ApiError("forbidden", "Another person than the proposer must approve this action.", {
          reason: "second_person_required",
        });
      }
      const { severity } = await existingIncident(tx, tenantId, before.incident_id);
      const comment = body.comment ?? null;
      const decided = { status: body.decision, by: subject, at: now, comment, severity };
      const changed = await storeDecision(tx, tenantId, before.action_id, ifMatch, decided);
      const after = await existing(tx, tenantId, before.action_id);
      // A concurrent decision or executor report changed it between our read and our write.
      if (!changed) throw conflict(after);
      await addHistory(tx, tenantId, after.action_id, {
        at: now,
        actor: subject,
        action: "decided",
        from: before.status,
        to: after.status,
        comment,
        revision: after.revision,
      });
      const data = await view(tx, tenantId, after);
      return { data, etag: data.revision, before: { status: before.status } };
    },
  };
}

function checkMove({ status }: ActionRow, decision: ResponseDecision): void {
  try {
    decideAction(status, decision);
  } catch (error) {
    if (!(error instanceof DecisionError)) throw error;
    throw illegalTransition("decision", error.message);
  }
}

function alreadyOpen(open: ActionRow | null): ApiError {
  const status = open ? ` (${open.status})` : "";
  const message = `The target already has an open action of this kind on the incident${status}.`;
  return new ApiError("invalid_request", message, {
    reason: "duplicate",
    ...(open ? { action_id: open.action_id, status: open.status } : {}),
  });
}

function conflict({ revision }: ActionRow): ApiError {
  return new ApiError("revision_conflict", undefined, { revision });
}

/** @throws ApiError not_found */
async function existing(tx: Tx, tenantId: string, id: string): Promise<ActionRow> {
  const row = await actionById(tx, tenantId, id);
  if (!row) throw new ApiError("not_found");
  return row;
}

/** @throws ApiError not_found */
async function existingIncident(tx: Tx, tenantId: string, id: string): Promise<IncidentRow> {
  const row = await incidentById(tx, tenantId, id);
  if (!row) throw new ApiError("not_found");
  return row;
}

async function view(tx: Tx, tenantId: string, row: ActionRow): Promise<ResponseAction> {
  const [data] = await actionViews(tx, tenantId, [row]);
  return data!;
}
