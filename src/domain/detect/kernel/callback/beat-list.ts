import type { Micros } from "../../../record/observation.ts";
import type { ByteReader, ByteWriter } from "../state/bytes.ts";
import { addRow, dropRowsBefore } from "../state/number-rows.ts";

/** What the rhythm needs to know of one connection of a channel. */
export interface Beat {
  start: Micros;
  end: Micros;
  srcPort: number | null;
  bytesOut: number | null;
}

const ROW = 4;
/** An unknown port or byte count. */
const NONE = -1;

/** Beats in ascending order of all their fields, so that the order of arrival never matters. */
export class BeatList {
  /** Start, end, port and bytes of each. */
  #rows: number[] = [];

  get length(): number {
    return this.#rows.length / ROW;
  }

  /** Estimated bytes in memory; a growing array has spare capacity. */
  get weight(): number {
    return 80 + 10 * this.#rows.length;
  }

  list(): Beat[] {
    const rows = this.#rows;
    return Array.from({ length: this.length }, (_, index) => ({
      start: rows[index * ROW]!,
      end: rows[index * ROW + 1]!,
      srcPort: orNull(rows[index * ROW + 2]!),
      bytesOut: orNull(rows[index * ROW + 3]!),
    }));
  }

  /** Whether a beat from this port starts within `distance` of `time`. */
  hasNear(srcPort: number, time: Micros, distance: Micros): boolean {
    const rows = this.#rows;
    for (let at = rows.length - ROW; at >= 0; at -= ROW) {
      if (rows[at]! < time - distance) return false;
      if (rows[at + 2] === srcPort && rows[at]! <= time + distance) return true;
    }
    return false;
  }

  /** Whether a beat from this port ends at most `gap` before `start`, and starts at most `gap` after `end`. */
  hasAdjacent(srcPort: number, start: Micros, end: Micros, gap: Micros): boolean {
    const rows = this.#rows;
    for (let at = rows.length - ROW; at >= 0; at -= ROW) {
      if (rows[at + 2] === srcPort && rows[at + 1]! >= start - gap && rows[at]! <= end + gap) return true;
    }
    return false;
  }

  /** Inserts a beat and keeps the newest `limit`. */
  add({ start, end, srcPort, bytesOut }: Beat, limit: number): void {
    ADDED[0] = start;
    ADDED[1] = end;
    ADDED[2] = srcPort ?? NONE;
    ADDED[3] = bytesOut ?? NONE;
    if (this.#rows.length === 0) {
      this.#rows = ADDED.slice();
      return;
    }
    addRow(this.#rows, ADDED, ROW, limit);
  }

  dropBefore(oldest: Micros): void {
    dropRowsBefore(this.#rows, ROW, oldest);
  }

  clear(): void {
    this.#rows = [];
  }

  /** Each start as the distance from the previous one, each end as the distance from its start. */
  write(out: ByteWriter): void {
    const rows = this.#rows;
    out.varint(this.length);
    let previous = rows[0] ?? 0;
    out.float(previous);
    for (let at = 0; at < rows.length; at += ROW) {
      const start = rows[at]!;
      out.varint(start - previous);
      out.varint(rows[at + 1]! - start);
      out.varint(rows[at + 2]! - NONE);
      out.varint(rows[at + 3]! - NONE);
      previous = start;
    }
  }

  static read(from: ByteReader): BeatList {
    const list = new BeatList();
    const count = from.varint();
    let start = from.float();
    for (let left = count; left > 0; left--) {
      start += from.varint();
      list.#rows.push(start, start + from.varint(), from.varint() + NONE, from.varint() + NONE);
    }
    return list;
  }
}

/** Reused for each row that is added. */
const ADDED: number[] = new Array<number>(ROW).fill(0);

function orNull(value: number): number | null {
  return value === NONE ? null : value;
}
