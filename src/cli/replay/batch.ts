import type { ReplayRecord } from "./recording.ts";

export interface BatchLimits {
  lines: number;
  /** Of the body, including line ends. A longer record is sent alone. */
  bytes: number;
}

/** How far a file has been sent. */
export interface Position {
  /** Items (lines or objects) sent, counted from the start of the file. */
  items: number;
  /** Bytes of the file on disk. */
  bytes: number;
}

/** One request's worth of records. */
export interface Batch {
  body: Uint8Array;
  lines: number;
  /** In the order of the lines. */
  records: readonly ReplayRecord[];
  /** Lines per kind; lines without a kind are not counted. */
  kinds: Map<string, number>;
  /** Position of each file of the batch after its acknowledgement, by index of the recording. */
  reached: Map<number, Position>;
}

const LF = 0x0a;

/** Cuts a stream of records into batches within the limits, in order; no batch is empty. */
export async function* batches(
  records: AsyncIterable<ReplayRecord>,
  limits: BatchLimits,
): AsyncGenerator<Batch, void, void> {
  let pending: ReplayRecord[] = [];
  let bytes = 0;
  for await (const record of records) {
    const size = record.bytes.length + 1;
    if (pending.length > 0 && (pending.length >= limits.lines || bytes + size > limits.bytes)) {
      yield batchOf(pending, bytes);
      pending = [];
      bytes = 0;
    }
    pending.push(record);
    bytes += size;
  }
  if (pending.length > 0) yield batchOf(pending, bytes);
}

function batchOf(records: ReplayRecord[], bytes: number): Batch {
  // The last line needs no line end, so that a record of exactly the ingest's limit still fits.
  const body = new Uint8Array(bytes - 1);
  const kinds = new Map<string, number>();
  const reached = new Map<number, Position>();
  let at = 0;
  for (const record of records) {
    if (at > 0) body[at++] = LF;
    body.set(record.bytes, at);
    at += record.bytes.length;
    if (record.kind !== null) kinds.set(record.kind, (kinds.get(record.kind) ?? 0) + 1);
    reached.set(record.source, { items: record.item, bytes: record.offset });
  }
  return { body, lines: records.length, records, kinds, reached };
}
