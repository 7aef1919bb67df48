import type { TrustClass } from "../../contract/record/kinds.ts";
import type { Tx } from "../engine/database.ts";
import { timestampLiteral } from "../engine/literals.ts";
import { planKept, sql } from "../engine/sql.ts";

export interface Cursor {
  batchNo: number;
  /** Microseconds the longest flow of this tenant covers; how far back a joining flow can begin. */
  longestFlow: number;
  /** Earliest start of any flow; null before the first. */
  historySince: number | null;
  /** By then all flows had ended, those included that are kept no longer; null before the first. */
  latestEnd: number | null;
}

/** A committed batch that the pipeline has not taken up. */
export interface PendingBatch {
  batch_no: number;
  received_at: number;
  sensor_id: string;
  trust: TrustClass;
  block_id: bigint | number | null;
  /** Places in the block to take up; null for all. */
  positions: number[] | null;
  /** Records, those that are not to be taken up included. */
  accepted: number;
  /** Null where nothing was accepted, or where retention took the block first. */
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
    // An earlier version has not told.
    latestEnd: row.latest_end ?? await endOfStored(tx, tenantId, longestFlow),
  };
}

/**
 * By then all flows had ended that are stored, of which none is longer than `longestFlow`; null where there are none. A flow
 * goes through its anchor, whose millisecond is the beginning of its id.
 */
export async function endOfStored(tx: Tx, tenantId: string, longestFlow: number): Promise<number | null> {
  const rows = await tx.rows<{ anchor_at: number }>(
    sql`select anchor_at from flow where tenant_id = ${tenantId} order by flow_id desc limit 1`,
  );
  return rows.length === 0 ? null : rows[0]!.anchor_at + longestFlow;
}

/** How much to take up at once: at most so many batches, and no further batch once there are so many records. */
export interface RoundSize {
  batches: number;
  records: number;
}

/** The next batches in order; at least one where there is any. */
export async function pendingBatches(
  tx: Tx,
  tenantId: string,
  after: number,
  size: RoundSize,
): Promise<PendingBatch[]> {
  // Asked for all the time, mostly for nothing. The limit lets each block be looked up in its one partition.
  return await tx.rows<PendingBatch>(planKept(
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

/** Another core has taken these batches up, or matches against other lists; this one's work on them must not commit. */
export class CursorMoved extends Error {}

/**
 * Moves the cursor in the transaction of the effects, and holds its row until COMMIT: of two cores that work on
 * the same batches only one can commit. Nor can one that matches against other threat intelligence lists, by their
 * digest, than the cursor knows of; null where it does not say.
 *
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
