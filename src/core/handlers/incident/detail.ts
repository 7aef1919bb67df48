import {
  type Incident,
  type IncidentDetail,
  type IncidentPhase,
  MAX_RELATED,
  type ModelResult,
  type RelatedIncident,
} from "../../../contract/incident/incident.ts";
import { MAX_SHOWN_SOURCES } from "../../../domain/incident/campaign.ts";
import { type Phase, phasesOf } from "../../../domain/incident/phases.ts";
import { formatMillis } from "../../../kit/time.ts";
import type { Tx } from "../../../store/engine/database.ts";
import { deviceNames } from "../../../store/device/read.ts";
import { shownFlowsByIds } from "../../../store/flow/read.ts";
import { readHistory } from "../../../store/incident/history.ts";
import { keptItems } from "../../../store/incident/kept-evidence.ts";
import {
  evidenceByLinks,
  evidenceLinks,
  type IncidentRow,
  incidentScores,
  latestResults,
} from "../../../store/incident/read.ts";
import { isDeviceMark, relatedIncidents, type RelatedRow } from "../../../store/incident/related.ts";
import { heldBack } from "../../../store/incident/verdicts.ts";
import { type LatestRun, latestRun } from "../../../store/analyst/runs.ts";
import { historyView } from "../device/view.ts";
import { evidenceView } from "../flow/view.ts";
import type { GeoOf } from "../intel/intel-view.ts";
import { incidentTalks } from "./incident-talks.ts";
import { incidentViews } from "./view.ts";

/** Evidence items in a detail, the newest; `evidence_truncated` is set if there are more. */
export const MAX_EVIDENCE = 500;

/** An incident as a list item. */
export async function listView(tx: Tx, tenantId: string, row: IncidentRow, now: number): Promise<Incident> {
  return (await incidentViews(tx, tenantId, [row], now))[0]!;
}

async function heldBackView(
  tx: Tx,
  tenantId: string,
  incidentId: string,
): Promise<IncidentDetail["held_back"]> {
  const { count, last_at } = await heldBack(tx, tenantId, incidentId);
  return { results: count, last_at: last_at === null ? null : formatMillis(last_at) };
}

/** An incident with all that its page shows; `now` in microseconds. */
export async function detail(
  tx: Tx,
  tenantId: string,
  row: IncidentRow,
  { now, geoOf }: { now: number; geoOf: GeoOf },
): Promise<IncidentDetail> {
  const incidentId = row.incident_id;
  // Independent statements are sent without waiting for each other.
  const [found, view, results, scores, history, held, names, related, run] = await Promise.all([
    evidenceLinks(tx, tenantId, incidentId, MAX_EVIDENCE + 1),
    listView(tx, tenantId, row, now),
    latestResults(tx, tenantId, incidentId),
    incidentScores(tx, tenantId, incidentId),
    readHistory(tx, tenantId, incidentId),
    row.status === "false_positive" ? heldBackView(tx, tenantId, incidentId) : null,
    deviceNames(tx, tenantId, row.device_ids),
    relatedIncidents(tx, tenantId, row, MAX_RELATED),
    latestRun(tx, tenantId, incidentId),
  ]);
  const links = found.slice(-MAX_EVIDENCE);
  const [rows, flows] = await Promise.all([
    evidenceByLinks(tx, tenantId, links),
    shownFlowsByIds(tx, tenantId, [...new Set(links.map((link) => link.flow_id))]),
  ]);
  const items = new Map(rows.flatMap((item) => {
    const flow = flows.get(item.flow_id);
    return flow ? [[item.evidence_id, evidenceView(item, flow)] as const] : [];
  }));
  const gone = links.map((link) => link.evidence_id).filter((id) => !items.has(id));
  for (const kept of await keptItems(tx, tenantId, gone)) items.set(kept.evidence_id, kept);
  const evidence = links.flatMap((link) => items.get(link.evidence_id) ?? []);
  const nameById = Object.fromEntries(names);
  return {
    ...view,
    evidence,
    evidence_truncated: found.length > MAX_EVIDENCE || (row.campaign?.sources ?? 0) > MAX_SHOWN_SOURCES,
    model_results: results,
    phases: phasesOf(results).map(phaseView),
    talks: await incidentTalks(tx, tenantId, {
      flows: [...flows.values()],
      evidence,
      results,
      deviceNames: nameById,
      geoOf,
      window: { from: row.first_seen, to: row.last_seen },
    }),
    score_parts: row.score_parts,
    score_history: scores.map((entry) => ({ ...entry, at: formatMillis(entry.at) })),
    workflow_history: historyView(history),
    analyst: analystView(run),
    continues: row.continues,
    held_back: held,
    unresolved_evidence_ids: gone.filter((id) => !items.has(id)),
    device_names: nameById,
    related: related.map(relatedView),
  };
}

function phaseView({ id, name, firstSeen, lastSeen, findings }: Phase<ModelResult>): IncidentPhase {
  return {
    phase: id,
    name,
    first_seen: firstSeen,
    last_seen: lastSeen,
    analysis_ids: findings.map(({ analysis_id }) => analysis_id),
  };
}

function analystView(run: LatestRun | null): IncidentDetail["analyst"] {
  if (run === null) return { state: "not_requested", run_id: null, updated_at: null, text: null };
  return {
    state: run.state,
    run_id: run.run_id,
    updated_at: formatMillis(run.updated_at),
    text: run.summary,
  };
}

/** Whether a run could be requested at all; the detail of an incident without one. */
export function withProvider(shown: IncidentDetail, isEnabled: boolean): IncidentDetail {
  if (isEnabled || shown.analyst.state !== "not_requested") return shown;
  return { ...shown, analyst: { ...shown.analyst, state: "provider_disabled" } };
}

function relatedView({ marks, ...row }: RelatedRow): RelatedIncident {
  const device = marks.some(isDeviceMark);
  const destination = marks.some((mark) => !isDeviceMark(mark));
  return {
    id: row.incident_id,
    title: row.title,
    severity: row.severity,
    status: row.status,
    last_seen: formatMillis(row.last_seen),
    reason: device && destination
      ? "same_device_and_destination"
      : device
      ? "same_device"
      : "same_destination",
  };
}
