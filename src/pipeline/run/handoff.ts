import type { ParsedBatch } from "../../store/record/parsed-batch.ts";
import type { RoundSize } from "../../store/record/pending.ts";

/** Bytes of parsed batches of all tenants that may wait in memory: about 50,000 records. */
const MAX_BYTES = 16 * 1024 * 1024;

/**
 * Parsed batches that this core's ingest has committed, so that the pipeline need not read and parse them again. A
 * batch that is missing here is read from the store, so the buffer is bounded and starts empty.
 */
export class Handoff {
  readonly #tenants = new Map<string, TenantHandoff>();
  readonly #room: Room;

  constructor(maxBytes = MAX_BYTES) {
    this.#room = { left: maxBytes };
  }

  of(tenantId: string): TenantHandoff {
    let batches = this.#tenants.get(tenantId);
    if (!batches) this.#tenants.set(tenantId, batches = new TenantHandoff(this.#room));
    return batches;
  }
}

/** Bytes left; all tenants share them. */
interface Room {
  left: number;
}

/** A tenant's waiting batches by number. */
export class TenantHandoff {
  readonly #batches = new Map<number, ParsedBatch>();
  /** The last batch that the rounds have taken, from here or from the store; null while no rounds run. */
  #taken: number | null = null;

  constructor(private readonly room: Room) {}

  /** Whether the next batch is wanted. */
  get wanted(): boolean {
    return this.#taken !== null && this.room.left > 0;
  }

  put(batch: ParsedBatch): void {
    const { batchNo } = batch.head;
    if (!this.wanted || batchNo <= this.#taken!) return;
    this.room.left -= batch.parsed.length;
    this.#batches.set(batchNo, batch);
  }

  /** Takes out the batches that follow `after` without a gap, up to one round; may be empty. */
  take(after: number, size: RoundSize): ParsedBatch[] {
    this.#dropUpTo(after);
    const taken: ParsedBatch[] = [];
    let records = 0;
    for (let next = after + 1; taken.length < size.batches && records < size.records; next++) {
      const batch = this.#batches.get(next);
      if (!batch) break;
      taken.push(batch);
      records += batch.records;
    }
    this.#dropUpTo(after + taken.length);
    return taken;
  }

  /** Number of batches missing between `after` and the first one here; Infinity if there is none. */
  missingAfter(after: number): number {
    let first = Infinity;
    for (const batchNo of this.#batches.keys()) if (batchNo > after && batchNo < first) first = batchNo;
    return first - after - 1;
  }

  /** Drops all batches and wants none until the next `take`: another core has the lease, or the disk is full. */
  clear(): void {
    for (const batchNo of [...this.#batches.keys()]) this.#drop(batchNo);
    this.#taken = null;
  }

  #dropUpTo(batchNo: number): void {
    this.#taken = batchNo;
    for (const known of [...this.#batches.keys()]) if (known <= batchNo) this.#drop(known);
  }

  #drop(batchNo: number): void {
    this.room.left += this.#batches.get(batchNo)!.parsed.length;
    this.#batches.delete(batchNo);
  }
}
