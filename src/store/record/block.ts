// A block: the records of one accepted request, compressed together. Decompressed it is
//
//     count, bytes of text (uint32, big endian) · count × 32 bytes of event id · text
//
// where text is UTF-8 lines `kind TAB observed_at TAB payload`, readable with `zstd -d`. A payload keeps its
// exact bytes: JSON on one NDJSON line has no newline, and the fields before it have no tab.

import { Buffer } from "node:buffer";
import { constants, zstdCompressSync, zstdDecompressSync } from "node:zlib";
import type { RecordKind } from "../../contract/record/kinds.ts";

export interface BlockRecord {
  /** 32 bytes. */
  eventId: Uint8Array;
  kind: RecordKind;
  /** Canonical UTC text with every fraction digit of the source. */
  observedAtText: string;
  /** The payload's exact JSON text. */
  payload: string;
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

const HEAD_BYTES = 8;
const EVENT_ID_BYTES = 32;
const NEWLINE = 10;
const TAB = 9;

// The synchronous functions: Deno's asynchronous ones run on the same thread, are slower, and crash the
// process when a damaged frame fails late.

/**
 * The checksum detects damage on decompression. Level 1 takes half the time of the default and compresses as
 * well (to 0.069 of Zeek lines with either).
 */
const OPTIONS = { params: { [constants.ZSTD_c_checksumFlag]: 1, [constants.ZSTD_c_compressionLevel]: 1 } };

export function encodeBlock(records: readonly BlockRecord[]): Uint8Array {
  const lines = records.map((record) => `${record.kind}\t${record.observedAtText}\t${record.payload}`);
  const text = lines.join("\n");
  const textBytes = Buffer.byteLength(text);
  const textStart = HEAD_BYTES + records.length * EVENT_ID_BYTES;
  const block = room(textStart + textBytes);
  block.writeUint32BE(records.length, 0);
  block.writeUint32BE(textBytes, 4);
  records.forEach((record, index) => block.set(record.eventId, HEAD_BYTES + index * EVENT_ID_BYTES));
  block.write(text, textStart);
  return zstdCompressSync(block, OPTIONS);
}

/** Shorter lines gain little. In bytes. */
const MIN_COMPRESSED_LINE = 256;

/**
 * A rejected line as it is stored: compressed if that makes it shorter. A body of a few kilobytes may decompress to
 * megabytes of lines, and the work of the database follows the bytes that it is given.
 */
export function storedLine(line: Uint8Array): Uint8Array {
  if (line.length < MIN_COMPRESSED_LINE) return line;
  const compressed = zstdCompressSync(line, OPTIONS);
  return compressed.length < line.length ? compressed : line;
}

/** @param bytes Length of the line; null if it is stored as it was sent. */
export function originalLine(stored: Uint8Array, bytes: number | null): Uint8Array {
  if (bytes === null) return stored;
  const line = zstdDecompressSync(stored);
  if (line.length !== bytes) throw new Error(`a rejected line of ${bytes} bytes has ${line.length}`);
  return line;
}

/** Reused for most blocks: fresh memory costs a page fault per page. */
const scratch = Buffer.allocUnsafeSlow(1024 * 1024);

function room(bytes: number): Buffer {
  return bytes <= scratch.length ? scratch.subarray(0, bytes) : Buffer.allocUnsafeSlow(bytes);
}

/** @throws Error if the bytes are not a complete block */
export function decodeBlock(body: Uint8Array): BlockRecord[] {
  const { count, ids, text } = unpack(body);
  const lines = utf8.decode(text).split("\n");
  if (lines.length !== count) throw new Error(`a block of ${count} records holds ${lines.length} lines`);
  return lines.map((line, position) => toRecord(line, ids, position));
}

/**
 * The records at these positions. Nothing of what it returns holds on to the rest of the block: a few hundred
 * records may come from as many blocks of megabytes.
 *
 * @throws Error when the bytes are not a whole block.
 */
export function decodeRecords(body: Uint8Array, positions: readonly number[]): Map<number, BlockRecord> {
  const { ids, text } = unpack(body);
  const wanted = new Set(positions);
  const found = new Map<number, BlockRecord>();
  for (let start = 0, position = 0; start <= text.length && found.size < wanted.size; position++) {
    const newline = text.indexOf(NEWLINE, start);
    const end = newline === -1 ? text.length : newline;
    if (wanted.has(position)) {
      found.set(position, toRecord(utf8.decode(text.subarray(start, end)), ids, position));
    }
    start = end + 1;
  }
  if (found.size < wanted.size) throw new Error(`a block lacks one of its records ${[...wanted].join(", ")}`);
  return found;
}

/**
 * The payload's bytes of the record at a position: a view of the whole decompressed block, to be copied from.
 *
 * @throws Error if the bytes are not a complete block
 */
export function payloadBytes(body: Uint8Array, position: number): Uint8Array<ArrayBuffer> {
  const { text } = unpack(body);
  let start = 0;
  for (let before = 0; before < position; before++) start = text.indexOf(NEWLINE, start) + 1;
  const newline = text.indexOf(NEWLINE, start);
  const line = text.subarray(start, newline === -1 ? text.length : newline);
  return line.subarray(line.indexOf(TAB, line.indexOf(TAB) + 1) + 1);
}

function unpack(
  body: Uint8Array,
): { count: number; ids: Uint8Array; text: Uint8Array<ArrayBuffer> } {
  const { buffer, byteOffset, byteLength } = zstdDecompressSync(body);
  const bytes = new Uint8Array(buffer, byteOffset, byteLength);
  const view = new DataView(buffer, byteOffset, byteLength);
  const count = view.getUint32(0);
  const textStart = HEAD_BYTES + count * EVENT_ID_BYTES;
  // Deno does not report a truncated frame.
  const expected = textStart + view.getUint32(4);
  if (byteLength !== expected) throw new Error(`a block of ${expected} bytes has ${byteLength}`);
  return { count, ids: bytes.subarray(HEAD_BYTES, textStart), text: bytes.subarray(textStart) };
}

function toRecord(line: string, ids: Uint8Array, position: number): BlockRecord {
  const kindEnd = line.indexOf("\t");
  const timeEnd = line.indexOf("\t", kindEnd + 1);
  if (kindEnd === -1 || timeEnd === -1) throw new Error(`a block's line ${position} is not a record`);
  return {
    eventId: ids.slice(position * EVENT_ID_BYTES, (position + 1) * EVENT_ID_BYTES),
    kind: line.slice(0, kindEnd) as RecordKind,
    observedAtText: line.slice(kindEnd + 1, timeEnd),
    payload: line.slice(timeEnd + 1),
  };
}
