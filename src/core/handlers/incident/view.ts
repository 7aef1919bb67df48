import { EventIncident, type Incident } from "../../../contract/incident/incident.ts";
import { formatMillis } from "../../../kit/time.ts";
import type { Tx } from "../../../store/engine/database.ts";
import type { IncidentRow } from "../../../store/incident/read.ts";
import {
  type SuppressionRow,
  suppressionsByIds,
  suppressionStatus,
} from "../../../store/review/suppressions.ts";

/** An incident at `now` (microseconds). `suppressions` by id must contain its own. */
function incidentView(
  row: IncidentRow,
  suppressions: ReadonlyMap<string, SuppressionRow>,
  now: number,
): Incident {
  const suppression = suppressions.get(row.suppressed_by ?? "");
  return {
    id: row.incident_id,
    title: row.title,
    severity: row.severity,
    score: row.score,
    status: row.status,
    device_ids: row.device_ids,
    model_ids: Object.keys(row.model_scores).sort(),
    summary: row.summary,
    first_seen: formatMillis(row.first_seen),
    last_seen: formatMillis(row.last_seen),
    assignee: row.assignee,
    revision: row.revision,
    suppressed: suppression && suppressionStatus(suppression, now) === "active"
      ? {
        suppression_id: suppression.suppression_id,
        reason: suppression.reason,
        until: formatMillis(suppression.expires_at),
      }
      : null,
  };
}

/** Incidents as list items at `now`, microseconds. */
export async function incidentViews(
  tx: Tx,
  tenantId: string,
  rows: readonly IncidentRow[],
  now: number,
): Promise<Incident[]> {
  const suppressions = await suppressionsByIds(tx, tenantId, rows.flatMap((row) => row.suppressed_by ?? []));
  return rows.map((row) => incidentView(row, suppressions, now));
}

/** An incident as events carry it. */
export function incidentOfEvent(...view: Parameters<typeof incidentView>): EventIncident {
  return EventIncident.parse(incidentView(...view));
}
