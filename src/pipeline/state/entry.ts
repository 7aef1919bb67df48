import type { StateEntry, StateType } from "../../domain/detect/kernel/detector.ts";
import { stateKeyHash, type StoredState } from "../../store/detector/state.ts";
import type { Faults } from "../stages/faults.ts";

/** What the maps and the slot itself take for each state. */
const SLOT_BYTES = 160;

/** A state that is held in memory, under its key. */
export class Entry<S> implements StateEntry<S> {
  #state: S | undefined;
  bytes = 0;
  dirty = false;
  /** Whether `bytes` is still to be told of the state. */
  unweighed = true;
  /** The newest batch of the last round that used it. */
  usedAt = 0;
  /** The round that uses it. */
  round = 0;
  /** The newest batch of the round whose row of the journal has it; 0 where the table has it. */
  journalAt = 0;
  /** The newest batch of the round that last told the table of it. */
  settledAt = 0;

  readonly keyHash: bigint;

  constructor(readonly memory: StateType<S>, readonly key: string) {
    this.keyHash = stateKeyHash(key);
  }

  get loaded(): boolean {
    return this.#state !== undefined;
  }

  get state(): S {
    if (this.#state === undefined) throw new Error(`${this.memory.name}: read before its round has begun`);
    return this.#state;
  }

  save(state: S): void {
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
  stored(faults: Faults): StoredState {
    const { id: typeId, name } = this.memory;
    try {
      return { typeId, keyHash: this.keyHash, state: this.memory.encode(this.state) };
    } catch (error) {
      faults.note(`memory "${name}", writing`, error);
      this.#state = this.memory.empty();
      return { typeId, keyHash: this.keyHash, state: this.memory.encode(this.#state) };
    }
  }

  /** Tells how much it has grown since it was weighed last; a state that nobody kept has not changed. */
  weigh(): number {
    if (!this.unweighed) return 0;
    this.unweighed = false;
    const before = this.bytes;
    this.bytes = SLOT_BYTES + 2 * this.key.length + this.memory.size(this.state);
    return this.bytes - before;
  }
}
