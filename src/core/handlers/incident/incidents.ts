import { ApiError } from "../../../contract/request/errors.ts";
import { EventIncident } from "../../../contract/incident/incident.ts";
import { changeStatus, StatusChangeError } from "../../../domain/incident/status.ts";
import { randomUuid } from "../../../kit/id.ts";
import type { Tx } from "../../../store/engine/database.ts";
import { lockDevices } from "../../../store/device/merge.ts";
import { rescoreDevices } from "../../../store/device/scores.ts";
import { appendEvents } from "../../../store/connector/event-log.ts";
import { addHistory } from "../../../store/incident/history.ts";
import { hasIndex, type IncidentPosition } from "../../../store/incident/page.ts";
import {
  incidentById,
  type IncidentRow,
  updateAssignee,
  updateStatus,
} from "../../../store/incident/read.ts";
import { isPerson } from "../../../store/session/people.ts";
import { deleteVerdict, saveVerdict } from "../../../store/incident/verdicts.ts";
import { fieldError, illegalTransition } from "../../field-error.ts";
import type { Handlers } from "../../handler.ts";
import { readWindow } from "../../window.ts";
import type { HandlerDeps } from "../deps.ts";
import { DEFAULT_LIMIT, pathId } from "../params.ts";
import { geoFinder } from "../intel/intel-view.ts";
import { equalities, listPlan } from "../search/plan.ts";
import { pageReaders } from "../search/run.ts";
import { detail as incidentDetail, listView, withProvider } from "./detail.ts";

interface IncidentWindow {
  from: number;
  to: number | null;
}

export function incidentHandlers(
  deps: HandlerDeps,
): Pick<
  Handlers,
  "listIncidents" | "getIncident" | "patchIncident" | "assignIncident" | "commentIncident"
> {
  const read = pageReaders(deps);
  const geoOf = geoFinder(deps.geoip);
  const detail = async (tx: Tx, tenantId: string, row: IncidentRow, now: number) =>
    withProvider(
      await incidentDetail(tx, tenantId, row, { now, geoOf }),
      (deps.analyst?.plan(tenantId) ?? null) !== null,
    );
  return {
    async listIncidents({ caller, query, now }) {
      const scope = { tenantId: caller.tenantId, operation: "listIncidents", filter: query };
      const after = deps.cursors.open<IncidentPosition & IncidentWindow & { now: number }>(
        scope,
        query.cursor,
        now,
      );
      // Relative times of the filter stay those of the first page.
      const since = after?.now ?? now;
      const { from, to }: IncidentWindow = after ?? readWindow(query, now, null);
      const { device_id, status, severity, suppressed } = query;
      const parameters = equalities({ "device.id": device_id, status, severity });
      const plan = {
        ...listPlan(deps, caller, { ...query, kind: "incidents", parameters }, { now: since, window: null }),
        lastSeen: { from, to },
        suppressed: suppressed === undefined ? undefined : { is: suppressed, at: now },
      };
      const { items, next } = await read.incidents(caller.tenantId, plan, {
        after,
        limit: query.limit ?? DEFAULT_LIMIT,
        now,
        sort: query.sort,
        effort: query.filter === undefined && hasIndex(query.sort) ? "list" : "search",
      });
      // A window that ends now stays open on later pages: an incident that continues meanwhile must not drop
      // out of the scan.
      const position = next && { ...next, from, to: query.to === undefined ? null : to, now: since };
      return { data: items, nextCursor: position && deps.cursors.seal(scope, position, now) };
    },

    async getIncident({ caller, params, now }) {
      const incidentId = pathId(params, "incident_id");
      const data = await deps.db.tenant(caller.tenantId, async (tx) => {
        const row = await incidentById(tx, caller.tenantId, incidentId);
        if (!row) throw new ApiError("not_found");
        return await detail(tx, caller.tenantId, row, now);
      });
      return { data, etag: data.revision };
    },

    async patchIncident({ caller, params, body, ifMatch, tx, now }) {
      const incidentId = pathId(params, "incident_id");
      const before = await incidentById(tx, caller.tenantId, incidentId);
      if (!before) throw new ApiError("not_found");
      if (before.revision !== ifMatch) throw conflict(before);
      const comment = body.comment ?? null;
      const change = decide(before, body.status, comment);
      // Lock devices before incidents, in the pipeline's order, to avoid a deadlock.
      await lockDevices(tx, caller.tenantId, before.device_ids);
      const updated = await updateStatus(tx, caller.tenantId, incidentId, ifMatch, body.status);
      const after = (await incidentById(tx, caller.tenantId, incidentId))!;
      // The pipeline may have changed it between our read and our write.
      if (!updated) throw conflict(after);
      if (body.status === "false_positive") await saveVerdict(tx, caller.tenantId, incidentId);
      else if (before.status === "false_positive") await deleteVerdict(tx, caller.tenantId, incidentId);
      await addHistory(tx, caller.tenantId, incidentId, {
        at: now,
        actor: caller.subject,
        action: "status_changed",
        from: before.status,
        to: after.status,
        comment,
        revision: after.revision,
      });
      await rescoreDevices(tx, caller.tenantId, after.device_ids, now, `${after.title}: ${after.status}`);
      const data = await detail(tx, caller.tenantId, after, now);
      if (change.emitsClosed) {
        await appendEvents(tx, caller.tenantId, [{
          eventId: `evt_${randomUuid().replaceAll("-", "")}`,
          type: "incident.closed",
          occurredAt: now,
          body: { incident: EventIncident.parse(await listView(tx, caller.tenantId, after, now)) },
        }]);
      }
      return { data, etag: data.revision, before: { status: before.status } };
    },

    async assignIncident({ caller: { tenantId, subject }, params, body, ifMatch, tx, now }) {
      const before = await existing(tx, tenantId, params);
      if (before.revision !== ifMatch) throw conflict(before);
      const { assignee } = body;
      if (assignee === before.assignee) {
        return { data: await detail(tx, tenantId, before, now), etag: before.revision };
      }
      if (assignee !== null && assignee !== subject && !(await isPerson(tx, tenantId, assignee))) {
        throw fieldError("assignee", "expected the subject of a person who has signed in to this tenant");
      }
      const updated = await updateAssignee(tx, tenantId, before.incident_id, ifMatch, assignee);
      const after = await existing(tx, tenantId, params);
      if (!updated) throw conflict(after);
      await addHistory(tx, tenantId, before.incident_id, {
        at: now,
        actor: subject,
        action: "assigned",
        from: before.assignee,
        to: assignee,
        comment: null,
        revision: after.revision,
      });
      const data = await detail(tx, tenantId, after, now);
      return { data, etag: data.revision, before: { assignee: before.assignee } };
    },

    async commentIncident({ caller: { tenantId, subject }, params, body, tx, now }) {
      const row = await existing(tx, tenantId, params);
      await addHistory(tx, tenantId, row.incident_id, {
        at: now,
        actor: subject,
        action: "commented",
        from: null,
        to: null,
        comment: body.comment,
        revision: row.revision,
      });
      const data = await detail(tx, tenantId, row, now);
      return { data, etag: data.revision };
    },
  };
}

/** @throws ApiError not_found */
async function existing(tx: Tx, tenantId: string, params: Record<string, string>): Promise<IncidentRow> {
  const row = await incidentById(tx, tenantId, pathId(params, "incident_id"));
  if (!row) throw new ApiError("not_found");
  return row;
}

function conflict(current: IncidentRow): ApiError {
  return new ApiError("revision_conflict", undefined, { revision: current.revision });
}

function decide(
  before: IncidentRow,
  to: IncidentRow["status"],
  comment: string | null,
): ReturnType<typeof changeStatus> {
  try {
    return changeStatus(before.status, to, comment);
  } catch (error) {
    if (!(error instanceof StatusChangeError)) throw error;
    throw error.reason === "same_status"
      ? illegalTransition("status", error.message)
      : fieldError("comment", error.message);
  }
}
