import type { PackedUnderstood } from "../store/packed-records.ts";
import type { RoundSize } from "../store/pending.ts";

/** Bytes of batches of all tenants that may wait in memory: some 200,000 records. */
const MAX_BYTES = 64 * 1024 * 1024;

/**
 * Batches that this core's ingest has committed and its pipeline is to take up: they need not be read back and understood
 * again. Whatever is not here stands in the store, so nothing depends on it: it has its bound, and begins empty.
 */
export class HandOver {
  readonly #tenants = new Map<string, HandedBatches>();
  readonly #room: Room;

  constructor(maxBytes = MAX_BYTES) {
    this.#room = { left: maxBytes };
  }

  of(tenantId: string): HandedBatches {
    let batches = this.#tenants.get(tenantId);
    if (!batches) this.#tenants.set(tenantId, batches = new HandedBatches(this.#room));
    return batches;
  }
}

/** Bytes that all tenants share. */
interface Room {
  left: number;
}

/** A tenant's batches by their number. */
export class HandedBatches {
  readonly #batches = new Map<number, PackedUnderstood>();
  /** Up to this one they have been taken up, from here or from the store; null while nobody takes any. */
  #taken: number | null = null;

  constructor(private readonly room: Room) {}

  /** Whether the next batch is wanted. */
  get wanted(): boolean {
    return this.#taken !== null && this.room.left > 0;
  }

  put(batch: PackedUnderstood): void {
    const { head: { batchNo }, understood } = batch;
    if (!this.wanted || batchNo <= this.#taken!) return;
    this.#batches.set(batchNo, batch);
    this.room.left -= understood.length;
  }

  /** Takes out those that follow `after` without a gap, a round at most; they may be none. */
  take(after: number, size: RoundSize): PackedUnderstood[] {
    this.#forget(after);
    const taken: PackedUnderstood[] = [];
    let records = 0;
    for (let next = after + 1; taken.length < size.batches && records < size.records; next++) {
      const batch = this.#batches.get(next);
      if (!batch) break;
      taken.push(batch);
      records += batch.records;
    }
    this.#forget(after + taken.length);
    return taken;
  }

  /** How many batches are missing between `after` and the first one here; Infinity where there is none. */
  missingAfter(after: number): number {
    let first = Infinity;
    for (const batchNo of this.#batches.keys()) if (batchNo > after && batchNo < first) first = batchNo;
    return first - after - 1;
  }

  /** Nobody takes batches from here, for now: another core is at it. */
  clear(): void {
    for (const batchNo of [...this.#batches.keys()]) this.#drop(batchNo);
    this.#taken = null;
  }

  /** The rounds have come this far. */
  #forget(batchNo: number): void {
    this.#taken = batchNo;
    for (const known of [...this.#batches.keys()]) if (known <= batchNo) this.#drop(known);
  }

  #drop(batchNo: number): void {
    this.room.left += this.#batches.get(batchNo)!.understood.length;
    this.#batches.delete(batchNo);
  }
}
