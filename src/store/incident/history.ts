import type { WorkflowEntry } from "../../contract/device/device.ts";
import type { Tx } from "../engine/database.ts";
import { plainArray, timestampLiteral } from "../engine/literals.ts";
import { sql } from "../engine/sql.ts";

/** An entry as in the API, with `at` in microseconds. */
export type HistoryEntry = Omit<WorkflowEntry, "at"> & { at: number };

export async function addHistory(
  tx: Tx,
  tenantId: string,
  objectId: string,
  entry: HistoryEntry,
): Promise<void> {
  await tx.run(sql`
    insert into workflow_history
      (tenant_id, object_id, entry_no, at, actor, action, from_value, to_value, comment, revision)
    select ${tenantId}, ${objectId}::uuid,
      coalesce((select max(entry_no) from workflow_history
        where tenant_id = ${tenantId} and object_id = ${objectId}::uuid), 0) + 1,
      ${timestampLiteral(entry.at)}::timestamptz, ${entry.actor}, ${entry.action}, ${entry.from}, ${entry.to},
      ${entry.comment}, ${entry.revision}`);
}

/** Oldest first. */
export async function readHistory(tx: Tx, tenantId: string, objectId: string): Promise<HistoryEntry[]> {
  return await tx.rows<HistoryEntry>(sql`
    select at, actor, action, from_value as from, to_value as to, comment, revision
    from workflow_history where tenant_id = ${tenantId} and object_id = ${objectId}::uuid order by entry_no`);
}

/** Histories of several objects, each oldest first; objects without one are left out. */
export async function readHistories(
  tx: Tx,
  tenantId: string,
  objectIds: readonly string[],
): Promise<Map<string, HistoryEntry[]>> {
  if (objectIds.length === 0) return new Map();
  const rows = await tx.rows<HistoryEntry & { object_id: string }>(sql`
    select object_id, at, actor, action, from_value as from, to_value as to, comment, revision
    from workflow_history where tenant_id = ${tenantId} and object_id = any(${plainArray(objectIds)}::uuid[])
    order by object_id, entry_no`);
  const histories = new Map<string, HistoryEntry[]>();
  for (const { object_id: id, ...entry } of rows) {
    const history = histories.get(id) ?? [];
    history.push(entry);
    histories.set(id, history);
  }
  return histories;
}
