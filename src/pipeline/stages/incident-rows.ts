import { deviceMark } from "../../domain/incident/joining.ts";
import type { IncidentState } from "../../domain/incident/lifecycle.ts";
import type { JoinableRow } from "../../store/incident/join.ts";
import type { StoredIncident } from "../../store/incident/write.ts";

const DEVICE = deviceMark("");

/** An incident as its row has it; devices that show as another one count as that one. */
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
    continues: row.continues,
    firstSeen: row.first_seen,
    lastSeen: row.last_seen,
    openedAt: row.opened_at,
    revision: row.revision,
  };
}

/** What these incidents are found by and was not `stored`, by incident, before. */
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
