import type { ResponseAction, ResponseOutcome } from "../../../contract/review/response.ts";
import { formatMillis } from "../../../kit/time.ts";
import type { Tx } from "../../../store/engine/database.ts";
import { deviceNames } from "../../../store/device/read.ts";
import { incidentTitles } from "../../../store/incident/read.ts";
import { readHistories } from "../../../store/incident/history.ts";
import type { ActionRow } from "../../../store/review/response-actions.ts";
import { historyView } from "../device/view.ts";

/** API views of actions, in the given order. */
export async function actionViews(
  tx: Tx,
  tenantId: string,
  rows: readonly ActionRow[],
): Promise<ResponseAction[]> {
  const names = await deviceNames(tx, tenantId, rows.flatMap(({ device_id }) => device_id ?? []));
  const titles = await incidentTitles(tx, tenantId, rows.map(({ incident_id }) => incident_id));
  const histories = await readHistories(tx, tenantId, rows.map(({ action_id }) => action_id));
  return rows.map((row) => ({
    action_id: row.action_id,
    incident_id: row.incident_id,
    incident_title: titles.get(row.incident_id) ?? null,
    kind: row.kind,
    mode: row.mode,
    status: row.status,
    target: {
      device_id: row.device_id,
      device_name: names.get(row.device_id ?? "") ?? null,
      address: row.address,
    },
    identity: row.identity,
    reason: row.reason,
    proposed_by: row.proposed_by,
    proposed_at: formatMillis(row.proposed_at),
    decided_by: row.decided_by,
    decided_at: row.decided_at === null ? null : formatMillis(row.decided_at),
    self_approved: row.mode === "proposal" && row.approved_by !== null && row.approved_by === row.proposed_by,
    comment: row.comment,
    outcome: outcomeView(row),
    workflow_history: historyView(histories.get(row.action_id) ?? []),
    revision: row.revision,
  }));
}

function outcomeView(row: ActionRow): ResponseOutcome | null {
  const { outcome_status: status, executor_id: reportedBy, reported_at: reportedAt } = row;
  if (status === null || reportedBy === null || reportedAt === null) return null;
  return {
    status,
    detail: row.outcome_detail,
    identity: row.outcome_identity,
    lease_expires_at: row.lease_expires_at === null ? null : formatMillis(row.lease_expires_at),
    reported_by: reportedBy,
    reported_at: formatMillis(reportedAt),
  };
}
