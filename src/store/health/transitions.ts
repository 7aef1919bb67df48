// The history of a tenant's health.

import type { HealthStatus } from "../../contract/record/kinds.ts";
import type { Transition } from "../../domain/health/transitions.ts";
import type { Tx } from "../engine/database.ts";
import { timestampLiteral } from "../engine/literals.ts";
import { type Column, insertRows } from "../engine/rows.ts";
import { all, sql } from "../engine/sql.ts";

/** Days after which transitions are deleted. */
export const TRANSITION_DAYS = 90;

/** A transition with an id that is derived from its content. */
interface IdentifiedTransition extends Transition {
  id: string;
}

interface TransitionRow {
  transition_id: string;
  /** Microseconds. */
  at: number;
  component_id: string;
  kind: string;
  from_status: HealthStatus;
  to_status: HealthStatus;
  message: string | null;
}

/** Where a page ended. */
export interface TransitionPosition {
  at: number;
  id: string;
}

const COLUMNS: Column<IdentifiedTransition>[] = [
  { name: "transition_id", type: "uuid", of: (one) => one.id },
  { name: "at", type: "timestamptz", of: (one) => one.at },
  { name: "component_id", type: "text", of: (one) => one.componentId },
  { name: "kind", type: "text", of: (one) => one.kind },
  { name: "from_status", type: "text", of: (one) => one.from },
  { name: "to_status", type: "text", of: (one) => one.to },
  { name: "message", type: "text", of: (one) => one.message },
];

export async function addTransitions(
  tx: Tx,
  tenantId: string,
  transitions: readonly IdentifiedTransition[],
): Promise<void> {
  if (transitions.length === 0) return;
  await tx.run(
    sql`${insertRows("health_transition", tenantId, COLUMNS, transitions)} on conflict do nothing`,
  );
}

/** Newest first; the window is half-open, in microseconds. */
export async function listTransitions(
  tx: Tx,
  tenantId: string,
  { window: { from, to }, componentId }: { window: { from: number; to: number }; componentId?: string },
  before: TransitionPosition | null,
  limit: number,
): Promise<TransitionRow[]> {
  const conditions = [
    sql`tenant_id = ${tenantId}`,
    sql`at >= ${timestampLiteral(from)}::timestamptz`,
    sql`at < ${timestampLiteral(to)}::timestamptz`,
  ];
  if (componentId !== undefined) conditions.push(sql`component_id = ${componentId}`);
  if (before !== null) {
    conditions.push(
      sql`(at, transition_id) < (${timestampLiteral(before.at)}::timestamptz, ${before.id}::uuid)`,
    );
  }
  return await tx.rows<TransitionRow>(sql`
    select transition_id, at, component_id, kind, from_status, to_status, message from health_transition
    where ${all(conditions)} order by at desc, transition_id desc limit ${limit}`);
}

/** Deletes transitions before `cutoff` (microseconds). */
export async function expireTransitions(tx: Tx, tenantId: string, cutoff: number): Promise<number> {
  return await tx.run(sql`
    delete from health_transition
    where tenant_id = ${tenantId} and at < ${timestampLiteral(cutoff)}::timestamptz`);
}
