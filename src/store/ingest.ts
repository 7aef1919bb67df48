import { Buffer } from "node:buffer";
import { randomBytes } from "node:crypto";
import type { TrustClass } from "../contract/kinds.ts";
import { encodeBlock } from "./block.ts";
import type { BlockRecord } from "./block.ts";
import type { Database, Tx } from "./database.ts";
import { plainArray, timestampLiteral } from "./literals.ts";
import { type Column, relation } from "./rows.ts";
import { sql } from "./sql.ts";

/** One checked record on its way into the store. */
export interface IncomingRecord extends BlockRecord {
  /** Microseconds since the epoch. */
  observedAt: number;
  /** Why it cannot be normalised; null when it can. */
  unparsed: string | null;
}

/** A line that is no record, kept as it came. */
export interface IncomingRejection {
  /** SHA-256 of the line's bytes. */
  lineHash: Uint8Array;
  reason: string;
  line: Uint8Array;
}

export interface IncomingBatch {
  tenantId: string;
  sensorId: string;
  trust: TrustClass;
  /** The server's own time. */
  receivedAt: number;
  records: readonly IncomingRecord[];
  rejected: readonly IncomingRejection[];
}

export interface CommittedBatch {
  accepted: number;
  duplicates: number;
  rejected: number;
  committedAt: number;
}

/**
 * Stores a request's records and rejected lines in one transaction and resolves after COMMIT. A record that is
 * there already, or twice in the batch, counts as duplicate; nothing is doubled by a retry.
 *
 * @throws StoreUnavailable when the store cannot commit; nothing of the batch is stored then.
 */
export async function commitBatch(db: Database, batch: IncomingBatch): Promise<CommittedBatch> {
  const unique = distinctRecords(batch.records);
  const block = unique.length === 0 ? null : {
    id: randomBytes(8).readBigInt64BE(),
    body: encodeBlock(unique.map((entry) => entry.record)),
  };
  const accepted = await db.tenant(batch.tenantId, async (tx) => {
    const positions = block ? await insertRecords(tx, batch, unique, block.id) : [];
    if (block && positions.length > 0) await insertBlock(tx, batch, block, unique.length);
    if (batch.rejected.length > 0) await insertRejected(tx, batch);
    if (positions.length > 0 || batch.rejected.length > 0) {
      await numberBatch(tx, batch, unique, positions, positions.length > 0 ? block!.id : null);
    }
    return positions.length;
  });
  return {
    accepted,
    duplicates: batch.records.length - accepted,
    rejected: batch.rejected.length,
    committedAt: Date.now() * 1000,
  };
}

interface Positioned {
  record: IncomingRecord;
  /** Place in the block. */
  position: number;
}

/** In the order of arrival, the first of equal records only. */
function distinctRecords(records: readonly IncomingRecord[]): Positioned[] {
  const seen = new Set<string>();
  const unique: Positioned[] = [];
  for (const record of records) {
    const key = Buffer.from(record.eventId.buffer, record.eventId.byteOffset, record.eventId.length).toString(
      "latin1",
    );
    if (seen.has(key)) continue;
    seen.add(key);
    unique.push({ record, position: unique.length });
  }
  return unique;
}

const RECORD_KEY: Column<Positioned>[] = [
  { name: "observed_at", type: "timestamptz", of: (entry) => entry.record.observedAt },
  { name: "event_id", type: "bytea", of: (entry) => entry.record.eventId },
];
const RECORD: Column<Positioned>[] = [
  ...RECORD_KEY,
  { name: "kind", type: "text", of: (entry) => entry.record.kind },
  { name: "reason", type: "text", of: (entry) => entry.record.unparsed },
  { name: "position", type: "smallint", of: (entry) => entry.position },
];

/** Inserts in key order: two batches that share keys then lock them in the same order. Returns the new positions. */
async function insertRecords(
  tx: Tx,
  batch: IncomingBatch,
  unique: readonly Positioned[],
  blockId: bigint,
): Promise<number[]> {
  const sorted = [...unique].sort((a, b) =>
    a.record.observedAt - b.record.observedAt || Buffer.compare(a.record.eventId, b.record.eventId)
  );
  const inserted = await tx.run(sql`
    insert into raw_record (tenant_id, observed_at, event_id, sensor_id, kind, received_at, parse_status,
      parse_reason, block_id, position)
    select ${batch.tenantId}, u.observed_at, u.event_id,
      ${batch.sensorId}, u.kind, ${timestampLiteral(batch.receivedAt)}::timestamptz,
      case when u.reason is null then 'parsed' else 'unparsed' end, u.reason, ${blockId}::bigint, u.position
    from ${relation(RECORD, sorted)}
    on conflict do nothing`);
  if (inserted === unique.length) return unique.map((entry) => entry.position);
  if (inserted === 0) return [];
  return await newPositions(tx, batch, sorted, blockId);
}

/** Which records of a partly known batch were new: those whose row names this block. */
async function newPositions(
  tx: Tx,
  batch: IncomingBatch,
  sorted: readonly Positioned[],
  blockId: bigint,
): Promise<number[]> {
  const rows = await tx.rows<{ position: number }>(sql`
    select stored.position
    from ${relation(RECORD_KEY, sorted)}
    join raw_record stored on stored.tenant_id = ${batch.tenantId} and stored.observed_at = u.observed_at
      and stored.event_id = u.event_id
    where stored.block_id = ${blockId}::bigint
    order by 1`);
  return rows.map((row) => row.position);
}

async function insertBlock(
  tx: Tx,
  batch: IncomingBatch,
  block: { id: bigint; body: Uint8Array },
  recordCount: number,
): Promise<void> {
  await tx.run(sql`
    insert into raw_block (tenant_id, received_at, block_id, sensor_id, record_count, body)
    values (${batch.tenantId}, ${timestampLiteral(batch.receivedAt)}::timestamptz, ${block.id}::bigint,
      ${batch.sensorId}, ${recordCount}, ${Buffer.from(block.body)})`);
}

async function insertRejected(tx: Tx, batch: IncomingBatch): Promise<void> {
  const sorted = [...batch.rejected].sort((a, b) => Buffer.compare(a.lineHash, b.lineHash));
  for (const rejection of sorted) {
    await tx.run(sql`
      insert into rejected_line (tenant_id, sensor_id, line_hash, reason, received_at, line)
      values (${batch.tenantId}, ${batch.sensorId}, ${Buffer.from(rejection.lineHash)}, ${rejection.reason},
        ${timestampLiteral(batch.receivedAt)}::timestamptz, ${Buffer.from(rejection.line)})
      on conflict do nothing`);
  }
}

/** The last statement before COMMIT: whoever reads number n then knows that all numbers below it are visible. */
async function numberBatch(
  tx: Tx,
  batch: IncomingBatch,
  unique: readonly Positioned[],
  positions: readonly number[],
  blockId: bigint | null,
): Promise<void> {
  const parsed = positions.filter((position) => unique[position]!.record.unparsed === null);
  const receivedAt = timestampLiteral(batch.receivedAt);
  await tx.run(sql`
    with receipt as (
      insert into sensor_receipt (tenant_id, sensor_id, last_event_at)
      select ${batch.tenantId}, ${batch.sensorId}, ${receivedAt}::timestamptz where ${positions.length} > 0
      on conflict (tenant_id, sensor_id) do update
        set last_event_at = greatest(sensor_receipt.last_event_at, excluded.last_event_at)
    ), next as (
      insert into tenant_counter (tenant_id, batch_no) values (${batch.tenantId}, 1)
      on conflict (tenant_id) do update set batch_no = tenant_counter.batch_no + 1
      returning batch_no
    )
    insert into raw_batch (tenant_id, batch_no, received_at, sensor_id, trust, block_id, positions, accepted, unparsed,
      rejected)
    select ${batch.tenantId}, next.batch_no, ${receivedAt}::timestamptz, ${batch.sensorId}, ${batch.trust},
      ${blockId}::bigint, ${parsed.length === unique.length ? null : plainArray(parsed)}::smallint[],
      ${positions.length}, ${positions.length - parsed.length}, ${batch.rejected.length}
    from next`);
}

/** True when a transaction that writes can commit for this tenant. */
export async function canCommit(db: Database, tenantId: string): Promise<boolean> {
  await db.tenant(tenantId, (tx) =>
    tx.run(sql`
      insert into tenant_counter (tenant_id) values (${tenantId})
      on conflict (tenant_id) do update set batch_no = tenant_counter.batch_no`));
  return true;
}
