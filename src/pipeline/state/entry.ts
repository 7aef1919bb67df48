import type { StateEntry, StateType } from "../../domain/detect/kernel/detector.ts";
import { stateKeyHash, type StoredState } from "../../store/detector/state.ts";
import type { Faults } from "./faults.ts";

/** Bytes that the maps and the entry itself take per state. */
const ENTRY_BYTES = 160;

/** A detector state held in memory under its key. */
export class Entry<S> implements StateEntry<S> {
  #state: S | undefined;
  bytes = 0;
  /** Whether the current round has changed the state. */
  dirty = false;
  /** Whether `bytes` is out of date. */
  unweighed = true;
  /** Last batch of the last round that used the state. */
  usedAt = 0;
  /** The round that uses it. */
  round = 0;
  /** Last batch of the round whose journal row has the state; 0 if the table has it. */
  journalAt = 0;
  /** Last batch of the round that flushed the state to the table. */
  flushedAt = 0;

  readonly keyHash: bigint;

  constructor(readonly type: StateType<S>, readonly key: string) {
    this.keyHash = stateKeyHash(key);
  }

  get loaded(): boolean {
    return this.#state !== undefined;
  }

  get state(): S {
    if (this.#state === undefined) throw new Error(`${this.type.name}: state read before it was loaded`);
    return this.#state;
  }

  save(state: S): void {
    this.#state = state;
    this.dirty = this.unweighed = true;
  }

  /** A state that cannot be decoded is replaced by an empty one. */
  load(bytes: Uint8Array | undefined, faults: Faults): void {
    try {
      this.#state = bytes === undefined ? this.type.empty() : this.type.decode(bytes);
    } catch (error) {
      faults.note(`state "${this.type.name}", reading`, error);
      this.#state = this.type.empty();
    }
  }

  /** A state that cannot be encoded is replaced by an empty one, here and in the database. */
  stored(faults: Faults): StoredState {
    const { id: typeId, name } = this.type;
    try {
      return { typeId, keyHash: this.keyHash, state: this.type.encode(this.state) };
    } catch (error) {
      faults.note(`state "${name}", writing`, error);
      this.#state = this.type.empty();
      return { typeId, keyHash: this.keyHash, state: this.type.encode(this.#state) };
    }
  }

  /** Returns how many bytes it has grown since the last call; only a saved state can have changed. */
  weigh(): number {
    if (!this.unweighed) return 0;
    this.unweighed = false;
    const before = this.bytes;
    this.bytes = ENTRY_BYTES + 2 * this.key.length + this.type.size(this.state);
    return this.bytes - before;
  }
}
