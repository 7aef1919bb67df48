import type { IncidentStatus, Severity } from "../../contract/record/kinds.ts";
import type { Tx } from "../engine/database.ts";
import { textArray, timestampLiteral } from "../engine/literals.ts";
import { sql } from "../engine/sql.ts";
import type { IncidentRow } from "./read.ts";

export interface RelatedRow {
  incident_id: string;
  title: string;
  severity: Severity;
  status: IncidentStatus;
  last_seen: number;
  /** What it has in common with the incident. */
  marks: string[];
}

/** Marks of the incident that are looked up, and incidents read for each of them. */
const MAX_MARKS = 64;
const MAX_PER_MARK = 200;
/** Greatest distance in time, microseconds. */
const MARGIN = 86_400_000_000;

/**
 * At most `limit` incidents with a device, destination or campaign in common and activity at most a day apart, the worst
 * first. For a mark that very many incidents share, only some of them are considered.
 */
export async function relatedIncidents(
  tx: Tx,
  tenantId: string,
  { incident_id: incidentId, first_seen, last_seen }: IncidentRow,
  limit: number,
): Promise<RelatedRow[]> {
  const own = await tx.rows<{ mark: string }>(sql`
    select mark from incident_mark where tenant_id = ${tenantId} and incident_id = ${incidentId}::uuid
    order by mark limit 500`);
  const marks = own.map(({ mark }) => mark).filter(isShared).slice(0, MAX_MARKS);
  if (marks.length === 0) return [];
  const from = timestampLiteral(first_seen - MARGIN);
  const to = timestampLiteral(last_seen + MARGIN);
  return await tx.rows<RelatedRow>(sql`
    select x.incident_id, x.title, x.severity, x.status, x.last_seen, array_agg(u.mark order by u.mark) as marks
    from unnest(${textArray(marks)}::text[]) as u (mark) cross join lateral (
      select i.incident_id, i.title, i.severity, i.status, i.last_seen, i.score from incident_mark m
      join incident i on i.tenant_id = ${tenantId} and i.incident_id = m.incident_id
      where m.tenant_id = ${tenantId} and m.mark = u.mark and m.incident_id <> ${incidentId}::uuid
        and i.last_seen >= ${from}::timestamptz and i.first_seen <= ${to}::timestamptz
      limit ${MAX_PER_MARK}
    ) x
    group by x.incident_id, x.title, x.severity, x.status, x.last_seen, x.score
    order by x.score desc, x.last_seen desc, x.incident_id limit ${limit}`);
}

/** Whether a mark names something that incidents of different kinds share. */
function isShared(mark: string): boolean {
  return isDeviceMark(mark) || ["address ", "name ", "campaign "].some((kind) => mark.startsWith(kind));
}

export function isDeviceMark(mark: string): boolean {
  return mark.startsWith("device ");
}
