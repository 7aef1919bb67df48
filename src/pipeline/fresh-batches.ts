import { type BatchHead, understood, type UnderstoodBatch } from "../store/understood.ts";
import { unpackRead } from "../store/packed-records.ts";
import type { RoundSize } from "../store/pending.ts";

/** A batch that this process has just committed, and what its records were found to say when they were received. */
export interface FreshBatch extends BatchHead {
  /** Records that were new. */
  accepted: number;
  /** Places in the block of those of them that can be understood; null for all that `read` has. */
  positions: readonly number[] | null;
  /** As `packRead` makes it. */
  read: Uint8Array;
}

/** Bytes of batches kept for one tenant; what comes when it is full is read from the database when its turn comes. */
export const MAX_BYTES = 48 * 1024 * 1024;

/**
 * A tenant's newest batches as the ingest of this process read them, so that the pipeline need not read them from the
 * database and understand them again. Numbers have no gaps, so a run of them that follows the cursor is all there is.
 */
export class FreshBatches {
  readonly #batches = new Map<number, FreshBatch>();
  readonly #maxBytes: number;
  #bytes = 0;

  constructor(maxBytes = MAX_BYTES) {
    this.#maxBytes = maxBytes;
  }

  offer(batch: FreshBatch): void {
    if (this.#bytes + batch.read.length > this.#maxBytes) return;
    this.#batches.set(batch.batchNo, batch);
    this.#bytes += batch.read.length;
  }

  /** The batches that follow number `after` without a gap, and no more than fit in a round; those before are forgotten. */
  take(after: number, size: RoundSize): FreshBatch[] {
    // Commits are told in about the order of their numbers, so whatever is old comes early.
    for (const [batchNo, batch] of this.#batches) {
      if (batchNo > after) continue;
      this.#batches.delete(batchNo);
      this.#bytes -= batch.read.length;
    }
    const run: FreshBatch[] = [];
    for (let records = 0; run.length < size.batches && records < size.records;) {
      const next = this.#batches.get(after + run.length + 1);
      if (!next) break;
      run.push(next);
      records += next.accepted;
    }
    return run;
  }

  clear(): void {
    this.#batches.clear();
    this.#bytes = 0;
  }
}

export function understandFresh(batch: FreshBatch): UnderstoodBatch {
  const { sensorId, trust, receivedAt, batchNo, positions } = batch;
  const read = unpackRead(batch.read);
  const head = { sensorId, trust, receivedAt, batchNo };
  if (positions === null) return understood(head, read);
  const taken = new Set(positions);
  return understood(head, {
    records: read.records.filter(({ position }) => taken.has(position)),
    samples: read.samples.filter(({ position }) => taken.has(position)),
  });
}
