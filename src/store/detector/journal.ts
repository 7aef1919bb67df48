// States that rounds changed and that `detector_state` does not have yet: one row per round. The newest state
// of a key is in the newest row that has it, else in the table.
//
//     version · states × (type id, 2 bytes · hash of the key, 8 · length, 4 · bytes)

import type { Tx } from "../engine/database.ts";
import { saveStates, type StoredState } from "./state.ts";
import { prepared, sql } from "../engine/sql.ts";

const VERSION = 1;
const HEAD_BYTES = 14;

/** What a round changed in the detectors' states. */
export interface StateChanges {
  /** The newest batch of the round. */
  batchNo: number;
  /** The changed states, packed; null if there are none. */
  journal: Uint8Array | null;
  /** States that go to the table now; none of them is in `journal`. */
  flushed: readonly StoredState[];
  /** Rows up to this batch are deleted: their states are flushed, or in a newer row. Null deletes none. */
  trimmed: number | null;
}

export function packStates(rows: readonly StoredState[]): Uint8Array {
  let size = 1;
  for (const { state } of rows) size += HEAD_BYTES + state.length;
  const body = new Uint8Array(size);
  const view = new DataView(body.buffer);
  body[0] = VERSION;
  let at = 1;
  for (const { typeId, keyHash, state } of rows) {
    view.setInt16(at, typeId);
    view.setBigInt64(at + 2, keyHash);
    view.setUint32(at + 10, state.length);
    body.set(state, at + HEAD_BYTES);
    at += HEAD_BYTES + state.length;
  }
  return body;
}

/** @throws RangeError for bytes that `packStates` did not write */
export function unpackStates(body: Uint8Array): StoredState[] {
  const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
  if (view.getUint8(0) !== VERSION) throw new RangeError(`detector journal: version ${body[0]}`);
  const rows: StoredState[] = [];
  for (let at = 1; at < body.length;) {
    const end = at + HEAD_BYTES + view.getUint32(at + 10);
    if (end > body.length) throw new RangeError("detector journal: expected more bytes");
    const state = body.subarray(at + HEAD_BYTES, end);
    rows.push({ typeId: view.getInt16(at), keyHash: view.getBigInt64(at + 2), state });
    at = end;
  }
  return rows;
}

/** Writes a round's changes, in the transaction that moves the cursor. */
export async function writeStateChanges(tx: Tx, tenantId: string, changes: StateChanges): Promise<void> {
  const { batchNo, journal, flushed, trimmed } = changes;
  const writes = [saveStates(tx, tenantId, flushed)];
  if (trimmed !== null) {
    const old =
      sql`delete from detector_journal where tenant_id = ${tenantId} and batch_no <= ${trimmed}::bigint`;
    writes.push(tx.run(old).then(() => {}));
  }
  if (journal !== null) {
    const row = sql`
      insert into detector_journal (tenant_id, batch_no, body) values (${tenantId}, ${batchNo}::bigint, ${journal})`;
    writes.push(tx.run(prepared("write_journal", row)).then(() => {}));
  }
  await Promise.all(writes);
}

/**
 * Moves all journalled states to `detector_state` and empties the journal. A running pipeline is not
 * disturbed: states that it still counts as journalled are flushed once more later, unchanged or newer.
 */
export async function flushJournal(tx: Tx, tenantId: string): Promise<void> {
  const some = await tx.rows(sql`select 1 from detector_journal where tenant_id = ${tenantId} limit 1`);
  if (some.length === 0) return;
  // The lock on the cursor's row keeps other writers out and makes everything written before visible.
  await tx.rows(sql`select 1 from pipeline_cursor where tenant_id = ${tenantId} for update`);
  const rows = await tx.rows<{ batch_no: number }>(sql`
    select batch_no from detector_journal where tenant_id = ${tenantId} order by batch_no desc`);
  const seen = new Set<string>();
  for (const { batch_no } of rows) {
    // One row at a time: all of them may be as large as everything a core caches for a tenant.
    const [row] = await tx.rows<{ body: Uint8Array }>(sql`
      select body from detector_journal where tenant_id = ${tenantId} and batch_no = ${batch_no}::bigint`);
    const newest = unpackStates(row!.body).filter(({ typeId, keyHash }) =>
      seen.size < seen.add(`${typeId} ${keyHash}`).size
    );
    await saveStates(tx, tenantId, newest);
  }
  await tx.run(sql`delete from detector_journal where tenant_id = ${tenantId}`);
}
