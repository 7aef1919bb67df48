import { hash64 } from "../../kit/hash64.ts";
import { binaryArray } from "../engine/postgres/binary-array.ts";
import type { Tx } from "../engine/database.ts";
import { timestampLiteral } from "../engine/literals.ts";
import { type Column, relation } from "../engine/rows.ts";
import { sql } from "../engine/sql.ts";

/** A detector's state as it is stored; the hash stands for its key. */
export interface StoredMemory {
  memory: number;
  keyHash: bigint;
  state: Uint8Array;
}

interface MemoryKey {
  memory: number;
  keyHash: bigint;
}

export function memoryKeyHash(key: string): bigint {
  return hash64(key);
}

/** Whether the tenant has any: a new tenant has not, and then nothing need be looked for. */
export async function hasMemories(tx: Tx, tenantId: string): Promise<boolean> {
  const rows = await tx.rows(sql`select 1 from detector_memory where tenant_id = ${tenantId} limit 1`);
  return rows.length > 0;
}

export async function readMemories(
  tx: Tx,
  tenantId: string,
  keys: readonly MemoryKey[],
): Promise<StoredMemory[]> {
  if (keys.length === 0) return [];
  // One look into the index for each key: left to itself the planner reads the whole table for some hundreds of them.
  const rows = await tx.rows<{ memory: number; key_hash: bigint; state: Uint8Array }>(sql`
    select m.memory, m.key_hash, m.state
    from (select unnest(${binaryArray("smallint", keys.map((key) => key.memory))}::smallint[]) as memory,
                 unnest(${binaryArray("bigint", keys.map((key) => key.keyHash))}::bigint[]) as key_hash) as u
    cross join lateral (
      select memory, key_hash, state from detector_memory
      where tenant_id = ${tenantId} and memory = u.memory and key_hash = u.key_hash limit 1
    ) m`);
  return rows.map((row) => ({ memory: row.memory, keyHash: BigInt(row.key_hash), state: row.state }));
}

const MEMORY: Column<StoredMemory>[] = [
  { name: "memory", type: "smallint", of: (row) => row.memory },
  { name: "key_hash", type: "bigint", of: (row) => row.keyHash },
  { name: "state", type: "bytea", of: (row) => row.state },
];

/** Each key at most once. Only whoever moves the cursor, or holds its row, may write. */
export async function storeMemories(tx: Tx, tenantId: string, rows: readonly StoredMemory[]): Promise<void> {
  if (rows.length === 0) return;
  // In the order of the key one page of the index serves many rows: of a million states it takes half the time.
  await tx.run(sql`
    insert into detector_memory (tenant_id, memory, key_hash, state)
    select ${tenantId}, u.memory, u.key_hash, u.state from ${relation(MEMORY, rows)}
    order by u.memory, u.key_hash
    on conflict (tenant_id, memory, key_hash) do update set updated_at = now(), state = excluded.state`);
}

/** Forgets what has not changed since `before` (microseconds). */
export async function expireMemories(
  tx: Tx,
  tenantId: string,
  memory: number,
  before: number,
): Promise<void> {
  await tx.run(sql`
    delete from detector_memory where tenant_id = ${tenantId} and memory = ${memory}
      and updated_at < ${timestampLiteral(before)}::timestamptz`);
}
