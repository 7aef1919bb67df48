import type { ModelResult } from "../contract/incident.ts";
import type { IncidentStatus, Severity } from "../contract/kinds.ts";
import type { Tx } from "./database.ts";
import { deviceGroup } from "./device-group.ts";
import type { ScoreEntry } from "./device-read.ts";
import { EVIDENCE_COLUMNS, type EvidenceRow, linkedEvidence, toEvidenceRow } from "./flow-read.ts";
import { plainArray, textArray, timestampLiteral } from "./literals.ts";
import { all, type Sql, sql } from "./sql.ts";

export interface IncidentFilter {
  /** Microseconds, half-open, on last_seen. */
  window: { from: number; to: number };
  status?: IncidentStatus;
  severity?: Severity;
  deviceId?: string;
}

export interface IncidentRow {
  incident_id: string;
  incident_no: number;
  model_id: string;
  group_key: string;
  /** Best score of each model so far. */
  model_scores: Record<string, number>;
  title: string;
  summary: string;
  severity: Severity;
  score: number;
  status: IncidentStatus;
  first_seen: number;
  last_seen: number;
  revision: number;
  device_ids: string[];
}

/** With the devices that an incident names, as it names them. */
function select(tenantId: string): Sql {
  return sql`
  select i.*, array(
    select x.device_id::text from incident_device x
    where x.tenant_id = ${tenantId} and x.incident_id = i.incident_id order by x.ordinal) as device_ids
  from incident i`;
}

/** With those that they show as, each once. */
function selectShown(tenantId: string): Sql {
  return sql`
  select i.*, array(
    select coalesce(d.merged_into, x.device_id)::text from incident_device x
    left join device d on d.tenant_id = x.tenant_id and d.device_id = x.device_id
    where x.tenant_id = ${tenantId} and x.incident_id = i.incident_id
    group by coalesce(d.merged_into, x.device_id) order by min(x.ordinal)) as device_ids
  from incident i`;
}

/** Incidents by their number, newest first: an order that nothing changes. */
export async function listIncidents(
  tx: Tx,
  tenantId: string,
  filter: IncidentFilter,
  before: number | null,
  limit: number,
): Promise<IncidentRow[]> {
  const conditions = [
    sql`i.tenant_id = ${tenantId}`,
    sql`i.last_seen >= ${timestampLiteral(filter.window.from)}::timestamptz`,
    sql`i.last_seen < ${timestampLiteral(filter.window.to)}::timestamptz`,
  ];
  if (before !== null) conditions.push(sql`i.incident_no < ${before}::bigint`);
  if (filter.status !== undefined) conditions.push(sql`i.status = ${filter.status}`);
  if (filter.severity !== undefined) conditions.push(sql`i.severity = ${filter.severity}`);
  if (filter.deviceId !== undefined) {
    const group = plainArray(await deviceGroup(tx, tenantId, filter.deviceId));
    conditions.push(sql`exists (select from incident_device x where x.tenant_id = ${tenantId}
      and x.incident_id = i.incident_id and x.device_id = any(${group}::uuid[]))`);
  }
  return await tx.rows<IncidentRow>(sql`
    ${selectShown(tenantId)} where ${all(conditions)} order by i.incident_no desc limit ${limit}`);
}

export async function incidentById(
  tx: Tx,
  tenantId: string,
  incidentId: string,
): Promise<IncidentRow | null> {
  const [row] = await tx.rows<IncidentRow>(sql`
    ${selectShown(tenantId)} where i.tenant_id = ${tenantId} and i.incident_id = ${incidentId}::uuid`);
  return row ?? null;
}

/** Newest last. */
export async function incidentScores(tx: Tx, tenantId: string, incidentId: string): Promise<ScoreEntry[]> {
  return await tx.rows<ScoreEntry>(sql`
    select at, score, reason from incident_score
    where tenant_id = ${tenantId} and incident_id = ${incidentId}::uuid order by entry_no`);
}

export interface EvidenceLink {
  evidence_id: string;
  observed_at: number;
  flow_id: string;
}

/** The newest `limit` links of an incident, oldest first. */
export async function evidenceLinks(
  tx: Tx,
  tenantId: string,
  incidentId: string,
  limit: number,
): Promise<EvidenceLink[]> {
  const rows = await tx.rows<EvidenceLink>(sql`
    select evidence_id, observed_at, flow_id from incident_evidence
    where tenant_id = ${tenantId} and incident_id = ${incidentId}::uuid
    order by observed_at desc, evidence_id desc limit ${limit}`);
  return rows.reverse();
}

/** The evidence rows behind the links; what retention took is missing. */
export async function evidenceByLinks(
  tx: Tx,
  tenantId: string,
  incidentId: string,
  limit: number,
): Promise<EvidenceRow[]> {
  const rows = await tx.rows<Parameters<typeof toEvidenceRow>[0]>(sql`
    select ${EVIDENCE_COLUMNS} from (
      select evidence_id, flow_id, observed_at from incident_evidence
      where tenant_id = ${tenantId} and incident_id = ${incidentId}::uuid
      order by observed_at desc, evidence_id desc limit ${limit}
    ) x
    ${linkedEvidence(tenantId)}`);
  return rows.map(toEvidenceRow);
}

/** The newest persisted result of each detector and group of an incident. */
export async function latestResults(tx: Tx, tenantId: string, incidentId: string): Promise<ModelResult[]> {
  const rows = await tx.rows<{ analysis_id: string; body: Omit<ModelResult, "analysis_id"> }>(sql`
    select distinct on (model_id, group_key) analysis_id, body from model_result
    where tenant_id = ${tenantId} and incident_id = ${incidentId}::uuid
    order by model_id, group_key, result_no desc`);
  return rows.map((row) => ({ analysis_id: row.analysis_id, ...row.body }));
}

/** Sets status and revision when the revision still matches; false when it does not. */
export async function updateStatus(
  tx: Tx,
  tenantId: string,
  incidentId: string,
  revision: number,
  status: IncidentStatus,
): Promise<boolean> {
  const changed = await tx.run(sql`
    update incident set status = ${status}, revision = revision + 1
    where tenant_id = ${tenantId} and incident_id = ${incidentId}::uuid and revision = ${revision}`);
  return changed === 1;
}

/** Every incident of these groups, oldest first, locked against a person's change until the transaction ends. */
export async function incidentsOfGroups(
  tx: Tx,
  tenantId: string,
  groups: readonly { modelId: string; groupKey: string }[],
): Promise<IncidentRow[]> {
  if (groups.length === 0) return [];
  return await tx.rows<IncidentRow>(sql`
    ${select(tenantId)}
    join unnest(${textArray(groups.map((group) => group.modelId))}::text[],
      ${textArray(groups.map((group) => group.groupKey))}::text[]) as u (model_id, group_key)
      on i.model_id = u.model_id and i.group_key = u.group_key
    where i.tenant_id = ${tenantId} order by i.incident_no
    for update of i`);
}
