// References to the newest evidence of a state, held as numbers: storing them copies numbers, and a short
// list needs no buffer of its own, of which hundreds of thousands of states would need one each.
import type { Micros } from "../../../record/observation.ts";
import { type ByteReader, type ByteWriter, UUID_WORDS, uuidToWords, wordsToUuid } from "./bytes.ts";
import { addRow, dropRowsBefore } from "./number-rows.ts";
import type { Field } from "./schema.ts";
import type { EvidenceRef } from "../result.ts";

/** Offsets in a row: the time, then the words of the evidence id and of the flow id. */
const EVIDENCE = 1;
const FLOW = EVIDENCE + UUID_WORDS;
const ROW = FLOW + UUID_WORDS;

/** Ascending by time, then by evidence id, so that the order of arrival never matters. */
export class RefList {
  /** One row after another. */
  #rows: number[] = [];

  get length(): number {
    return this.#rows.length / ROW;
  }

  /** Estimated bytes in memory; a growing array has spare capacity. */
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

  /** Adds a reference and keeps the newest `limit`. Throws a RangeError unless ids are lower-case UUIDs. */
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

/** Reused for each row that is added. */
const ADDED: number[] = new Array<number>(ROW).fill(0);
