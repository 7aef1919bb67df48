// What a client polls: counts of open work and numbers that grow with each change.

import type { HealthStatus } from "../../contract/record/kinds.ts";
import type { Tx } from "../engine/database.ts";
import { sql } from "../engine/sql.ts";
import { holdsAt } from "../review/suppressions.ts";

export interface OpenWork {
  open: number;
  high: number;
  unassigned: number;
  mine: number;
}

/** Open incidents without a suppression that is active at `now` (microseconds). Index-only. */
export async function openWork(tx: Tx, tenantId: string, subject: string, now: number): Promise<OpenWork> {
  const [row] = await tx.rows<OpenWork>(sql`
    select count(*)::int as open, count(*) filter (where i.severity in ('high', 'critical'))::int as high,
      count(*) filter (where i.assignee is null)::int as unassigned,
      count(*) filter (where i.assignee = ${subject})::int as mine
    from incident i
    where i.tenant_id = ${tenantId} and i.status in ('open', 'investigating') and not exists (
      select from suppression s where s.tenant_id = ${tenantId} and s.suppression_id = i.suppressed_by
        and ${holdsAt(now)})`);
  return row!;
}

interface Undecided {
  actions: number;
  proposals: number;
}

/** Response actions and proposals that wait for a decision. */
export async function undecided(tx: Tx, tenantId: string): Promise<Undecided> {
  const [row] = await tx.rows<Undecided>(sql`
    select
      (select count(*) from response_action where tenant_id = ${tenantId} and status = 'proposed')::int as actions,
      (select count(*) from proposal where tenant_id = ${tenantId} and status = 'proposed')::int as proposals`);
  return row!;
}

/** The incident with the highest number; null if there is none. */
export async function newestIncident(
  tx: Tx,
  tenantId: string,
): Promise<{ incident_id: string; revision: number; last_seen: number } | null> {
  const [row] = await tx.rows<{ incident_id: string; revision: number; last_seen: number }>(sql`
    select incident_id, revision, last_seen from incident where tenant_id = ${tenantId}
    order by incident_no desc limit 1`);
  return row ?? null;
}

/** Progress of a tenant: numbers that only grow, and its health as last observed. */
export interface Progress {
  incidents: number;
  devices: number;
  decisions: number;
  /** The newest processed batch, and when it was processed, in microseconds. */
  batch: number;
  processed_at: number | null;
  health: HealthStatus | null;
}

export async function progressOf(tx: Tx, tenantId: string): Promise<Progress> {
  const [row] = await tx.rows<Progress>(sql`
    select coalesce(c.incidents, 0) as incidents, coalesce(c.devices, 0) as devices,
      coalesce(c.decisions, 0) as decisions, coalesce(p.batch_no, 0) as batch, p.last_batch_at as processed_at,
      (select status from health_state where tenant_id = ${tenantId} and component_id = 'appliance') as health
    from (select) one
    left join list_change c on c.tenant_id = ${tenantId}
    left join pipeline_cursor p on p.tenant_id = ${tenantId}`);
  return row!;
}
