import { randomBytes } from "node:crypto";
import type { TrustClass } from "../../contract/record/kinds.ts";
import type { Database, Tx } from "../engine/database.ts";
import { plainArray, timestampLiteral } from "../engine/literals.ts";
import { KEY_COLUMNS, type PackedBatch, RECORD_COLUMNS, REJECTION_COLUMNS } from "./packed-batch.ts";
import { relationOf } from "../engine/rows.ts";
import { errorCode } from "../engine/retry.ts";
import { type Sql, sql } from "../engine/sql.ts";

const UNIQUE_VIOLATION = "23505";

/** One request of a sensor as it is stored. */
export interface IncomingBatch {
  tenantId: string;
  sensorId: string;
  trust: TrustClass;
  /** The server's clock, microseconds. */
  receivedAt: number;
  content: PackedBatch;
}

/** What a commit changed, as the sender is answered. */
export interface CommittedBatch {
  /** Null if the store already has everything. */
  batchNo: number | null;
  accepted: number;
  duplicates: number;
  rejected: number;
  committedAt: number;
}

/**
 * Stores a request's records and rejected lines in one transaction and resolves after COMMIT. Records that
 * are already stored, or repeated in the batch, count as duplicates; a retry stores nothing twice.
 *
 * @param expectKnown False if probably no record is stored already: inserting without conflict handling takes
 *   the database a third less time. If one is stored after all, the transaction is repeated.
 * @throws StoreUnavailable if the store cannot commit; nothing of the batch is stored then.
 */
export async function commitBatch(
  db: Database,
  batch: IncomingBatch,
  expectKnown = true,
): Promise<CommittedBatch> {
  if (expectKnown) return await commit(db, batch, sql`on conflict do nothing`);
  try {
    return await commit(db, batch, sql``);
  } catch (error) {
    if (errorCode(error) !== UNIQUE_VIOLATION) throw error;
    return await commit(db, batch, sql`on conflict do nothing`);
  }
}

async function commit(db: Database, batch: IncomingBatch, onKnown: Sql): Promise<CommittedBatch> {
  const { content } = batch;
  const blockId = randomBytes(8).readBigInt64BE();
  const { batchNo, accepted } = await db.tenant(batch.tenantId, async (tx) => {
    const positions = content.distinct === 0 ? [] : await insertRecords(tx, batch, blockId, onKnown);
    if (positions.length > 0) await insertBlock(tx, batch, blockId);
    const newlyRejected = await insertRejected(tx, batch);
    const isNew = positions.length > 0 || newlyRejected > 0;
    const batchNo = isNew
      ? await numberBatch(tx, batch, {
        positions,
        blockId: positions.length > 0 ? blockId : null,
        newlyRejected,
      })
      : null;
    return { batchNo, accepted: positions.length };
  });
  return {
    batchNo,
    accepted,
    duplicates: content.records - accepted,
    rejected: content.rejected.count,
    committedAt: Date.now() * 1000,
  };
}

/** Returns the block positions of the new records, ascending. */
async function insertRecords(
  tx: Tx,
  batch: IncomingBatch,
  blockId: bigint,
  onKnown: Sql,
): Promise<number[]> {
  const { columns, distinct } = batch.content;
  const inserted = await tx.run(sql`
    insert into raw_record (tenant_id, observed_at, event_id, sensor_id, kind, received_at, parse_status,
      parse_reason, block_id, position)
    select ${batch.tenantId}, u.observed_at, u.event_id,
      ${batch.sensorId}, u.kind, ${timestampLiteral(batch.receivedAt)}::timestamptz,
      case when u.reason is null then 'parsed' else 'unparsed' end, u.reason, ${blockId}::bigint, u.position
    from ${relationOf(RECORD_COLUMNS, columns)}
    ${onKnown}`);
  if (inserted === distinct) return Array.from({ length: distinct }, (_, position) => position);
  if (inserted === 0) return [];
  return await newPositions(tx, batch, blockId);
}

/** The new records of a partly known batch: those whose row refers to this block. */
async function newPositions(tx: Tx, batch: IncomingBatch, blockId: bigint): Promise<number[]> {
  const keys = batch.content.columns.slice(0, KEY_COLUMNS.length);
  const rows = await tx.rows<{ position: number }>(sql`
    select stored.position
    from ${relationOf(KEY_COLUMNS, keys)}
    join raw_record stored on stored.tenant_id = ${batch.tenantId} and stored.observed_at = u.observed_at
      and stored.event_id = u.event_id
    where stored.block_id = ${blockId}::bigint
    order by 1`);
  return rows.map((row) => row.position);
}

async function insertBlock(tx: Tx, batch: IncomingBatch, blockId: bigint): Promise<void> {
  const { block, distinct } = batch.content;
  await tx.run(sql`
    insert into raw_block (tenant_id, received_at, block_id, sensor_id, record_count, body)
    values (${batch.tenantId}, ${timestampLiteral(batch.receivedAt)}::timestamptz, ${blockId}::bigint,
      ${batch.sensorId}, ${distinct}, ${block})`);
}

/** Returns how many of the rejected lines were not stored yet. */
async function insertRejected(tx: Tx, batch: IncomingBatch): Promise<number> {
  const { count, columns } = batch.content.rejected;
  if (count === 0) return 0;
  return await tx.run(sql`
    insert into rejected_line (tenant_id, sensor_id, received_at, line_hash, kind, reason, line, line_bytes)
    select ${batch.tenantId}, ${batch.sensorId}, ${timestampLiteral(batch.receivedAt)}::timestamptz, u.*
    from ${relationOf(REJECTION_COLUMNS, columns)}
    on conflict do nothing`);
}

/**
 * Takes the next batch number. Must be the last statement before COMMIT, so that a reader of number n sees
 * all lower numbers. A stored receipt far ahead of this one dates from before the server's clock was set
 * back; it is replaced, because it would hide that the sensor falls silent.
 */
async function numberBatch(
  tx: Tx,
  batch: IncomingBatch,
  { positions, blockId, newlyRejected }: {
    /** New records. */
    positions: readonly number[];
    /** Null without new records. */
    blockId: bigint | null;
    /** Lines that a retry repeats are not counted again. */
    newlyRejected: number;
  },
): Promise<number> {
  const { unparsed, distinct } = batch.content;
  const refused = new Set(unparsed);
  const parsed = positions.filter((position) => !refused.has(position));
  const taken = parsed.length === distinct ? null : parsed;
  const receivedAt = timestampLiteral(batch.receivedAt);
  const [numbered] = await tx.rows<{ batch_no: number }>(sql`
    with receipt as (
      insert into sensor_receipt (tenant_id, sensor_id, last_event_at)
      select ${batch.tenantId}, ${batch.sensorId}, ${receivedAt}::timestamptz where ${positions.length} > 0
      on conflict (tenant_id, sensor_id) do update
        set last_event_at = case
          when sensor_receipt.last_event_at > excluded.last_event_at + interval '10 minutes' then excluded.last_event_at
          else greatest(sensor_receipt.last_event_at, excluded.last_event_at) end
    ), next as (
      insert into tenant_counter (tenant_id, batch_no) values (${batch.tenantId}, 1)
      on conflict (tenant_id) do update set batch_no = tenant_counter.batch_no + 1
      returning batch_no
    )
    insert into raw_batch (tenant_id, batch_no, received_at, sensor_id, trust, block_id, positions, accepted, unparsed,
      rejected)
    select ${batch.tenantId}, next.batch_no, ${receivedAt}::timestamptz, ${batch.sensorId}, ${batch.trust},
      ${blockId}::bigint, ${taken === null ? null : plainArray(taken)}::smallint[],
      ${positions.length}, ${positions.length - parsed.length}, ${newlyRejected}
    from next
    returning batch_no`);
  return numbered!.batch_no;
}

/** Checks that a writing transaction can commit for this tenant; throws otherwise. */
export async function canCommit(db: Database, tenantId: string): Promise<boolean> {
  await db.tenant(tenantId, (tx) =>
    tx.run(sql`
      insert into tenant_counter (tenant_id) values (${tenantId})
      on conflict (tenant_id) do update set batch_no = tenant_counter.batch_no`));
  return true;
}
