import { MAX_HISTORY, type WorkflowEntry } from "../../contract/device/device.ts";
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

/** The newest entries of an object's history, oldest first. */
export async function readHistory(tx: Tx, tenantId: string, objectId: string): Promise<HistoryEntry[]> {
  return (await readHistories(tx, tenantId, [objectId])).get(objectId) ?? [];
}

/** Histories of several objects, each with its newest entries, oldest first; objects without one are left out. */
export async function readHistories(
  tx: Tx,
  tenantId: string,
  objectIds: readonly string[],
): Promise<Map<string, HistoryEntry[]>> {
  if (objectIds.length === 0) return new Map();
  const rows = await tx.rows<HistoryEntry & { object_id: string }>(sql`
    select h.object_id, h.at, h.actor, h.action, h.from_value as from, h.to_value as to, h.comment, h.revision
    from unnest(${plainArray(objectIds)}::uuid[]) as u (object_id) cross join lateral (
      select * from workflow_history where tenant_id = ${tenantId} and object_id = u.object_id
      order by entry_no desc limit ${MAX_HISTORY}
    ) h
    order by h.object_id, h.entry_no`);
  const histories = new Map<string, HistoryEntry[]>();
  for (const { object_id: id, ...entry } of rows) {
    const history = histories.get(id) ?? [];
    history.push(entry);
    histories.set(id, history);
  }
  return histories;
}
