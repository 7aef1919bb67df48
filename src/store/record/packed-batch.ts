import { Buffer } from "node:buffer";
import type { RecordKind } from "../../contract/record/kinds.ts";
import { type BlockRecord, encodeBlock, storedLine } from "./block.ts";
import { arraysOf, type Column } from "../engine/rows.ts";

/** A checked record to be stored. */
export interface IncomingRecord extends BlockRecord {
  /** Microseconds since the epoch. */
  observedAt: number;
  /** Why it cannot be normalised; null if it can. */
  unparsed: string | null;
}

/** A line that is not a record, with its original bytes. */
export interface IncomingRejection {
  /** SHA-256 of the line's bytes. */
  lineHash: Uint8Array;
  /** Null if the line states none. */
  kind: RecordKind | null;
  reason: string;
  line: Uint8Array;
}

/** The rejected lines of one request. */
interface PackedRejections {
  /** Including repeated lines. */
  count: number;
  /** Reason of the first; null without any. */
  reason: string | null;
  /** REJECTION_COLUMNS of the distinct lines, in key order. */
  columns: Uint8Array[];
}

/**
 * The records and rejected lines of one request, encoded for the database. Plain data without references into
 * the request's body, so that it can be made in another thread.
 */
export interface PackedBatch {
  /** Number of records in the request, including repeated ones. */
  records: number;
  /** Number of distinct records: those in the block. */
  distinct: number;
  /** Block positions of records that cannot be normalised, ascending. */
  unparsed: number[];
  /** RECORD_COLUMNS of the distinct records, in key order. */
  columns: Uint8Array[];
  /** Null without records. */
  block: Uint8Array | null;
  rejected: PackedRejections;
  /** The distinct records as `RecordPacker` packed them; null if none was given. */
  parsed: Uint8Array | null;
}

/** Packs the parsed records of a batch for the pipeline; neither ingest nor the store reads the result. */
export interface RecordPacker {
  /** @param positions Position in the block by position among the records; -1 for a record to leave out. */
  bytes(positions: Int32Array): Uint8Array;
}

/** A record and its position in the block. */
interface Placed {
  record: IncomingRecord;
  position: number;
}

export const KEY_COLUMNS: Column<Placed>[] = [
  { name: "observed_at", type: "timestamptz", of: ({ record }) => record.observedAt },
  { name: "event_id", type: "bytea", of: ({ record }) => record.eventId },
];
export const RECORD_COLUMNS: Column<Placed>[] = [
  ...KEY_COLUMNS,
  { name: "kind", type: "text", of: ({ record }) => record.kind },
  { name: "reason", type: "text", of: ({ record }) => record.unparsed },
  { name: "position", type: "smallint", of: ({ position }) => position },
];

interface StoredLine extends IncomingRejection {
  stored: Uint8Array;
}

export const REJECTION_COLUMNS: Column<StoredLine>[] = [
  { name: "line_hash", type: "bytea", of: ({ lineHash }) => lineHash },
  { name: "kind", type: "text", of: ({ kind }) => kind },
  { name: "reason", type: "text", of: ({ reason }) => reason },
  { name: "line", type: "bytea", of: ({ stored }) => stored },
  {
    name: "line_bytes",
    type: "integer",
    of: ({ line, stored }) => stored.length === line.length ? null : line.length,
  },
];

/**
 * Packs a request's batch. Of equal records the first one is kept; the block keeps the order of arrival.
 *
 * @param packer Holds the parsed records, by their positions among `records`.
 */
export function packBatch(
  records: readonly IncomingRecord[],
  rejected: readonly IncomingRejection[],
  packer: RecordPacker | null = null,
): PackedBatch {
  const sorted = distinctByKey(records);
  const placed = [...sorted].sort((a, b) => a.position - b.position);
  const positions = new Int32Array(records.length).fill(-1);
  placed.forEach((entry, position) => {
    positions[entry.position] = position;
    entry.position = position;
  });
  return {
    records: records.length,
    distinct: placed.length,
    unparsed: placed.flatMap(({ record, position }) => record.unparsed === null ? [] : [position]),
    columns: arraysOf(RECORD_COLUMNS, sorted),
    block: placed.length === 0 ? null : encodeBlock(placed.map((entry) => entry.record)),
    rejected: {
      count: rejected.length,
      reason: rejected[0]?.reason ?? null,
      columns: arraysOf(REJECTION_COLUMNS, distinctLines(rejected)),
    },
    parsed: packer?.bytes(positions) ?? null,
  };
}

/** In key order, as the records are. */
function distinctLines(rejected: readonly IncomingRejection[]): StoredLine[] {
  const sorted = [...rejected].sort((a, b) => Buffer.compare(a.lineHash, b.lineHash));
  return sorted
    .filter(({ lineHash }, at) => at === 0 || Buffer.compare(sorted[at - 1]!.lineHash, lineHash) !== 0)
    .map((rejection) => ({ ...rejection, stored: storedLine(rejection.line) }));
}

/** In key order, so that concurrent batches lock shared keys in the same order. */
function distinctByKey(records: readonly IncomingRecord[]): Placed[] {
  const sorted = records.map((record, position) => ({ record, position })).sort(compare);
  return sorted.filter((entry, at) => at === 0 || compareKeys(sorted[at - 1]!, entry) !== 0);
}

function compare(a: Placed, b: Placed): number {
  return compareKeys(a, b) || a.position - b.position;
}

function compareKeys(a: Placed, b: Placed): number {
  return a.record.observedAt - b.record.observedAt || Buffer.compare(a.record.eventId, b.record.eventId);
}
