import type { StateEntry, StateType } from "../../domain/detect/kernel/detector.ts";
import type { Database, Tx } from "../../store/engine/database.ts";
import { flushJournal, packStates, type StateChanges } from "../../store/detector/journal.ts";
import { hasStates, readStates, type StoredState } from "../../store/detector/state.ts";
import { Entry } from "./entry.ts";
import { Faults } from "./faults.ts";
import { JournalWindow } from "./journal-window.ts";
import { MAX_MEMORY_BYTES } from "./memory-budget.ts";

/**
 * Size of a tenant's journal as a fraction of its room: enough for some rounds of a backlog, each of which mostly
 * changes the states that earlier ones changed. A start reads the whole journal.
 */
const JOURNAL_SHARE = 1 / 2;

type AnyEntry = Entry<unknown>;

/** States to be stored, each key once: keys with the same hash share a row, which a statement may touch once. */
class StoredStates {
  readonly rows: StoredState[] = [];
  readonly #taken = new Map<number, Set<bigint>>();

  constructor(private readonly faults: Faults) {}

  /** Returns false if another key of that hash is present. */
  add(entry: AnyEntry): boolean {
    let taken = this.#taken.get(entry.type.id);
    if (!taken) this.#taken.set(entry.type.id, taken = new Set());
    if (taken.size === taken.add(entry.keyHash).size) return false;
    this.rows.push(entry.stored(this.faults));
    return true;
  }
}

const NOTHING: ReadonlyMap<string, Uint8Array> = new Map();

/**
 * A tenant's recently used detector states, as the last rounds left them, including a round that is not committed yet.
 * Only the pipeline that advances the cursor writes states, so cached states stay valid while round follows round.
 */
export class StateCache {
  /** Failures of detectors and states since they were last taken. */
  readonly faults = new Faults();
  /** By state type, then by key. */
  readonly #entries = new Map<number, Map<string, AnyEntry>>();
  /** Entries used by the current round, and how many of them are loaded. */
  #used: AnyEntry[] = [];
  #loaded = 0;
  #round = 0;
  #bytes = 0;
  /** The batch that the cache reflects; null during a round. */
  #at: number | null = null;
  /** Last batch known to be committed: states used later cannot be read from the database yet. */
  #committed = 0;
  /** Whether all stored states are cached, so that a missing key does not exist. */
  #complete = false;
  /** The journal as the rounds left it; null until the existing journal is flushed. */
  #journal: JournalWindow | null = null;

  /**
   * @param room Returns the bytes that the states may take, by their own estimate. Beyond that the least recently used
   * are evicted: they are in the database and are loaded again on use.
   */
  constructor(private readonly room: () => number = () => MAX_MEMORY_BYTES) {}

  /** Estimated bytes of all cached states. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Begins a round that follows batch `at`. If the round before did not end there, or failed, the cache is cleared. */
  begin(at: number): void {
    if (this.#at !== at) this.clear();
    this.#at = null;
    this.#use([]);
    this.#round++;
  }

  /** The entry of a key; its state can be read after the next `load`. */
  lookup<S>(type: StateType<S>, key: string): StateEntry<S> {
    let keys = this.#entries.get(type.id);
    if (!keys) this.#entries.set(type.id, keys = new Map());
    let entry = keys.get(key);
    if (!entry) {
      entry = new Entry(type, key) as unknown as AnyEntry;
      keys.set(key, entry);
    }
    if (entry.round !== this.#round) {
      entry.round = this.#round;
      this.#used.push(entry);
    }
    return entry as unknown as StateEntry<S>;
  }

  /** Loads the states looked up since the last call that are not cached. */
  async load(db: Database, tenantId: string): Promise<void> {
    const missing: AnyEntry[] = [];
    for (; this.#loaded < this.#used.length; this.#loaded++) {
      const entry = this.#used[this.#loaded]!;
      if (!entry.loaded) missing.push(entry);
    }
    if (missing.length === 0) return;
    const used = this.#used;
    const stored = this.#complete
      ? NOTHING
      : await db.tenant(tenantId, (tx) => this.#read(tx, tenantId, missing));
    // The cache was cleared meanwhile: what was read may be out of date.
    if (used !== this.#used) return;
    this.#complete = stored === NOTHING;
    this.#journal ??= new JournalWindow(this.room() * JOURNAL_SHARE);
    for (const entry of missing) entry.load(stored.get(`${entry.type.id} ${entry.keyHash}`), this.faults);
  }

  async #read(
    tx: Tx,
    tenantId: string,
    missing: readonly AnyEntry[],
  ): Promise<ReadonlyMap<string, Uint8Array>> {
    // Rounds before a start or a failure have left rows in the journal.
    if (this.#journal === null) await flushJournal(tx, tenantId);
    if (this.#bytes === 0 && !(await hasStates(tx, tenantId))) return NOTHING;
    const stored = new Map<string, Uint8Array>();
    const keys = missing.map(({ type, keyHash }) => ({ typeId: type.id, keyHash }));
    for (const row of await readStates(tx, tenantId, keys)) {
      stored.set(`${row.typeId} ${row.keyHash}`, row.state);
    }
    return stored;
  }

  /** Ends the round, whose last batch is `at`; returns its changes, to be written with its other effects. */
  end(at: number): StateChanges {
    const changed = new StoredStates(this.faults);
    const flushed = new StoredStates(this.faults);
    for (const entry of this.#used) {
      if (entry.dirty) {
        entry.dirty = false;
        if (entry.type.readElsewhere) flushed.add(entry);
        else if (changed.add(entry)) entry.journalAt = at;
      }
      entry.usedAt = at;
      this.#bytes += entry.weigh();
    }
    const journal = changed.rows.length === 0 ? null : packStates(changed.rows);
    if (journal !== null) this.#journal?.add(at, journal.length);
    const trimmed = this.#journal?.trim() ?? null;
    for (const entry of this.#toFlush(at, trimmed)) {
      flushed.add(entry);
      entry.journalAt = 0;
      entry.flushedAt = at;
    }
    this.#use([]);
    this.#at = at;
    return { batchNo: at, journal, flushed: flushed.rows, trimmed };
  }

  /** Entries whose only journal rows are trimmed, and journalled ones to be evicted after the round `at`. */
  *#toFlush(at: number, trimmed: number | null): Iterable<AnyEntry> {
    if (trimmed !== null) {
      for (const keys of this.#entries.values()) {
        for (const entry of keys.values()) {
          if (entry.journalAt !== 0 && entry.journalAt <= trimmed) yield entry;
        }
      }
    }
    for (const entry of this.#leastUsed((entry) => entry.usedAt < at)) {
      if (entry.journalAt !== 0) yield entry;
    }
  }

  /** The rounds up to batch `at` are committed. */
  committed(at: number): void {
    this.#committed = at;
    this.#evict();
  }

  /** Empties the cache, for example after a round that was not committed. */
  clear(): void {
    this.#entries.clear();
    this.#use([]);
    this.#journal = null;
    this.#bytes = 0;
    this.#complete = false;
    this.#at = null;
  }

  #use(entries: AnyEntry[]): void {
    this.#used = entries;
    this.#loaded = 0;
  }

  /** Evicts the least recently used clean entries that no uncommitted round uses. */
  #evict(): void {
    for (const entry of this.#leastUsed((entry) => entry.journalAt === 0 && !this.#isNeeded(entry))) {
      this.#entries.get(entry.type.id)?.delete(entry.key);
      this.#bytes -= entry.bytes;
      this.#complete = false;
    }
  }

  /** The least recently used of the evictable entries, enough to meet the bound; none if the bound is met. */
  *#leastUsed(mayEvict: (entry: AnyEntry) => boolean): Iterable<AnyEntry> {
    const room = this.room();
    if (this.#bytes <= room) return;
    // Every state type gives up the same share, so a type that is flooded does not evict the others.
    const share = room / this.#bytes * 0.9;
    for (const keys of this.#entries.values()) {
      let drop = Math.ceil(keys.size * (1 - share));
      const last = usedAtOf(keys.values(), drop);
      for (const entry of keys.values()) {
        if (entry.usedAt > last || !mayEvict(entry)) continue;
        if (drop-- <= 0) break;
        yield entry;
      }
    }
  }

  #isNeeded(entry: AnyEntry): boolean {
    return Math.max(entry.usedAt, entry.flushedAt) > this.#committed ||
      (this.#at === null && entry.round === this.#round);
  }
}

/** `usedAt` of the last of the `count` least recently used entries. */
function usedAtOf(entries: Iterable<AnyEntry>, count: number): number {
  const times = Float64Array.from(entries, (entry) => entry.usedAt).sort();
  return times[Math.min(count, times.length) - 1] ?? 0;
}
