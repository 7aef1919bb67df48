import type { Incident } from "../../contract/incident.ts";
import { formatMillis } from "../../kit/time.ts";
import type { IncidentRow } from "../../store/incident-read.ts";

export function incidentView(row: IncidentRow): Incident {
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
    revision: row.revision,
  };
}
