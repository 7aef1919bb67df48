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
  /** As last reported. */
  readonly #wanted = new Map<string, boolean>();
  readonly #onWantedChange: OnWantedChange;
  readonly #room: Room;

  /** @param onWantedChange Called when a tenant's batches are wanted from now on, or no longer. */
  constructor(maxBytes = MAX_BYTES, onWantedChange: OnWantedChange = () => {}) {
    this.#room = { left: maxBytes };
    this.#onWantedChange = onWantedChange;
  }

  of(tenantId: string): TenantHandoff {
    let batches = this.#tenants.get(tenantId);
    if (!batches) {
      batches = new TenantHandoff(this.#room, () => this.#reportWanted());
      this.#tenants.set(tenantId, batches);
    }
    return batches;
  }

  /** The room is shared, so a change of one tenant may change all. */
  #reportWanted(): void {
    for (const [tenantId, { wanted }] of this.#tenants) {
      if (wanted === (this.#wanted.get(tenantId) ?? false)) continue;
      this.#wanted.set(tenantId, wanted);
      this.#onWantedChange(tenantId, wanted);
    }
  }
}

export type OnWantedChange = (tenantId: string, wanted: boolean) => void;

/** Bytes left; all tenants share them. */
interface Room {
  left: number;
}

/** A tenant's waiting batches by number. */
export class TenantHandoff {
  readonly #batches = new Map<number, ParsedBatch>();
  /** The last batch that the rounds have taken, from here or from the store; null while no rounds run. */
  #taken: number | null = null;

  /** @param onChange Called whenever `wanted` may have changed. */
  constructor(private readonly room: Room, private readonly onChange: () => void) {}

  /** Whether the next batch is wanted. */
  get wanted(): boolean {
    return this.#taken !== null && this.room.left > 0;
  }

  put(batch: ParsedBatch): void {
    const { batchNo } = batch.head;
    if (!this.wanted || batchNo <= this.#taken!) return;
    this.room.left -= batch.parsed.length;
    this.#batches.set(batchNo, batch);
    this.onChange();
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
    this.onChange();
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
    this.onChange();
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
