import type { TrustClass } from "../../contract/record/kinds.ts";
import type { Tx } from "../engine/database.ts";
import { timestampLiteral } from "../engine/literals.ts";
import { prepared, sql } from "../engine/sql.ts";

export interface Cursor {
  batchNo: number;
  /** Duration of the tenant's longest flow in microseconds: how far back a joining flow can begin. */
  longestFlow: number;
  /** Earliest start of any flow, in microseconds; null before the first. */
  historySince: number | null;
  /** Latest end of any flow, deleted ones included, in microseconds; null before the first. */
  latestEnd: number | null;
}

/** A committed batch that the pipeline has not processed. */
export interface PendingBatch {
  batch_no: number;
  received_at: number;
  sensor_id: string;
  trust: TrustClass;
  block_id: bigint | number | null;
  /** Positions in the block to process; null for all. */
  positions: number[] | null;
  /** Number of records, including those that are not processed. */
  accepted: number;
  /** Null if nothing was accepted, or retention has dropped the block. */
  body: Uint8Array | null;
}

export async function readCursor(tx: Tx, tenantId: string): Promise<Cursor> {
  const [row] = await tx.rows<
    { batch_no: number; longest_flow: number; history_since: number | null; latest_end: number | null }
  >(
    sql`select batch_no, longest_flow, history_since, latest_end from pipeline_cursor where tenant_id = ${tenantId}`,
  );
  if (!row) return { batchNo: 0, longestFlow: 0, historySince: null, latestEnd: null };
  const { batch_no: batchNo, longest_flow: longestFlow, history_since: historySince } = row;
  return {
    batchNo,
    longestFlow,
    historySince,
    // Null until the first round of a tenant that has flows.
    latestEnd: row.latest_end ?? await endOfStored(tx, tenantId, longestFlow),
  };
}

/**
 * Upper bound of the ends of all stored flows, none longer than `longestFlow` (microseconds); null without
 * flows. A flow contains its anchor, whose millisecond is the first part of its id.
 */
export async function endOfStored(tx: Tx, tenantId: string, longestFlow: number): Promise<number | null> {
  const rows = await tx.rows<{ anchor_at: number }>(
    sql`select anchor_at from flow where tenant_id = ${tenantId} order by flow_id desc limit 1`,
  );
  return rows.length === 0 ? null : rows[0]!.anchor_at + longestFlow;
}

/** Size of a round: at most `batches`, and no further batch once there are `records`. */
export interface RoundSize {
  batches: number;
  records: number;
}

/** The next batches in order; at least one if there is any. */
export async function pendingBatches(
  tx: Tx,
  tenantId: string,
  after: number,
  size: RoundSize,
): Promise<PendingBatch[]> {
  // Polled constantly, mostly without result. The limit makes each block a lookup in its one partition.
  return await tx.rows<PendingBatch>(prepared(
    "pending_batches",
    sql`
    select b.batch_no, b.received_at, b.sensor_id, b.trust, b.block_id, b.positions, b.accepted, k.body
    from (
      select *, sum(accepted) over (order by batch_no) - accepted as records_before from (
        select * from raw_batch where tenant_id = ${tenantId} and batch_no > ${after}::bigint
        order by batch_no limit ${size.batches}
      ) next
    ) b
    left join lateral (
      select body from raw_block
      where tenant_id = ${tenantId} and received_at = b.received_at and block_id = b.block_id limit 1
    ) k on true
    where b.records_before < ${size.records}
    order by b.batch_no`,
  ));
}

/**
 * Another core has processed these batches, or uses other intel lists; this core's work on them must not
 * commit.
 */
export class CursorMoved extends Error {}

/**
 * Moves the cursor in the transaction of the effects, and locks its row until COMMIT: of two cores that work
 * on the same batches, only one can commit.
 *
 * @param intelDigest Digest of the intel lists that the core matches against; must equal the cursor's. Null:
 *   not checked.
 * @throws CursorMoved
 */
export async function advanceCursor(
  tx: Tx,
  tenantId: string,
  from: Cursor,
  to: Cursor,
  intelDigest: string | null = null,
): Promise<void> {
  const time = (micros: number | null) =>
    sql`${micros === null ? null : timestampLiteral(micros)}::timestamptz`;
  const moved = await tx.run(sql`
    insert into pipeline_cursor (tenant_id, batch_no, longest_flow, history_since, latest_end, last_batch_at)
    values (${tenantId}, ${to.batchNo}::bigint, ${to.longestFlow}::bigint, ${time(to.historySince)},
      ${time(to.latestEnd)}, now())
    on conflict (tenant_id) do update
      set batch_no = excluded.batch_no, longest_flow = excluded.longest_flow,
        history_since = excluded.history_since, latest_end = excluded.latest_end, last_batch_at = excluded.last_batch_at
      where pipeline_cursor.batch_no = ${from.batchNo}::bigint
        and pipeline_cursor.intel_digest = coalesce(${intelDigest}::text, pipeline_cursor.intel_digest)`);
  if (moved !== 1) throw new CursorMoved(`the pipeline of ${tenantId} is past batch ${from.batchNo}`);
}

/**
 * Receipt of the oldest batch that the pipeline has not processed, in microseconds; null if there is none.
 */
export async function oldestPending(tx: Tx, tenantId: string): Promise<number | null> {
  // Two statements: under row-level security, conditions with `coalesce` or subqueries cannot use the index.
  const { batchNo } = await readCursor(tx, tenantId);
  const [pending] = await tx.rows<{ received_at: number }>(sql`
    select received_at from raw_batch where tenant_id = ${tenantId} and batch_no > ${batchNo}::bigint
    order by batch_no limit 1`);
  return pending?.received_at ?? null;
}
