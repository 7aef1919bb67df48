import { hash64 } from "../../kit/hash64.ts";
import { binaryArray } from "../engine/postgres/binary-array.ts";
import type { Tx } from "../engine/database.ts";
import { timestampLiteral } from "../engine/literals.ts";
import { type Column, relation } from "../engine/rows.ts";
import { sql } from "../engine/sql.ts";

interface StateKey {
  /** Id of the state type. */
  typeId: number;
  keyHash: bigint;
}

/** A detector's state as it is stored; the hash stands for its key. */
export interface StoredState extends StateKey {
  state: Uint8Array;
}

export function stateKeyHash(key: string): bigint {
  return hash64(key);
}

/** Whether the tenant has any states. A new tenant has none, and needs no lookups. */
export async function hasStates(tx: Tx, tenantId: string): Promise<boolean> {
  const rows = await tx.rows(sql`select 1 from detector_state where tenant_id = ${tenantId} limit 1`);
  return rows.length > 0;
}

export async function readStates(
  tx: Tx,
  tenantId: string,
  keys: readonly StateKey[],
): Promise<StoredState[]> {
  if (keys.length === 0) return [];
  // The limit forces one index lookup per key: otherwise the planner reads the whole table for a few hundred
  // keys.
  const rows = await tx.rows<{ state_type: number; key_hash: bigint; state: Uint8Array }>(sql`
    select s.state_type, s.key_hash, s.state
    from (select unnest(${binaryArray("smallint", keys.map((key) => key.typeId))}::smallint[]) as state_type,
                 unnest(${binaryArray("bigint", keys.map((key) => key.keyHash))}::bigint[]) as key_hash) as u
    cross join lateral (
      select state_type, key_hash, state from detector_state
      where tenant_id = ${tenantId} and state_type = u.state_type and key_hash = u.key_hash limit 1
    ) s`);
  return rows.map((row) => ({ typeId: row.state_type, keyHash: BigInt(row.key_hash), state: row.state }));
}

const STATE: Column<StoredState>[] = [
  { name: "state_type", type: "smallint", of: (row) => row.typeId },
  { name: "key_hash", type: "bigint", of: (row) => row.keyHash },
  { name: "state", type: "bytea", of: (row) => row.state },
];

/** Upserts states, each key at most once. The transaction must move the pipeline's cursor or hold its row. */
export async function saveStates(tx: Tx, tenantId: string, rows: readonly StoredState[]): Promise<void> {
  if (rows.length === 0) return;
  // In key order, one index page serves many rows: halves the time for a million states.
  await tx.run(sql`
    insert into detector_state (tenant_id, state_type, key_hash, state)
    select ${tenantId}, u.state_type, u.key_hash, u.state from ${relation(STATE, rows)}
    order by u.state_type, u.key_hash
    on conflict (tenant_id, state_type, key_hash) do update set updated_at = now(), state = excluded.state`);
}

/** Deletes states of a type that were last changed before `before` (microseconds). */
export async function expireStates(tx: Tx, tenantId: string, typeId: number, before: number): Promise<void> {
  await tx.run(sql`
    delete from detector_state where tenant_id = ${tenantId} and state_type = ${typeId}
      and updated_at < ${timestampLiteral(before)}::timestamptz`);
}
