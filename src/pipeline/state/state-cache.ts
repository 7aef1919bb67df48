import type { StateEntry, StateType } from "../../domain/detect/kernel/detector.ts";
import type { Database, Tx } from "../../store/engine/database.ts";
import { flushJournal, packStates, type StateChanges } from "../../store/detector/journal.ts";
import { hasStates, readStates, type StoredState } from "../../store/detector/state.ts";
import { Faults } from "../stages/faults.ts";
import { Entry } from "./entry.ts";
import { JournalWindow } from "./journal-window.ts";
import { MAX_MEMORY_BYTES } from "./memory-budget.ts";

/**
 * Bytes of a tenant's rows in the journal, as a part of its room: enough for some rounds of a backlog, of which each changes
 * mostly what those before have changed, and a start reads them all.
 */
const JOURNAL_PART = 1 / 2;

type AnySlot = Entry<unknown>;

/** States to be stored, each key once: two keys of one hash share a row, and a statement may touch it once. */
class States {
  readonly rows: StoredState[] = [];
  readonly #taken = new Map<number, Set<bigint>>();

  constructor(private readonly faults: Faults) {}

  /** False where another key of that hash is there. */
  add(slot: AnySlot): boolean {
    let taken = this.#taken.get(slot.memory.id);
    if (!taken) this.#taken.set(slot.memory.id, taken = new Set());
    if (taken.size === taken.add(slot.keyHash).size) return false;
    this.rows.push(slot.stored(this.faults));
    return true;
  }
}

const NOTHING: ReadonlyMap<string, Uint8Array> = new Map();

/**
 * What a tenant's detectors remember: the states used last, as the rounds so far have left them, the one that is still
 * on its way into the database included. Only whoever moves the cursor writes them, so as long as one round follows
 * another they need not be read again.
 */
export class StateCache {
  /** What went wrong in the rounds so far. */
  readonly faults = new Faults();
  /** By memory, then by key. */
  readonly #held = new Map<number, Map<string, AnySlot>>();
  /** Those that the round under way uses, and how many of them have been loaded. */
  #used: AnySlot[] = [];
  #loaded = 0;
  #round = 0;
  #bytes = 0;
  /** The batch after which all that is held is true; null while a round is under way. */
  #at: number | null = null;
  /** The newest batch known to be committed: what was used later than that cannot be read from the database yet. */
  #committed = 0;
  /** True while everything stored is held, so that what is not here does not exist. */
  #complete = false;
  /** The journal as the rounds so far have left it; null before what was found in it is settled. */
  #journal: JournalWindow | null = null;

  /**
   * @param room Bytes that the states may take as things stand, by their own estimate. Beyond that the least recently used go:
   * they stand in the database and are read again when needed.
   */
  constructor(private readonly room: () => number = () => MAX_MEMORY_BYTES) {}

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
  need<S>(memory: StateType<S>, key: string): StateEntry<S> {
    let keys = this.#held.get(memory.id);
    if (!keys) this.#held.set(memory.id, keys = new Map());
    let slot = keys.get(key);
    if (!slot) {
      slot = new Entry(memory, key) as unknown as AnySlot;
      keys.set(key, slot);
    }
    if (slot.round !== this.#round) {
      slot.round = this.#round;
      this.#used.push(slot);
    }
    return slot as unknown as StateEntry<S>;
  }

  /** Reads the states that were asked for since the last time and are not here. */
  async load(db: Database, tenantId: string): Promise<void> {
    const missing: AnySlot[] = [];
    for (; this.#loaded < this.#used.length; this.#loaded++) {
      const slot = this.#used[this.#loaded]!;
      if (!slot.loaded) missing.push(slot);
    }
    if (missing.length === 0) return;
    const used = this.#used;
    const stored = this.#complete
      ? NOTHING
      : await db.tenant(tenantId, (tx) => this.#read(tx, tenantId, missing));
    // All was forgotten meanwhile: what was true of the database then need not be now.
    if (used !== this.#used) return;
    this.#complete = stored === NOTHING;
    this.#journal ??= new JournalWindow(this.room() * JOURNAL_PART);
    for (const slot of missing) slot.load(stored.get(`${slot.memory.id} ${slot.keyHash}`), this.faults);
  }

  async #read(
    tx: Tx,
    tenantId: string,
    missing: readonly AnySlot[],
  ): Promise<ReadonlyMap<string, Uint8Array>> {
    // What rounds before a start, or a failure, have left there.
    if (this.#journal === null) await flushJournal(tx, tenantId);
    if (this.#bytes === 0 && !(await hasStates(tx, tenantId))) return NOTHING;
    const stored = new Map<string, Uint8Array>();
    const keys = missing.map(({ memory, keyHash }) => ({ typeId: memory.id, keyHash }));
    for (const row of await readStates(tx, tenantId, keys)) {
      stored.set(`${row.typeId} ${row.keyHash}`, row.state);
    }
    return stored;
  }

  /** Ends the round, whose newest batch is `at`, and gives what it has changed, to be written with its effects. */
  end(at: number): StateChanges {
    const changed = new States(this.faults);
    const settled = new States(this.faults);
    for (const slot of this.#used) {
      if (slot.dirty) {
        slot.dirty = false;
        if (slot.memory.readElsewhere) settled.add(slot);
        else if (changed.add(slot)) slot.journalAt = at;
      }
      slot.usedAt = at;
      this.#bytes += slot.weigh();
    }
    const journal = changed.rows.length === 0 ? null : packStates(changed.rows);
    if (journal !== null) this.#journal?.add(at, journal.length);
    const trimmed = this.#journal?.trim() ?? null;
    for (const slot of this.#atRest(at, trimmed)) {
      settled.add(slot);
      slot.journalAt = 0;
      slot.settledAt = at;
    }
    this.#use([]);
    this.#at = at;
    return { batchNo: at, journal, flushed: settled.rows, trimmed };
  }

  /**
   * What stands only in rows of the journal that go, and what is to be let go when the round is committed, unless the round,
   * which ends with batch `at`, has changed it.
   */
  *#atRest(at: number, trimmed: number | null): Iterable<AnySlot> {
    if (trimmed !== null) {
      for (const keys of this.#held.values()) {
        for (const slot of keys.values()) if (slot.journalAt !== 0 && slot.journalAt <= trimmed) yield slot;
      }
    }
    for (const slot of this.#leastUsed((slot) => slot.usedAt < at)) if (slot.journalAt !== 0) yield slot;
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
    this.#journal = null;
    this.#bytes = 0;
    this.#complete = false;
    this.#at = null;
  }

  #use(slots: AnySlot[]): void {
    this.#used = slots;
    this.#loaded = 0;
  }

  /** Lets the least recently used go, but none that the round under way uses or that the table does not have yet. */
  #shrink(): void {
    for (const slot of this.#leastUsed((slot) => slot.journalAt === 0 && !this.#isNeeded(slot))) {
      this.#held.get(slot.memory.id)?.delete(slot.key);
      this.#bytes -= slot.bytes;
      this.#complete = false;
    }
  }

  /** Of those that may go so many of the least recently used that the rest is within the bound; none where all are. */
  *#leastUsed(mayGo: (slot: AnySlot) => boolean): Iterable<AnySlot> {
    const room = this.room();
    if (this.#bytes <= room) return;
    // Every sort gives up the same share, so that one that floods does not push out what the others remember.
    const share = room / this.#bytes * 0.9;
    for (const keys of this.#held.values()) {
      let drop = Math.ceil(keys.size * (1 - share));
      const last = usedAtOf(keys.values(), drop);
      for (const slot of keys.values()) {
        if (slot.usedAt > last || !mayGo(slot)) continue;
        if (drop-- <= 0) break;
        yield slot;
      }
    }
  }

  #isNeeded(slot: AnySlot): boolean {
    return Math.max(slot.usedAt, slot.settledAt) > this.#committed ||
      (this.#at === null && slot.round === this.#round);
  }
}

/** When the last of the so many least recently used was used. */
function usedAtOf(slots: Iterable<AnySlot>, count: number): number {
  const times = Float64Array.from(slots, (slot) => slot.usedAt).sort();
  return times[Math.min(count, times.length) - 1] ?? 0;
}
