import { deviceMark } from "../../domain/incident/joining.ts";
import type { IncidentState } from "../../domain/incident/lifecycle.ts";
import type { JoinableRow } from "../../store/incident/join.ts";
import type { StoredIncident } from "../../store/incident/write.ts";

const DEVICE = deviceMark("");

/** The state of a stored incident; merged devices are replaced by their survivors. */
export function toState(row: JoinableRow, shownAs: ReadonlyMap<string, string>): IncidentState {
  const devices = row.marks.filter((mark) => mark.startsWith(DEVICE)).map((mark) =>
    mark.slice(DEVICE.length)
  );
  return {
    modelId: row.model_id,
    groupKey: row.group_key,
    modelScores: row.model_scores,
    importance: row.importance,
    narrative: row.story,
    title: row.title,
    summary: row.summary,
    severity: row.severity,
    score: row.score,
    scoreParts: row.score_parts,
    status: row.status,
    deviceIds: row.device_ids,
    mainDevices: [...new Set(devices.map((device) => shownAs.get(device) ?? device))],
    marks: new Set(row.marks.filter((mark) => !mark.startsWith(DEVICE))),
    campaign: row.campaign,
    continues: row.continues,
    firstSeen: row.first_seen,
    lastSeen: row.last_seen,
    openedAt: row.opened_at,
    revision: row.revision,
  };
}

/** Marks of these incidents that are not `stored` yet. */
export function marksToStore(
  incidents: readonly StoredIncident[],
  stored: ReadonlyMap<string, ReadonlySet<string>>,
): { incidentId: string; mark: string }[] {
  return incidents.flatMap(({ incidentId, state }) => {
    const known = stored.get(incidentId);
    return [...state.mainDevices.map(deviceMark), ...state.marks]
      .filter((mark) => !known?.has(mark)).map((mark) => ({ incidentId, mark }));
  });
}
