import { ApiError } from "../../../contract/request/errors.ts";
import type { Suppression, SuppressionDetail } from "../../../contract/review/suppression.ts";
import { isDeviceId, MAX_LIFETIME, type SuppressionPattern } from "../../../domain/incident/suppression.ts";
import { formatMillis } from "../../../kit/time.ts";
import type { Tx } from "../../../store/engine/database.ts";
import { deviceNames } from "../../../store/device/read.ts";
import { addHistory, readHistory } from "../../../store/incident/history.ts";
import { coverIncidents, uncoverIncidents } from "../../../store/review/suppression-match.ts";
import {
  activeSuppressions,
  heldBackBy,
  insertSuppression,
  listSuppressions,
  MAX_ACTIVE,
  patternOf,
  readyToMatch,
  revokeSuppression,
  type SuppressionRow,
  suppressionsByIds,
  suppressionStatus,
} from "../../../store/review/suppressions.ts";
import { fieldError, illegalTransition } from "../../field-error.ts";
import type { Handlers } from "../../handler.ts";
import { readTimestamp } from "../../window.ts";
import type { HandlerDeps } from "../deps.ts";
import { historyView } from "../device/view.ts";
import { endPage } from "../page.ts";
import { DEFAULT_LIMIT, newId, pathId } from "../params.ts";
import { checkPattern, previewOf } from "./suppression-preview.ts";

export function suppressionHandlers(
  deps: HandlerDeps,
): Pick<
  Handlers,
  "listSuppressions" | "createSuppression" | "previewSuppression" | "getSuppression" | "revokeSuppression"
> {
  return {
    async listSuppressions({ caller: { tenantId }, query, now }) {
      const limit = query.limit ?? DEFAULT_LIMIT;
      const scope = { tenantId, operation: "listSuppressions", filter: query };
      const before = deps.cursors.open<string>(scope, query.cursor, now);
      const { rows, found } = await deps.db.tenant(tenantId, async (tx) => {
        const rows = await listSuppressions(tx, tenantId, { status: query.status, now }, before, limit + 1);
        return { rows, found: await views(tx, tenantId, rows.slice(0, limit), now) };
      });
      const { page: data, more } = endPage(found, rows.length > limit, deps.pageBytes);
      const last = data.at(-1)?.suppression_id;
      return { data, nextCursor: more ? deps.cursors.seal(scope, last, now) : null };
    },

    async createSuppression({ caller: { tenantId, subject }, body, tx, now }) {
      const { source = null, destination = null, port = null, detector = null } = body.pattern;
      const pattern = await validPattern(tx, tenantId, { source, destination, port, detector });
      const expiresAt = readExpiry(body.expires_at, now);
      if ((await activeSuppressions(tx, tenantId, now)).length >= MAX_ACTIVE) {
        throw new ApiError(
          "invalid_request",
          `At most ${MAX_ACTIVE} suppressions may be active; revoke one first.`,
          { reason: "limit_reached", limit: MAX_ACTIVE },
        );
      }
      const id = newId(now);
      const { reason } = body;
      await insertSuppression(
        tx,
        tenantId,
        { suppression_id: id, reason, created_by: subject, created_at: now, expires_at: expiresAt },
        pattern,
      );
      const row = await existing(tx, tenantId, id);
      await note(tx, tenantId, row, { at: now, actor: subject, action: "created", comment: reason });
      const ready = await readyToMatch(tx, tenantId, row);
      await coverIncidents(tx, tenantId, ready, { actor: subject, at: now, reason });
      return { data: await detail(tx, tenantId, row, now), etag: row.revision };
    },

    async previewSuppression({ caller: { tenantId }, body, now }) {
      const data = await deps.db.tenant(tenantId, (tx) => previewOf(tx, tenantId, body, now));
      return { data };
    },

    async getSuppression({ caller: { tenantId }, params, now }) {
      const data = await deps.db.tenant(tenantId, async (tx) => {
        const row = await existing(tx, tenantId, pathId(params, "suppression_id"));
        return await detail(tx, tenantId, row, now);
      });
      return { data, etag: data.revision };
    },

    async revokeSuppression({ caller: { tenantId, subject }, params, body, ifMatch, tx, now }) {
      const before = await existing(tx, tenantId, pathId(params, "suppression_id"));
      if (before.revision !== ifMatch) throw conflict(before);
      const status = suppressionStatus(before, now);
      if (status !== "active") {
        throw illegalTransition("status", `expected an active suppression; this one is ${status}`, {
          status,
        });
      }
      const { reason } = body;
      const revoked = { by: subject, at: now, reason };
      const changed = await revokeSuppression(tx, tenantId, before.suppression_id, ifMatch, revoked);
      const after = await existing(tx, tenantId, before.suppression_id);
      if (!changed) throw conflict(after);
      await note(tx, tenantId, after, { at: now, actor: subject, action: "revoked", comment: reason });
      await uncoverIncidents(tx, tenantId, after.suppression_id, { actor: subject, at: now, reason });
      return { data: await detail(tx, tenantId, after, now), etag: after.revision, before: { status } };
    },
  };
}

function conflict({ revision }: SuppressionRow): ApiError {
  return new ApiError("revision_conflict", undefined, { revision });
}

/**
 * Validates a pattern: narrow enough, existing device and detector. Returns it with the canonical device id.
 */
async function validPattern(
  tx: Tx,
  tenantId: string,
  pattern: SuppressionPattern,
): Promise<SuppressionPattern> {
  const { faults, checked } = await checkPattern(tx, tenantId, pattern);
  const fault = faults[0];
  if (fault !== undefined) throw fieldError(`pattern.${fault.field}`, fault.message);
  return checked;
}

function readExpiry(text: string, now: number): number {
  const expiresAt = readTimestamp("expires_at", text);
  if (expiresAt <= now) throw fieldError("expires_at", "expected a time in the future");
  if (expiresAt > now + MAX_LIFETIME) throw fieldError("expires_at", "expected at most 366 days from now");
  return expiresAt;
}

/** @throws ApiError not_found */
async function existing(tx: Tx, tenantId: string, id: string): Promise<SuppressionRow> {
  const row = (await suppressionsByIds(tx, tenantId, [id])).get(id);
  if (!row) throw new ApiError("not_found");
  return row;
}

async function note(
  tx: Tx,
  tenantId: string,
  row: SuppressionRow,
  entry: { at: number; actor: string; action: string; comment: string },
): Promise<void> {
  const { suppression_id: id, revision } = row;
  await addHistory(tx, tenantId, id, { ...entry, from: null, to: null, revision });
}

async function detail(
  tx: Tx,
  tenantId: string,
  row: SuppressionRow,
  now: number,
): Promise<SuppressionDetail> {
  const [view] = await views(tx, tenantId, [row], now);
  return { ...view!, workflow_history: historyView(await readHistory(tx, tenantId, row.suppression_id)) };
}

async function views(
  tx: Tx,
  tenantId: string,
  rows: readonly SuppressionRow[],
  now: number,
): Promise<Suppression[]> {
  const held = await heldBackBy(tx, tenantId, rows.map((row) => row.suppression_id));
  const devices = rows.flatMap(({ source }) => source !== null && isDeviceId(source) ? [source] : []);
  const names = await deviceNames(tx, tenantId, devices);
  return rows.map((row) => ({
    suppression_id: row.suppression_id,
    pattern: patternOf(row),
    source_name: names.get(row.source ?? "") ?? null,
    reason: row.reason,
    status: suppressionStatus(row, now),
    created_by: row.created_by,
    created_at: formatMillis(row.created_at),
    expires_at: formatMillis(row.expires_at),
    revoked_by: row.revoked_by,
    revoked_at: row.revoked_at === null ? null : formatMillis(row.revoked_at),
    revoked_reason: row.revoked_reason,
    held_back: held.get(row.suppression_id) ?? { results: 0, incidents: 0 },
    revision: row.revision,
  }));
}
