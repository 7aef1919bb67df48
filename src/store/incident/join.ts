// What the incident engine reads before results open or join incidents.

import type { Importance } from "../../domain/incident/importance.ts";
import type { NarrativePart } from "../../domain/incident/narrative.ts";
import type { Verdict } from "../../domain/incident/verdict.ts";
import type { Tx } from "../engine/database.ts";
import { plainArray, textArray, timestampLiteral } from "../engine/literals.ts";
import { type IncidentRow, selectNamed } from "./read.ts";
import { type Column, insertRows } from "../engine/rows.ts";
import { sql } from "../engine/sql.ts";

/** An incident with everything that decides which results join it. */
export interface JoinableRow extends IncidentRow {
  opened_at: number;
  story: NarrativePart[];
  importance: Importance;
  marks: string[];
}

/**
 * Incidents with one of these marks whose time overlaps the span (microseconds), oldest first. They are
 * locked until the transaction ends, so that people cannot change them meanwhile.
 */
export async function incidentsWithMarks(
  tx: Tx,
  tenantId: string,
  marks: readonly string[],
  span: { from: number; to: number },
): Promise<JoinableRow[]> {
  if (marks.length === 0) return [];
  return await tx.rows<JoinableRow>(sql`
    ${
    selectNamed(
      tenantId,
      sql`, array(select m.mark from incident_mark m
        where m.tenant_id = ${tenantId} and m.incident_id = i.incident_id
          and (i.campaign is null or m.mark = any(${textArray(marks)}::text[])) order by m.mark) as marks`,
    )
  }
    where i.tenant_id = ${tenantId} and i.incident_id = any(array(
        select m.incident_id from incident_mark m
        where m.tenant_id = ${tenantId} and m.mark = any(${textArray(marks)}::text[])))
      and i.last_seen >= ${timestampLiteral(span.from)}::timestamptz
      and i.first_seen <= ${timestampLiteral(span.to)}::timestamptz
    order by i.incident_no for update of i`);
}

const MARK: Column<{ incidentId: string; mark: string }>[] = [
  { name: "incident_id", type: "uuid", of: (row) => row.incidentId },
  { name: "mark", type: "text", of: (row) => row.mark },
];

export async function addMarks(
  tx: Tx,
  tenantId: string,
  marks: readonly { incidentId: string; mark: string }[],
): Promise<void> {
  if (marks.length === 0) return;
  await tx.run(sql`${insertRows("incident_mark", tenantId, MARK, marks)} on conflict do nothing`);
}

/** Devices that were merged into one of these, with the surviving device. */
export async function shownAs(
  tx: Tx,
  tenantId: string,
  deviceIds: readonly string[],
): Promise<Map<string, string>> {
  if (deviceIds.length === 0) return new Map();
  const rows = await tx.rows<{ device_id: string; merged_into: string }>(sql`
    select device_id, merged_into from device
    where tenant_id = ${tenantId} and merged_into = any(${plainArray(deviceIds)}::uuid[])`);
  return new Map(rows.map((row) => [row.device_id, row.merged_into]));
}

export interface Standing {
  owner: string | null;
  tags: string[];
}

/** Owners and tags of these devices. */
export async function standingsOf(
  tx: Tx,
  tenantId: string,
  deviceIds: readonly string[],
): Promise<Map<string, Standing>> {
  if (deviceIds.length === 0) return new Map();
  const rows = await tx.rows<Standing & { device_id: string }>(sql`
    select d.device_id, d.owner, array(select t.tag from device_tag t
      where t.tenant_id = ${tenantId} and t.device_id = d.device_id order by t.tag) as tags
    from device d where d.tenant_id = ${tenantId} and d.device_id = any(${plainArray(deviceIds)}::uuid[])`);
  return new Map(rows.map(({ device_id, owner, tags }) => [device_id, { owner, tags }]));
}

/** Verdicts about these devices, and those about no device. */
export async function verdictsOf(
  tx: Tx,
  tenantId: string,
  deviceIds: readonly string[],
): Promise<Verdict[]> {
  const rows = await tx.rows<
    { incident_id: string; model_id: string; device_id: string | null; subject: string; score: number }
  >(sql`
    select incident_id, model_id, device_id, subject, score from verdict
    where tenant_id = ${tenantId} and device_id = any(${plainArray(deviceIds)}::uuid[])
    union all
    select incident_id, model_id, device_id, subject, score from verdict
    where tenant_id = ${tenantId} and device_id is null`);
  return rows.map((row) => ({
    incidentId: row.incident_id,
    modelId: row.model_id,
    deviceId: row.device_id,
    subject: row.subject,
    score: row.score,
  }));
}
