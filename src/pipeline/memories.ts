import type { Memory, Slot } from "../domain/detect/detector.ts";
import type { Database, Tx } from "../store/database.ts";
import { hasMemories, memoryKeyHash, readMemories, type StoredMemory } from "../store/detector-memory.ts";
import { Faults } from "./faults.ts";

/**
 * Bytes that the states kept of all tenants of a core may take, by their own estimate, and the least that one of many
 * tenants has. Beyond its share the least recently used go: they stand in the database and are read again when needed.
 */
const MAX_BYTES = 64 * 1024 * 1024;
const MIN_SHARE = 4 * 1024 * 1024;

/** What each of so many tenants may keep. */
export function memoryShare(tenants: number): number {
  return Math.max(MIN_SHARE, Math.floor(MAX_BYTES / Math.max(1, tenants)));
}
/** What the maps and the slot itself take for each state. */
const SLOT_BYTES = 160;

class HeldSlot<S> implements Slot<S> {
  #state: S | undefined;
  bytes = 0;
  dirty = false;
  /** Whether `bytes` is still to be told of the state. */
  unweighed = true;
  /** The newest batch of the last round that used it. */
  usedAt = 0;
  /** The round that uses it. */
  round = 0;

  constructor(readonly memory: Memory<S>, readonly key: string, readonly keyHash: bigint) {}

  get loaded(): boolean {
    return this.#state !== undefined;
  }

  get state(): S {
    if (this.#state === undefined) throw new Error(`${this.memory.name}: read before its round has begun`);
    return this.#state;
  }

  keep(state: S): void {
    this.#state = state;
    this.dirty = this.unweighed = true;
  }

  /** What cannot be read begins anew. */
  load(bytes: Uint8Array | undefined, faults: Faults): void {
    try {
      this.#state = bytes === undefined ? this.memory.empty() : this.memory.decode(bytes);
    } catch (error) {
      faults.note(`memory "${this.memory.name}", reading`, error);
      this.#state = this.memory.empty();
    }
  }

  /** What cannot be written begins anew, here and in the database. */
  stored(faults: Faults): StoredMemory {
    const { id: memory, name } = this.memory;
    try {
      return { memory, keyHash: this.keyHash, state: this.memory.encode(this.state) };
    } catch (error) {
      faults.note(`memory "${name}", writing`, error);
      this.#state = this.memory.empty();
      return { memory, keyHash: this.keyHash, state: this.memory.encode(this.#state) };
    }
  }

  /** Tells how much it has grown since it was weighed last; a state that nobody kept has not changed. */
  weigh(): number {
    if (!this.unweighed) return 0;
    this.unweighed = false;
    const before = this.bytes;
    this.bytes = SLOT_BYTES + 2 * this.key.length + this.memory.weight(this.state);
    return this.bytes - before;
  }
}

type AnySlot = HeldSlot<unknown>;

const NOTHING: ReadonlyMap<string, Uint8Array> = new Map();

/**
 * What a tenant's detectors remember: the states used last, as the rounds so far have left them, the one that is still
 * on its way into the database included. Only whoever moves the cursor writes them, so as long as one round follows
 * another they need not be read again.
 */
export class Memories {
  /** What went wrong in the rounds so far. */
  readonly faults = new Faults();
  /** By memory, then by key. */
  readonly #held = new Map<number, Map<string, AnySlot>>();
  /** Those that the round under way uses, and how many of them have been loaded. */
  #used: AnySlot[] = [];
  #loaded = 0;
  #round = 0;
  readonly #maxBytes: number;
  #bytes = 0;
  /** The batch after which all that is held is true; null while a round is under way. */
  #at: number | null = null;
  /** The newest batch known to be committed: what was used later than that cannot be read from the database yet. */
  #committed = 0;
  /** True while everything stored is held, so that what is not here does not exist. */
  #complete = false;

  constructor(maxBytes = memoryShare(1)) {
    this.#maxBytes = maxBytes;
  }

  /** Estimated bytes of all states held. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Begins a round that follows batch `at`. Where the round before did not end there, or failed, it begins empty. */
  begin(at: number): void {
    if (this.#at !== at) this.clear();
    this.#at = null;
    this.#use([]);
    this.#round++;
  }

  /** The slot of a key; its state can be read after the next `load`. */
  need<S>(memory: Memory<S>, key: string): Slot<S> {
    let keys = this.#held.get(memory.id);
    if (!keys) this.#held.set(memory.id, keys = new Map());
    let slot = keys.get(key);
    if (!slot) {
      slot = new HeldSlot(memory, key, memoryKeyHash(key)) as unknown as AnySlot;
      keys.set(key, slot);
    }
    if (slot.round !== this.#round) {
      slot.round = this.#round;
      this.#used.push(slot);
    }
    return slot as unknown as Slot<S>;
  }

  /** Reads the states that were asked for since the last time and are not here. */
  async load(db: Database, tenantId: string): Promise<void> {
    const missing: AnySlot[] = [];
    for (; this.#loaded < this.#used.length; this.#loaded++) {
      const slot = this.#used[this.#loaded]!;
      if (!slot.loaded) missing.push(slot);
    }
    if (missing.length === 0) return;
    const stored = this.#complete
      ? NOTHING
      : await db.tenant(tenantId, (tx) => this.#read(tx, tenantId, missing));
    for (const slot of missing) slot.load(stored.get(`${slot.memory.id} ${slot.keyHash}`), this.faults);
  }

  async #read(tx: Tx, tenantId: string, missing: readonly AnySlot[]): Promise<Map<string, Uint8Array>> {
    const stored = new Map<string, Uint8Array>();
    if (this.#bytes === 0 && !(await hasMemories(tx, tenantId))) {
      this.#complete = true;
      return stored;
    }
    const keys = missing.map(({ memory, keyHash }) => ({ memory: memory.id, keyHash }));
    for (const row of await readMemories(tx, tenantId, keys)) {
      stored.set(`${row.memory} ${row.keyHash}`, row.state);
    }
    return stored;
  }

  /** Ends the round, whose newest batch is `at`, and gives what it has changed, to be written with its effects. */
  end(at: number): StoredMemory[] {
    const rows: StoredMemory[] = [];
    const hashes = new Map<number, Set<bigint>>();
    for (const slot of this.#used) {
      if (slot.dirty) {
        slot.dirty = false;
        let taken = hashes.get(slot.memory.id);
        if (!taken) hashes.set(slot.memory.id, taken = new Set());
        // Two keys of one hash share a row, and a statement may touch it once.
        if (taken.size < taken.add(slot.keyHash).size) rows.push(slot.stored(this.faults));
      }
      slot.usedAt = at;
      this.#bytes += slot.weigh();
    }
    this.#use([]);
    this.#at = at;
    return rows;
  }

  /** The rounds up to batch `at` have been committed. */
  committed(at: number): void {
    this.#committed = at;
    this.#shrink();
  }

  /** Forgets everything: what was held may never come to be true. */
  clear(): void {
    this.#held.clear();
    this.#use([]);
    this.#bytes = 0;
    this.#complete = false;
    this.#at = null;
  }

  #use(slots: AnySlot[]): void {
    this.#used = slots;
    this.#loaded = 0;
  }

  /** Lets the least recently used go, but none that the round under way uses or that is not in the database yet. */
  #shrink(): void {
    if (this.#bytes <= this.#maxBytes) return;
    this.#complete = false;
    // Every sort gives up the same share, so that one that floods does not push out what the others remember.
    const share = this.#maxBytes / this.#bytes * 0.9;
    for (const keys of this.#held.values()) {
      let drop = Math.ceil(keys.size * (1 - share));
      const last = usedAtOf(keys.values(), drop);
      for (const [key, slot] of keys) {
        if (slot.usedAt > last || this.#isNeeded(slot)) continue;
        if (drop-- <= 0) break;
        keys.delete(key);
        this.#bytes -= slot.bytes;
      }
    }
  }

  #isNeeded(slot: AnySlot): boolean {
    return slot.usedAt > this.#committed || (this.#at === null && slot.round === this.#round);
  }
}

/** When the last of the so many least recently used was used. */
function usedAtOf(slots: Iterable<AnySlot>, count: number): number {
  const times = Float64Array.from(slots, (slot) => slot.usedAt).sort();
  return times[Math.min(count, times.length) - 1] ?? 0;
}
