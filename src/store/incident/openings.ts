// Incidents opened per detector, severity and hour, which bounds alert storms.
import type { Openings } from "../../domain/incident/campaign.ts";
import type { Severity } from "../../contract/record/kinds.ts";
import type { Tx } from "../engine/database.ts";
import { timestampArray, timestampLiteral } from "../engine/literals.ts";
import { type Column, insertRows } from "../engine/rows.ts";
import { sql } from "../engine/sql.ts";

/** The counts of these hours (microseconds). */
export async function openingsOf(tx: Tx, tenantId: string, hours: readonly number[]): Promise<Openings[]> {
  if (hours.length === 0) return [];
  const rows = await tx.rows<
    {
      model_id: string;
      severity: Severity;
      hour: number;
      by_receipt: boolean;
      opened: number;
      joined: number;
    }
  >(sql`
    select model_id, severity, hour, by_receipt, opened, joined from incident_opening
    where tenant_id = ${tenantId} and hour = any(${timestampArray(hours)}::timestamptz[])`);
  return rows.map(({ model_id: modelId, by_receipt: byReceipt, ...row }) => ({ modelId, byReceipt, ...row }));
}

/** Results of the hours of source time from `since` (microseconds) on that joined a campaign incident. */
export async function joinedSince(tx: Tx, tenantId: string, since: number): Promise<number> {
  const [row] = await tx.rows<{ joined: number }>(sql`
    select coalesce(sum(joined), 0)::bigint as joined from incident_opening
    where tenant_id = ${tenantId} and hour >= ${timestampLiteral(since)}::timestamptz`);
  return row!.joined;
}

const OPENING: Column<Openings>[] = [
  { name: "model_id", type: "text", of: (row) => row.modelId },
  { name: "severity", type: "text", of: (row) => row.severity },
  { name: "hour", type: "timestamptz", of: (row) => row.hour },
  { name: "by_receipt", type: "boolean", of: (row) => row.byReceipt },
  { name: "opened", type: "integer", of: (row) => row.opened },
  { name: "joined", type: "integer", of: (row) => row.joined },
];

export async function saveOpenings(tx: Tx, tenantId: string, openings: readonly Openings[]): Promise<void> {
  if (openings.length === 0) return;
  await tx.run(sql`
    ${insertRows("incident_opening", tenantId, OPENING, openings)}
    on conflict (tenant_id, hour, model_id, severity, by_receipt) do update set
      opened = excluded.opened, joined = excluded.joined`);
}

/** Deletes the counts of hours before `cutoff` (microseconds). */
export async function expireOpenings(tx: Tx, tenantId: string, cutoff: number): Promise<void> {
  await tx.run(sql`
    delete from incident_opening
    where tenant_id = ${tenantId} and hour < ${timestampLiteral(cutoff)}::timestamptz`);
}
