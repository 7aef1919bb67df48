import type { ModelResult, SubScore } from "../../contract/incident/incident.ts";
import type { IncidentStatus, Severity } from "../../contract/record/kinds.ts";
import type { Campaign } from "../../domain/incident/campaign.ts";
import type { Tx } from "../engine/database.ts";
import type { ScoreEntry } from "../device/read.ts";
import {
  anchorWithin,
  EVIDENCE_BATCH,
  EVIDENCE_COLUMNS,
  type EvidenceRow,
  timeOfId,
  toEvidenceRow,
} from "../flow/read.ts";
import { plainArray, timestampLiteral } from "../engine/literals.ts";
import { type Column, relation } from "../engine/rows.ts";
import { prepared, type Sql, sql } from "../engine/sql.ts";
import { holdsAt } from "../review/suppressions.ts";

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
  /** Whether it is still active is in the suppression's own row. */
  suppressed_by: string | null;
  score_parts: SubScore[];
  campaign: Campaign | null;
  continues: string | null;
  assignee: string | null;
  device_ids: string[];
}

/** Incidents with `device_ids` as the detectors named them, and further columns. */
export function selectNamed(tenantId: string, further: Sql): Sql {
  return sql`
  select i.*, array(
    select x.device_id::text from incident_device x
    where x.tenant_id = ${tenantId} and x.incident_id = i.incident_id order by x.ordinal) as device_ids${further}
  from incident i`;
}

/** Incidents with `device_ids` after merges, each id once, and further columns. */
export function selectShown(tenantId: string, incidents = sql`incident`, further = sql``): Sql {
  return sql`
  select i.*, array(
    select coalesce(d.merged_into, x.device_id)::text from incident_device x
    left join device d on d.tenant_id = x.tenant_id and d.device_id = x.device_id
    where x.tenant_id = ${tenantId} and x.incident_id = i.incident_id
    group by coalesce(d.merged_into, x.device_id) order by min(x.ordinal)) as device_ids${further}
  from ${incidents} i`;
}

/** Whether a suppression covers the incident `i` at `at` (microseconds), or none does. */
export function isSuppressed(tenantId: string, { is, at }: { is: boolean; at: number }): Sql {
  const held = sql`exists (select from suppression s where s.tenant_id = ${tenantId}
    and s.suppression_id = i.suppressed_by and ${holdsAt(at)})`;
  return is ? held : sql`not ${held}`;
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

/** These incidents, in this order; missing ones are left out. */
export async function incidentsByIds(
  tx: Tx,
  tenantId: string,
  incidentIds: readonly string[],
): Promise<IncidentRow[]> {
  if (incidentIds.length === 0) return [];
  const rows = await tx.rows<IncidentRow>(sql`
    ${selectShown(tenantId)} where i.tenant_id = ${tenantId}
      and i.incident_id = any(${plainArray(incidentIds)}::uuid[])`);
  const byId = new Map(rows.map((row) => [row.incident_id, row]));
  return incidentIds.flatMap((id) => byId.get(id) ?? []);
}

/** Titles of these incidents; missing incidents are left out. */
export async function incidentTitles(
  tx: Tx,
  tenantId: string,
  incidentIds: readonly string[],
): Promise<Map<string, string>> {
  if (incidentIds.length === 0) return new Map();
  const rows = await tx.rows<{ incident_id: string; title: string }>(sql`
    select incident_id, title from incident
    where tenant_id = ${tenantId} and incident_id = any(${plainArray(incidentIds)}::uuid[])`);
  return new Map(rows.map((row) => [row.incident_id, row.title]));
}

/** Newest last, at most 500. */
export async function incidentScores(tx: Tx, tenantId: string, incidentId: string): Promise<ScoreEntry[]> {
  const rows = await tx.rows<ScoreEntry>(sql`
    select at, score, reason from incident_score
    where tenant_id = ${tenantId} and incident_id = ${incidentId}::uuid order by entry_no desc limit 500`);
  return rows.reverse();
}

interface EvidenceLink {
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

const LINK: Column<EvidenceLink>[] = [
  { name: "evidence_id", type: "uuid", of: (link) => link.evidence_id },
  { name: "flow_id", type: "uuid", of: (link) => link.flow_id },
  { name: "anchor_at", type: "timestamptz", of: (link) => timeOfId(link.flow_id) },
  { name: "from_at", type: "timestamptz", of: (link) => spanOfLink(link).from },
  { name: "until_at", type: "timestamptz", of: (link) => spanOfLink(link).until },
];

/**
 * The span of `observed_at` of a link's evidence. A link's time is the millisecond in the evidence's id: 1970
 * for anything earlier, and a little early in far years whose microseconds are not exact.
 */
function spanOfLink({ observed_at }: EvidenceLink): { from: number; until: number } {
  return { from: observed_at === 0 ? -Infinity : observed_at, until: observed_at + 2000 };
}

/** The evidence of the links, one lookup each as for flows; dropped evidence is left out. */
export async function evidenceByLinks(
  tx: Tx,
  tenantId: string,
  links: readonly EvidenceLink[],
): Promise<EvidenceRow[]> {
  if (links.length === 0) return [];
  const spans = links.map(spanOfLink);
  const from = timestampLiteral(spans.reduce((a, { from }) => Math.min(a, from), Infinity));
  const until = timestampLiteral(spans.reduce((a, { until }) => Math.max(a, until), -Infinity));
  const rows = await tx.rows<Parameters<typeof toEvidenceRow>[0]>(prepared(
    "evidence_by_links",
    sql`
    select ${EVIDENCE_COLUMNS} from ${relation(LINK, links)} cross join lateral (
      select * from observation
      where tenant_id = ${tenantId} and flow_id = u.flow_id and evidence_id = u.evidence_id
        and anchor_at = u.anchor_at and ${anchorWithin(links.map(({ flow_id }) => flow_id))}
        and observed_at >= u.from_at and observed_at <= u.until_at
        and observed_at >= ${from}::timestamptz and observed_at <= ${until}::timestamptz
      limit 1
    ) e ${EVIDENCE_BATCH}`,
  ));
  return rows.map(toEvidenceRow);
}

/** Number of detectors and groups that a detail shows, by their first result. */
const MAX_RESULTS = 200;

/** The newest result of each detector and group of an incident, in order of their first results. */
export async function latestResults(tx: Tx, tenantId: string, incidentId: string): Promise<ModelResult[]> {
  const rows = await tx.rows<{ analysis_id: string; body: Omit<ModelResult, "analysis_id"> }>(sql`
    select r.analysis_id, r.body from model_result r join (
      select min(result_no) as first_no, max(result_no) as last_no from model_result
      where tenant_id = ${tenantId} and incident_id = ${incidentId}::uuid
      group by model_id, group_key order by 1 limit ${MAX_RESULTS}
    ) newest on r.result_no = newest.last_no
    where r.tenant_id = ${tenantId} and r.incident_id = ${incidentId}::uuid order by newest.first_no`);
  return rows.map(({ analysis_id, body }) => ({ analysis_id, ...body }));
}

/** Sets the status and increments the revision if the revision still matches; false otherwise. */
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

/** Assigns an incident if the revision still matches; false otherwise. */
export async function updateAssignee(
  tx: Tx,
  tenantId: string,
  incidentId: string,
  revision: number,
  assignee: string | null,
): Promise<boolean> {
  const changed = await tx.run(sql`
    update incident set assignee = ${assignee}, revision = revision + 1
    where tenant_id = ${tenantId} and incident_id = ${incidentId}::uuid and revision = ${revision}`);
  return changed === 1;
}
