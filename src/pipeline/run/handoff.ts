import type { Place, SpillFile } from "../../kit/threads/spill-file.ts";
import type { PackedUnderstood } from "../../store/record/packed-records.ts";
import type { RoundSize } from "../../store/record/pending.ts";

/** Bytes of batches of all tenants that may wait in memory: some 50,000 records. */
const MAX_BYTES = 16 * 1024 * 1024;
/** As many as may wait on disk: some two million records. To read them back takes a hundredth of understanding them again. */
export const MAX_SPILLED_BYTES = 512 * 1024 * 1024;

/**
 * Batches that this core's ingest has committed and its pipeline is to take up: they need not be read back and understood
 * again. Whatever is not here stands in the store, so nothing depends on it: it has its bound, and begins empty.
 */
export class HandOver {
  readonly #tenants = new Map<string, HandedBatches>();
  readonly #room: Room;

  /** @param file For what finds no room in memory; without it that is read from the store again. */
  constructor(maxBytes = MAX_BYTES, file: SpillFile | null = null) {
    this.#room = { left: maxBytes, file };
  }

  of(tenantId: string): HandedBatches {
    let batches = this.#tenants.get(tenantId);
    if (!batches) this.#tenants.set(tenantId, batches = new HandedBatches(this.#room));
    return batches;
  }
}

/** What all tenants share. */
interface Room {
  /** Bytes in memory. */
  left: number;
  file: SpillFile | null;
}

/** A batch where it waits. */
interface Waiting extends Omit<PackedUnderstood, "understood"> {
  understood: Uint8Array | Place;
}

/** A tenant's batches by their number. */
export class HandedBatches {
  readonly #batches = new Map<number, Waiting>();
  /** Up to this one they have been taken up, from here or from the store; null while nobody takes any. */
  #taken: number | null = null;

  constructor(private readonly room: Room) {}

  /** Whether the next batch is wanted. */
  get wanted(): boolean {
    return this.#taken !== null && (this.room.left > 0 || this.room.file?.hasRoom === true);
  }

  put(batch: PackedUnderstood): void {
    const { batchNo } = batch.head;
    if (!this.wanted || batchNo <= this.#taken!) return;
    const understood = this.#keep(batch.understood);
    if (understood !== null) this.#batches.set(batchNo, { ...batch, understood });
  }

  #keep(understood: Uint8Array): Uint8Array | Place | null {
    if (this.room.left <= 0) return this.room.file!.put(understood);
    this.room.left -= understood.length;
    return understood;
  }

  /** Takes out those that follow `after` without a gap, a round at most; they may be none. */
  take(after: number, size: RoundSize): PackedUnderstood[] {
    this.#forget(after);
    const taken: PackedUnderstood[] = [];
    let records = 0;
    for (let next = after + 1; taken.length < size.batches && records < size.records; next++) {
      const batch = this.#open(next);
      if (!batch) break;
      taken.push(batch);
      records += batch.records;
    }
    this.#forget(after + taken.length);
    return taken;
  }

  /** Null where it is not here, or no longer. */
  #open(batchNo: number): PackedUnderstood | null {
    const batch = this.#batches.get(batchNo);
    if (!batch) return null;
    const { understood } = batch;
    if (understood instanceof Uint8Array) return { ...batch, understood };
    try {
      return { ...batch, understood: this.room.file!.read(understood) };
    } catch {
      // It stands in the store as well.
      this.#drop(batchNo);
      return null;
    }
  }

  /** How many batches are missing between `after` and the first one here; Infinity where there is none. */
  missingAfter(after: number): number {
    let first = Infinity;
    for (const batchNo of this.#batches.keys()) if (batchNo > after && batchNo < first) first = batchNo;
    return first - after - 1;
  }

  /** Nobody takes batches from here, for now: another core is at it, or the disk is full. */
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
    const { understood } = this.#batches.get(batchNo)!;
    if (understood instanceof Uint8Array) this.room.left += understood.length;
    else this.room.file!.free(understood);
    this.#batches.delete(batchNo);
  }
}
