import type { ModelResult } from "../../contract/incident/incident.ts";
import type { EvidenceRef } from "../../domain/detect/kernel/result.ts";
import type { IncidentState, ScoreEntry } from "../../domain/incident/lifecycle.ts";
import type { Tx } from "../engine/database.ts";
import { lookUps, timeOfId } from "../flow/read.ts";
import { jsonText } from "../engine/literals.ts";
import { type Column, insertRows, placesWithin, relation } from "../engine/rows.ts";
import { sql } from "../engine/sql.ts";

export interface StoredIncident {
  incidentId: string;
  incidentNo: number;
  state: IncidentState;
}

const INCIDENT: Column<StoredIncident>[] = [
  { name: "incident_id", type: "uuid", of: (one) => one.incidentId },
  { name: "incident_no", type: "bigint", of: (one) => one.incidentNo },
  { name: "model_id", type: "text", of: (one) => one.state.modelId },
  { name: "group_key", type: "text", of: (one) => one.state.groupKey },
  { name: "model_scores", type: "text", cast: "jsonb", of: (one) => jsonText(one.state.modelScores) },
  { name: "title", type: "text", of: (one) => one.state.title },
  { name: "summary", type: "text", of: (one) => one.state.summary },
  { name: "severity", type: "text", of: (one) => one.state.severity },
  { name: "score", type: "double precision", of: (one) => one.state.score },
  { name: "status", type: "text", of: (one) => one.state.status },
  { name: "first_seen", type: "timestamptz", of: (one) => one.state.firstSeen },
  { name: "last_seen", type: "timestamptz", of: (one) => one.state.lastSeen },
  { name: "revision", type: "integer", of: (one) => one.state.revision },
  { name: "opened_at", type: "timestamptz", of: (one) => one.state.openedAt },
  { name: "story", type: "text", cast: "jsonb", of: (one) => jsonText(one.state.narrative) },
  { name: "importance", type: "text", cast: "jsonb", of: (one) => jsonText(one.state.importance) },
  { name: "score_parts", type: "text", cast: "jsonb", of: (one) => jsonText(one.state.scoreParts) },
  {
    name: "campaign",
    type: "text",
    cast: "jsonb",
    of: (one) => one.state.campaign === null ? null : jsonText(one.state.campaign),
  },
  { name: "continues", type: "uuid", of: (one) => one.state.continues },
];

const DEVICE: Column<{ incidentId: string; deviceId: string; ordinal: number }>[] = [
  { name: "incident_id", type: "uuid", of: (row) => row.incidentId },
  { name: "device_id", type: "uuid", of: (row) => row.deviceId },
  { name: "ordinal", type: "integer", of: (row) => row.ordinal },
];

/**
 * Upserts incidents. The status, which people set, is never overwritten. An incident that gets a result which
 * no suppression held back is no longer covered by one.
 */
export async function writeIncidents(
  tx: Tx,
  tenantId: string,
  incidents: readonly StoredIncident[],
): Promise<void> {
  if (incidents.length === 0) return;
  const sorted = [...incidents].sort((a, b) => a.incidentId < b.incidentId ? -1 : 1);
  const devices = sorted.flatMap(({ incidentId, state }) =>
    state.deviceIds.map((deviceId, ordinal) => ({ incidentId, deviceId, ordinal }))
  );
  await Promise.all([
    tx.run(sql`
      ${insertRows("incident", tenantId, INCIDENT, sorted)}
      on conflict (tenant_id, incident_id) do update set
        model_scores = excluded.model_scores, title = excluded.title, summary = excluded.summary,
        severity = excluded.severity, score = excluded.score, first_seen = excluded.first_seen,
        last_seen = excluded.last_seen, revision = excluded.revision, story = excluded.story,
        importance = excluded.importance, score_parts = excluded.score_parts, campaign = excluded.campaign,
        suppressed_by = null`),
    devices.length === 0
      ? null
      : tx.run(sql`${insertRows("incident_device", tenantId, DEVICE, devices)} on conflict do nothing`),
  ]);
}

/** Maximum number of evidence links of an incident. */
const MAX_LINKS = 2000;

interface LinkedFlow {
  incidentId: string;
  flowId: string;
}

const LINK: Column<{ incidentId: string; ref: EvidenceRef }>[] = [
  { name: "incident_id", type: "uuid", of: (row) => row.incidentId },
  { name: "evidence_id", type: "uuid", of: (row) => row.ref.evidenceId },
  { name: "observed_at", type: "timestamptz", of: (row) => timeOfId(row.ref.evidenceId) },
  { name: "flow_id", type: "uuid", of: (row) => row.ref.flowId },
];

const LINKED_FLOW: Column<LinkedFlow>[] = [
  { name: "incident_id", type: "uuid", of: (row) => row.incidentId },
  { name: "flow_id", type: "uuid", of: (row) => row.flowId },
];

/** Links evidence, of whose flows the ends are found for the map, too. */
export async function linkEvidence(
  tx: Tx,
  tenantId: string,
  links: readonly { incidentId: string; ref: EvidenceRef }[],
): Promise<void> {
  if (links.length === 0) return;
  const flows = new Map(links.map(({ incidentId, ref: { flowId } }) => [
    `${incidentId} ${flowId}`,
    { incidentId, flowId },
  ]));
  await Promise.all([
    tx.run(sql`${insertRows("incident_evidence", tenantId, LINK, links)} on conflict do nothing`),
    addPairs(tx, tenantId, [...flows.values()]),
  ]);
}

/** Adds the ends of flows to the pairs of incidents. */
async function addPairs(tx: Tx, tenantId: string, flows: readonly LinkedFlow[]): Promise<void> {
  if (flows.length === 0) return;
  const flowIds = [...new Set(flows.map(({ flowId }) => flowId))];
  const ends = lookUps(flowIds, [sql`tenant_id = ${tenantId}`], sql`flow_id, src_ip, dst_ip`);
  await tx.run(sql`
    insert into incident_pair (tenant_id, incident_id, low, high)
    select distinct ${tenantId}, u.incident_id, least(e.src_ip, e.dst_ip), greatest(e.src_ip, e.dst_ip)
    from ${relation(LINKED_FLOW, flows)} join (${ends}) e on e.flow_id = u.flow_id
    on conflict do nothing`);
}

/** Deletes the oldest links of incidents with too many, and the pairs that no link has any more. */
export async function trimEvidence(tx: Tx, tenantId: string): Promise<void> {
  await tx.run(sql`
    delete from incident_evidence x using (
      select incident_id, evidence_id from (
        select incident_id, evidence_id,
          row_number() over (partition by incident_id order by observed_at desc, evidence_id desc) as place
        from incident_evidence
        where tenant_id = ${tenantId} and incident_id in (
          select incident_id from incident_evidence where tenant_id = ${tenantId}
          group by incident_id having count(*) > ${MAX_LINKS}
        )
      ) placed where place > ${MAX_LINKS}
    ) old
    where x.tenant_id = ${tenantId} and x.incident_id = old.incident_id and x.evidence_id = old.evidence_id`);
  // Fewer are kept although their links are gone: what an incident began with is often the most telling.
  const trimmed = await tx.rows<{ incident_id: string }>(sql`
    delete from incident_pair where tenant_id = ${tenantId} and incident_id in (
      select incident_id from incident_pair where tenant_id = ${tenantId}
      group by incident_id having count(*) > ${MAX_LINKS}
    ) returning incident_id`);
  for (const incidentId of new Set(trimmed.map((row) => row.incident_id))) {
    const rows = await tx.rows<{ flow_id: string }>(sql`
      select distinct flow_id from incident_evidence
      where tenant_id = ${tenantId} and incident_id = ${incidentId}::uuid`);
    await addPairs(tx, tenantId, rows.map((row) => ({ incidentId, flowId: row.flow_id })));
  }
}

export interface StoredResult {
  analysisId: string;
  incidentId: string | null;
  /** The suppression that held it back. */
  suppressedBy: string | null;
  /** The incident whose false-positive verdict held it back. */
  heldBy: string | null;
  groupKey: string;
  /** Microseconds. */
  at: number;
  body: Omit<ModelResult, "analysis_id">;
}

const RESULT: Column<StoredResult>[] = [
  { name: "analysis_id", type: "uuid", of: (result) => result.analysisId },
  { name: "incident_id", type: "uuid", of: (result) => result.incidentId },
  { name: "suppressed_by", type: "uuid", of: (result) => result.suppressedBy },
  { name: "held_by", type: "uuid", of: (result) => result.heldBy },
  { name: "model_id", type: "text", of: (result) => result.body.model_id },
  { name: "group_key", type: "text", of: (result) => result.groupKey },
  { name: "at", type: "timestamptz", of: (result) => result.at },
  { name: "score", type: "double precision", of: (result) => result.body.score },
  { name: "body", type: "text", cast: "jsonb", of: (result) => jsonText(result.body) },
];

/**
 * Inserts results. One that exists already is identical: its record was resent after retention had dropped
 * it.
 */
export async function insertResults(
  tx: Tx,
  tenantId: string,
  results: readonly StoredResult[],
): Promise<void> {
  if (results.length === 0) return;
  await tx.run(sql`${insertRows("model_result", tenantId, RESULT, results)} on conflict do nothing`);
}

const SCORE: Column<{ incidentId: string; place: number; entry: ScoreEntry }>[] = [
  { name: "incident_id", type: "uuid", of: (row) => row.incidentId },
  { name: "place", type: "integer", of: (row) => row.place },
  { name: "at", type: "timestamptz", of: (row) => row.entry.at },
  { name: "score", type: "double precision", of: (row) => row.entry.score },
  { name: "reason", type: "text", of: (row) => row.entry.reason },
];

/** Appends entries to the score histories, in the given order. */
export async function appendScores(
  tx: Tx,
  tenantId: string,
  entries: readonly { incidentId: string; entry: ScoreEntry }[],
): Promise<void> {
  if (entries.length === 0) return;
  const places = placesWithin(entries.map(({ incidentId }) => incidentId));
  const placed = entries.map((one, at) => ({ ...one, place: places[at]! }));
  await tx.run(sql`
    insert into incident_score (tenant_id, incident_id, entry_no, at, score, reason)
    select ${tenantId}, incident_id, place + coalesce((
        select max(entry_no) from incident_score s where s.tenant_id = ${tenantId} and s.incident_id = u.incident_id
      ), 0), at, score, reason
    from ${relation(SCORE, placed)}`);
}
