// A tenant's health as last observed.

import type { HealthStatus } from "../../contract/record/kinds.ts";
import type { ComponentState, HealthChanges } from "../../domain/health/transitions.ts";
import type { Tx } from "../engine/database.ts";
import { textArray, timestampLiteral } from "../engine/literals.ts";
import { type Column, insertRows } from "../engine/rows.ts";
import { sql } from "../engine/sql.ts";

/** Identifies the last recorded observation. */
export interface ObservationMark {
  /** The observing process. */
  observer: string;
  /** The observer's own increasing number. */
  pass: number;
  /** Microseconds. */
  observedAt: number;
}

const COLUMNS: Column<ComponentState>[] = [
  { name: "component_id", type: "text", of: (state) => state.componentId },
  { name: "kind", type: "text", of: (state) => state.kind },
  { name: "status", type: "text", of: (state) => state.status },
  { name: "since", type: "timestamptz", of: (state) => state.since },
  { name: "missing_since", type: "timestamptz", of: (state) => state.missingSince },
];

/** A tenant's components by their ids, `appliance` included; empty before the first observation. */
export async function recordedHealth(tx: Tx, tenantId: string): Promise<Map<string, ComponentState>> {
  const rows = await tx.rows<
    { component_id: string; kind: string; status: HealthStatus; since: number; missing_since: number | null }
  >(sql`
    select component_id, kind, status, since, missing_since from health_state where tenant_id = ${tenantId}
    order by component_id`);
  return new Map(rows.map((row) => [row.component_id, {
    componentId: row.component_id,
    kind: row.kind,
    status: row.status,
    since: row.since,
    missingSince: row.missing_since,
  }]));
}

/** The last recorded observation; null before the first. */
export async function lastObservation(tx: Tx, tenantId: string): Promise<ObservationMark | null> {
  const [row] = await tx.rows<{ observer: string; pass: number; observed_at: number }>(sql`
    select observer, pass, observed_at from health_observation where tenant_id = ${tenantId}`);
  return row ? { observer: row.observer, pass: row.pass, observedAt: row.observed_at } : null;
}

/** Records an observation: its mark, the changed components, and those to delete. */
export async function recordHealth(
  tx: Tx,
  tenantId: string,
  mark: ObservationMark,
  { changed, forgotten }: HealthChanges,
): Promise<void> {
  await tx.run(sql`
    insert into health_observation (tenant_id, observer, pass, observed_at)
    values (${tenantId}, ${mark.observer}, ${mark.pass}, ${timestampLiteral(mark.observedAt)}::timestamptz)
    on conflict (tenant_id) do update
    set observer = excluded.observer, pass = excluded.pass, observed_at = excluded.observed_at`);
  if (changed.length > 0) {
    await tx.run(sql`${insertRows("health_state", tenantId, COLUMNS, changed)}
      on conflict (tenant_id, component_id) do update
      set kind = excluded.kind, status = excluded.status, since = excluded.since,
        missing_since = excluded.missing_since`);
  }
  if (forgotten.length > 0) {
    await tx.run(sql`
      delete from health_state
      where tenant_id = ${tenantId} and component_id = any(${textArray(forgotten)}::text[])`);
  }
}
