// The newest evidence of a state, packed: 32 bytes each instead of two texts, so that storing it is copying bytes.
import type { Micros } from "../records/observation.ts";
import { type ByteReader, type ByteWriter, packUuid, unpackUuid } from "./bytes.ts";
import type { EvidenceRef } from "./result.ts";

const UUID = 16;
const NO_IDS = new Uint8Array(0);
const PAIR = 2 * UUID;

/** Ascending by time, then by evidence id, so that equal times end up the same in whatever order they come. */
export class RefList {
  #times: number[] = [];
  /** Evidence id and flow id of each; longer than in use. */
  #ids: Uint8Array = NO_IDS;

  get length(): number {
    return this.#times.length;
  }

  /** Bytes that it takes. */
  get weight(): number {
    return 120 + 8 * this.#times.length + this.#ids.length;
  }

  list(): EvidenceRef[] {
    return this.#times.map((observedAt, index) => ({
      evidenceId: unpackUuid(this.#ids, index * PAIR),
      observedAt,
      flowId: unpackUuid(this.#ids, index * PAIR + UUID),
    }));
  }

  /** Takes one in and keeps the newest `limit`. Throws a RangeError for an id that is no lower-case UUID. */
  add({ evidenceId, observedAt, flowId }: EvidenceRef, limit: number): void {
    packUuid(evidenceId, PACKED, 0);
    packUuid(flowId, PACKED, UUID);
    const times = this.#times;
    let at = times.length;
    while (
      at > 0 && (times[at - 1]! > observedAt || (times[at - 1] === observedAt && this.#isAfter(at - 1)))
    ) at--;
    const full = times.length >= limit;
    if (full && at === 0) return;
    if (full) {
      times.shift();
      this.#ids.copyWithin(0, PAIR, limit * PAIR);
      at--;
    }
    this.#reserve(times.length + 1, limit);
    if (at < times.length) this.#ids.copyWithin((at + 1) * PAIR, at * PAIR, times.length * PAIR);
    if (at === times.length) times.push(observedAt);
    else times.splice(at, 0, observedAt);
    this.#ids.set(PACKED, at * PAIR);
  }

  dropBefore(oldest: Micros): void {
    let count = 0;
    while (count < this.#times.length && this.#times[count]! < oldest) count++;
    if (count === 0) return;
    this.#ids.copyWithin(0, count * PAIR, this.#times.length * PAIR);
    this.#times.splice(0, count);
  }

  clear(): void {
    this.#times = [];
    this.#ids = NO_IDS;
  }

  write(out: ByteWriter): void {
    out.varint(this.#times.length);
    if (this.#times.length === 0) return;
    const newest = this.#times.at(-1)!;
    out.float(newest);
    for (const time of this.#times) out.varint(newest - time);
    out.raw(this.#ids.subarray(0, this.#times.length * PAIR));
  }

  static read(from: ByteReader): RefList {
    const list = new RefList();
    const length = from.varint();
    if (length === 0) return list;
    const newest = from.float();
    for (let left = length; left > 0; left--) list.#times.push(newest - from.varint());
    list.#ids = from.raw(length * PAIR);
    return list;
  }

  /** Whether the evidence id at `index` comes after the one packed. */
  #isAfter(index: number): boolean {
    for (let byte = 0; byte < UUID; byte++) {
      const difference = this.#ids[index * PAIR + byte]! - PACKED[byte]!;
      if (difference !== 0) return difference > 0;
    }
    return true;
  }

  #reserve(count: number, limit: number): void {
    if (count * PAIR <= this.#ids.length) return;
    const larger = new Uint8Array(Math.max(count, Math.min(limit, count * 2)) * PAIR);
    larger.set(this.#ids);
    this.#ids = larger;
  }
}

const PACKED = new Uint8Array(PAIR);
