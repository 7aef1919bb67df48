import { pairOf, type Support, type UndoCause } from "../../domain/device/identity/identity-plan.ts";
import type { Tx } from "../engine/database.ts";
import { jsonText, plainArray, timestampLiteral } from "../engine/literals.ts";
import { type Column, insertRows, relation } from "../engine/rows.ts";
import { sql } from "../engine/sql.ts";

/** Why a merge ended; `switched_off` with the identity job itself. */
export type EndCause = UndoCause | "switched_off";

export interface MergeRow {
  merge_id: string;
  from_device_id: string;
  into_device_id: string;
  at: number;
  reason: string;
  weight: number;
  support: Support[];
  undone_at: number | null;
  undo_cause: EndCause | null;
  undo_reason: string | null;
}

/** Maximum on one device's page. */
const MAX_SHOWN = 100;

/** The active merges, oldest first. */
export async function activeMerges(tx: Tx, tenantId: string): Promise<MergeRow[]> {
  return await tx.rows<MergeRow>(sql`
    select * from device_merge where tenant_id = ${tenantId} and undone_at is null order by at, from_device_id`);
}

/** The pairs (`pairOf`) whose merge was contradicted. */
export async function contradictedPairs(tx: Tx, tenantId: string): Promise<Set<string>> {
  const rows = await tx.rows<{ from_device_id: string; into_device_id: string }>(sql`
    select from_device_id, into_device_id from device_merge
    where tenant_id = ${tenantId} and undo_cause = 'contradicted'`);
  return new Set(rows.map((row) => pairOf(row.from_device_id, row.into_device_id)));
}

/** The merges of these devices, newest first. */
export async function mergesOf(tx: Tx, tenantId: string, deviceIds: readonly string[]): Promise<MergeRow[]> {
  const ids = plainArray(deviceIds);
  return await tx.rows<MergeRow>(sql`
    select * from device_merge where tenant_id = ${tenantId}
      and (from_device_id = any(${ids}::uuid[]) or into_device_id = any(${ids}::uuid[]))
    order by coalesce(undone_at, at) desc, from_device_id desc limit ${MAX_SHOWN}`);
}

type NewMerge = Omit<MergeRow, "undone_at" | "undo_cause" | "undo_reason">;

const MERGE: Column<NewMerge>[] = [
  { name: "merge_id", type: "uuid", of: (merge) => merge.merge_id },
  { name: "from_device_id", type: "uuid", of: (merge) => merge.from_device_id },
  { name: "into_device_id", type: "uuid", of: (merge) => merge.into_device_id },
  { name: "at", type: "timestamptz", of: (merge) => merge.at },
  { name: "reason", type: "text", of: (merge) => merge.reason },
  { name: "weight", type: "double precision", of: (merge) => merge.weight },
  { name: "support", type: "text", cast: "jsonb", of: (merge) => jsonText(merge.support) },
];

export async function insertMerges(tx: Tx, tenantId: string, merges: readonly NewMerge[]): Promise<void> {
  if (merges.length > 0) await tx.run(insertRows("device_merge", tenantId, MERGE, merges));
}

interface EndedMerge {
  mergeId: string;
  cause: EndCause;
  reason: string;
}

const END: Column<EndedMerge>[] = [
  { name: "merge_id", type: "uuid", of: (end) => end.mergeId },
  { name: "undo_cause", type: "text", of: (end) => end.cause },
  { name: "undo_reason", type: "text", of: (end) => end.reason },
];

/** `at` in microseconds. */
export async function endMerges(
  tx: Tx,
  tenantId: string,
  ends: readonly EndedMerge[],
  at: number,
): Promise<void> {
  if (ends.length === 0) return;
  await tx.run(sql`
    update device_merge m
    set undone_at = ${
    timestampLiteral(at)
  }::timestamptz, undo_cause = u.undo_cause, undo_reason = u.undo_reason
    from ${relation(END, ends)} where m.tenant_id = ${tenantId} and m.merge_id = u.merge_id`);
}

/** A device with the properties that merging needs. */
export interface MergeSide {
  device_id: string;
  display_name: string;
  merged_into: string | null;
  /** Whether a person has edited it. */
  confirmed: boolean;
  revision: number;
}

/** Locks these devices until the transaction ends. */
export async function lockDevices(
  tx: Tx,
  tenantId: string,
  deviceIds: Iterable<string>,
): Promise<Map<string, MergeSide>> {
  const ids = [...new Set(deviceIds)];
  const rows = await tx.rows<MergeSide>(sql`
    select device_id, display_name, merged_into, revision, classification_source = 'human_confirmed' as confirmed
    from device where tenant_id = ${tenantId} and device_id = any(${plainArray(ids)}::uuid[])
    order by device_id for update`);
  return new Map(rows.map((row) => [row.device_id, row]));
}

const SHOWN: Column<MergeSide>[] = [
  { name: "device_id", type: "uuid", of: (side) => side.device_id },
  { name: "merged_into", type: "uuid", of: (side) => side.merged_into },
  { name: "revision", type: "integer", of: (side) => side.revision },
];

/** Sets these devices' survivors and revisions. */
export async function writeSides(tx: Tx, tenantId: string, sides: readonly MergeSide[]): Promise<void> {
  if (sides.length === 0) return;
  await tx.run(sql`
    update device d set merged_into = u.merged_into, revision = u.revision
    from ${relation(SHOWN, sides)} where d.tenant_id = ${tenantId} and d.device_id = u.device_id`);
}
