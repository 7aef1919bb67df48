// What rounds have changed of what detectors remember, before `detector_memory` is told of it: one row a round. A key's newest
// state is in the newest row that has it, else in the table.
//
//     version · states × (memory, 2 bytes · hash of the key, 8 · length, 4 · bytes)

import type { Tx } from "../engine/database.ts";
import { type StoredMemory, storeMemories } from "./memory.ts";
import { planKept, sql } from "../engine/sql.ts";

const VERSION = 1;
const HEAD_BYTES = 14;

/** What a round leaves behind of its memories. */
export interface MemoryChanges {
  /** The newest batch of the round. */
  batchNo: number;
  /** What it has changed, packed; null where that is nothing. */
  journal: Uint8Array | null;
  /** What the table is told of now; none of it is in `journal`. */
  settled: readonly StoredMemory[];
  /** Every state in rows up to this one is settled, or in a newer row; null where no row goes. */
  trimmed: number | null;
}

export function packStates(rows: readonly StoredMemory[]): Uint8Array {
  let size = 1;
  for (const { state } of rows) size += HEAD_BYTES + state.length;
  const body = new Uint8Array(size);
  const view = new DataView(body.buffer);
  body[0] = VERSION;
  let at = 1;
  for (const { memory, keyHash, state } of rows) {
    view.setInt16(at, memory);
    view.setBigInt64(at + 2, keyHash);
    view.setUint32(at + 10, state.length);
    body.set(state, at + HEAD_BYTES);
    at += HEAD_BYTES + state.length;
  }
  return body;
}

/** @throws RangeError for bytes that `packStates` did not write */
export function unpackStates(body: Uint8Array): StoredMemory[] {
  const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
  if (view.getUint8(0) !== VERSION) throw new RangeError(`detector journal: version ${body[0]}`);
  const rows: StoredMemory[] = [];
  for (let at = 1; at < body.length;) {
    const end = at + HEAD_BYTES + view.getUint32(at + 10);
    if (end > body.length) throw new RangeError("detector journal: expected more bytes");
    const state = body.subarray(at + HEAD_BYTES, end);
    rows.push({ memory: view.getInt16(at), keyHash: view.getBigInt64(at + 2), state });
    at = end;
  }
  return rows;
}

/** Writes what a round has changed, in the transaction that moves the cursor. */
export async function writeMemories(tx: Tx, tenantId: string, changes: MemoryChanges): Promise<void> {
  const { batchNo, journal, settled, trimmed } = changes;
  const writes = [storeMemories(tx, tenantId, settled)];
  if (trimmed !== null) {
    const old =
      sql`delete from detector_journal where tenant_id = ${tenantId} and batch_no <= ${trimmed}::bigint`;
    writes.push(tx.run(old).then(() => {}));
  }
  if (journal !== null) {
    const row = sql`
      insert into detector_journal (tenant_id, batch_no, body) values (${tenantId}, ${batchNo}::bigint, ${journal})`;
    writes.push(tx.run(planKept("write_journal", row)).then(() => {}));
  }
  await Promise.all(writes);
}

/**
 * Tells `detector_memory` of all that is in the journal, and empties it. Whoever writes the journal may go on: what it takes to
 * be in there is settled once more, with the same states or newer ones.
 */
export async function settleJournal(tx: Tx, tenantId: string): Promise<void> {
  const some = await tx.rows(sql`select 1 from detector_journal where tenant_id = ${tenantId} limit 1`);
  if (some.length === 0) return;
  // Nobody else writes as long as the cursor's row is held, and what has been written is seen from here on.
  await tx.rows(sql`select 1 from pipeline_cursor where tenant_id = ${tenantId} for update`);
  const rows = await tx.rows<{ batch_no: number }>(sql`
    select batch_no from detector_journal where tenant_id = ${tenantId} order by batch_no desc`);
  const seen = new Set<string>();
  for (const { batch_no } of rows) {
    // One by one: together they may be as large as all that a core keeps of a tenant.
    const [row] = await tx.rows<{ body: Uint8Array }>(sql`
      select body from detector_journal where tenant_id = ${tenantId} and batch_no = ${batch_no}::bigint`);
    const newest = unpackStates(row!.body).filter(({ memory, keyHash }) =>
      seen.size < seen.add(`${memory} ${keyHash}`).size
    );
    await storeMemories(tx, tenantId, newest);
  }
  await tx.run(sql`delete from detector_journal where tenant_id = ${tenantId}`);
}
