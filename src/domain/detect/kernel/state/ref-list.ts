// The newest evidence of a state as numbers instead of texts: storing it is copying them, and a list of a few takes no
// buffer of its own from the system, of which there would be one for each of some hundred thousand states.
import type { Micros } from "../../../record/observation.ts";
import { type ByteReader, type ByteWriter, UUID_WORDS, uuidToWords, wordsToUuid } from "./bytes.ts";
import { addRow, dropRowsBefore } from "./number-rows.ts";
import type { Field } from "./schema.ts";
import type { EvidenceRef } from "../result.ts";

/** A row: the time, then the evidence id and the flow id in words. */
const EVIDENCE = 1;
const FLOW = EVIDENCE + UUID_WORDS;
const ROW = FLOW + UUID_WORDS;

/** Ascending by time, then by evidence id, so that equal times end up the same in whatever order they come. */
export class RefList {
  /** Row after row. */
  #rows: number[] = [];

  get length(): number {
    return this.#rows.length / ROW;
  }

  /** Bytes that it takes: an array that grows has room to spare. */
  get weight(): number {
    return 100 + 9 * this.#rows.length;
  }

  list(): EvidenceRef[] {
    const rows = this.#rows;
    return Array.from({ length: this.length }, (_, index) => ({
      evidenceId: wordsToUuid(rows, index * ROW + EVIDENCE),
      observedAt: rows[index * ROW]!,
      flowId: wordsToUuid(rows, index * ROW + FLOW),
    }));
  }

  /** Takes one in and keeps the newest `limit`. Throws a RangeError for an id that is no lower-case UUID. */
  add({ evidenceId, observedAt, flowId }: EvidenceRef, limit: number): void {
    ADDED[0] = observedAt;
    uuidToWords(evidenceId, ADDED, EVIDENCE);
    uuidToWords(flowId, ADDED, FLOW);
    if (this.#rows.length === 0) {
      this.#rows = ADDED.slice();
      return;
    }
    addRow(this.#rows, ADDED, FLOW, limit);
  }

  dropBefore(oldest: Micros): void {
    dropRowsBefore(this.#rows, ROW, oldest);
  }

  clear(): void {
    this.#rows = [];
  }

  write(out: ByteWriter): void {
    const rows = this.#rows;
    out.varint(this.length);
    if (rows.length === 0) return;
    const newest = rows[rows.length - ROW]!;
    out.float(newest);
    for (let at = 0; at < rows.length; at += ROW) out.varint(newest - rows[at]!);
    for (let at = 0; at < rows.length; at += ROW) {
      out.uuidWords(rows, at + EVIDENCE);
      out.uuidWords(rows, at + FLOW);
    }
  }

  static read(from: ByteReader): RefList {
    const list = new RefList();
    const length = from.varint();
    if (length === 0) return list;
    const newest = from.float();
    const times: number[] = [];
    for (let left = length; left > 0; left--) times.push(newest - from.varint());
    for (const time of times) {
      list.#rows.push(time);
      from.uuidWords(list.#rows);
      from.uuidWords(list.#rows);
    }
    return list;
  }
}

/** Up to `max` references to evidence, held as numbers. */
export function refList(max: number): Field<RefList> {
  return {
    write: (out, value) => value.write(out),
    read: (from) => RefList.read(from),
    size: (value) => value.weight,
    maxBytes: 10 + 40 * max,
  };
}

/** The row that is being added. */
const ADDED: number[] = new Array<number>(ROW).fill(0);
