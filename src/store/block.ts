// A block: the records of one accepted request, compressed together. After decompression it reads
//
//     count (uint32, big endian) · count × 32 bytes of event id · UTF-8 lines `kind TAB observed_at TAB payload`
//
// so that an admin with `zstd -d` can read it, and a payload keeps its exact bytes (a JSON text on one NDJSON
// line holds no newline, and neither of the fields before it a tab).

import { Buffer } from "node:buffer";
import { promisify } from "node:util";
import { zstdCompress, zstdDecompress } from "node:zlib";
import type { RecordKind } from "../contract/kinds.ts";

export interface BlockRecord {
  /** 32 bytes. */
  eventId: Uint8Array;
  kind: RecordKind;
  /** Canonical UTC text with every fraction digit of the source. */
  observedAtText: string;
  /** The payload's exact JSON text. */
  payload: string;
}

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);
const utf8 = new TextDecoder("utf-8", { fatal: true });

const EVENT_ID_BYTES = 32;

export async function encodeBlock(records: readonly BlockRecord[]): Promise<Uint8Array> {
  const lines = records.map((record) => `${record.kind}\t${record.observedAtText}\t${record.payload}`).join(
    "\n",
  );
  const head = new Uint8Array(4 + records.length * EVENT_ID_BYTES);
  new DataView(head.buffer).setUint32(0, records.length);
  records.forEach((record, index) => head.set(record.eventId, 4 + index * EVENT_ID_BYTES));
  return await compress(Buffer.concat([head, Buffer.from(lines, "utf8")]));
}

/** @throws Error when the bytes are not a whole block. */
export async function decodeBlock(body: Uint8Array): Promise<BlockRecord[]> {
  const bytes = new Uint8Array(await decompress(body));
  const count = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0);
  const textStart = 4 + count * EVENT_ID_BYTES;
  const lines = utf8.decode(bytes.subarray(textStart)).split("\n");
  if (lines.length !== count) throw new Error(`a block of ${count} records holds ${lines.length} lines`);
  return lines.map((line, index) => {
    const kindEnd = line.indexOf("\t");
    const timeEnd = line.indexOf("\t", kindEnd + 1);
    const idStart = 4 + index * EVENT_ID_BYTES;
    return {
      eventId: bytes.subarray(idStart, idStart + EVENT_ID_BYTES),
      kind: line.slice(0, kindEnd) as RecordKind,
      observedAtText: line.slice(kindEnd + 1, timeEnd),
      payload: line.slice(timeEnd + 1),
    };
  });
}
