import { Buffer } from "node:buffer";
import { setImmediate } from "node:timers";
import { sha256Bytes } from "../kit/hash.ts";
import type { Source } from "../config/sources.ts";
import { ApiError } from "../contract/request/errors.ts";
import { MAX_INGEST_LINES } from "../contract/record/ingest.ts";
import type { RecordKind } from "../contract/record/kinds.ts";
import { EVENT_ID_BYTES, eventId } from "../domain/record/event-id.ts";
import { LineError, readRecordLine, type RecordLine } from "../domain/record/record-line.ts";
import type { Normalised, RecordContext } from "../domain/record/observation.ts";
import { normalise, unparsedReason } from "../domain/record/registry.ts";
import { messageOf } from "../kit/errors.ts";
import { countLines, splitLines } from "../kit/json/ndjson.ts";
import {
  type IncomingRecord,
  type IncomingRejection,
  packBatch,
  type PackedBatch,
  type RecordPacker,
} from "../store/record/packed-batch.ts";
import { OversizedRecord } from "./oversized-record.ts";

/** The records and the rejected lines of one request, ready to be stored. */
interface Batch {
  records: IncomingRecord[];
  rejected: IncomingRejection[];
}

/** Maximum length of a stored reason, in UTF-16 units. */
const MAX_REASON = 200;
/** Milliseconds of work before yielding to other requests. */
const MAX_SLICE_MS = 20;
/** Lines between two checks of the clock. */
const SLICE_LINES = 32;

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Packs parsed records for the pipeline. */
interface ParsedPacker extends RecordPacker {
  add(record: { kind: RecordKind; eventId: Uint8Array; position: number; result: Normalised }): void;
}

/** Makes a packer for up to `capacity` records of a sensor. */
type PackerFactory = (sensorId: string, capacity: number) => ParsedPacker;

/**
 * Reads a body whose lines were counted by `countBody`; see `readBatch`.
 *
 * @param newPacker If given, the batch also carries the parsed records (`PackedBatch.parsed`).
 */
export async function parseBody(
  body: Uint8Array,
  source: Source,
  newPacker: PackerFactory | null = null,
): Promise<PackedBatch> {
  const lines = splitLines(body);
  const packer = newPacker?.(source.sensorId, lines.length) ?? null;
  const { records, rejected } = await readBatch(lines, source, packer, textOf(body));
  return packBatch(records, rejected, packer);
}

/** Decodes one line of a body. Throws a TypeError if it is not UTF-8. */
type TextOf = (line: Uint8Array) => string;

/**
 * Most bodies are pure ASCII: they are decoded once, and each line is a slice of the text. A thousand decoder
 * calls would take a sixth of the time of reading a body.
 */
function textOf(body: Uint8Array): TextOf {
  const text = plainText(body);
  if (text === null) return decodeLine;
  return ({ byteOffset, length }) => {
    const start = byteOffset - body.byteOffset;
    return text.slice(start, start + length);
  };
}

/** The decoded body if it has one character per byte, else null. */
function plainText(body: Uint8Array): string | null {
  try {
    const text = utf8.decode(body);
    return text.length === body.length ? text : null;
  } catch {
    return null;
  }
}

function decodeLine(line: Uint8Array): string {
  return utf8.decode(line);
}

/** Counts the non-blank lines of a body. Throws a 422 for none and for more than 1,000. */
export function countBody(body: Uint8Array): number {
  const lines = countLines(body, MAX_INGEST_LINES + 1);
  if (lines === 0) throw lineCount("none");
  if (lines > MAX_INGEST_LINES) throw lineCount("more");
  return lines;
}

/**
 * Validates, identifies and normalises every line. Tenant and sensor come from `source` only.
 *
 * @param packer Receives the parsed records, each with its position among the records; may be null.
 * @throws ApiError 403 where a line names a kind that the source may not send; nothing is stored then.
 */
export async function readBatch(
  lines: readonly Uint8Array[],
  source: Source,
  packer: ParsedPacker | null = null,
  text: TextOf = decodeLine,
): Promise<Batch> {
  const batch: Batch = { records: [], rejected: [] };
  const ids = new Uint8Array(lines.length * EVENT_ID_BYTES);
  let sliceEnd = performance.now() + MAX_SLICE_MS;
  for (const [index, line] of lines.entries()) {
    if (index % SLICE_LINES === 0 && performance.now() > sliceEnd) {
      await new Promise((resolve) => setImmediate(resolve));
      sliceEnd = performance.now() + MAX_SLICE_MS;
    }
    const read = readLine(line, text);
    const { kind } = read;
    if (kind !== null && !source.allowedKinds.has(kind as RecordKind)) throw forbiddenKind(kind, index + 1);
    if (read instanceof LineError) {
      batch.rejected.push(toRejection(line, kind as RecordKind | null, read.reason));
    } else {
      const id = ids.subarray(index * EVENT_ID_BYTES, (index + 1) * EVENT_ID_BYTES);
      const result = read instanceof OversizedRecord
        ? { unparsed: read.reason }
        : checkedBy(packer === null ? onlyReason : normalise, read, kind as RecordKind, source);
      const record = toRecord(read, kind as RecordKind, source, result, id);
      if (result !== null) {
        packer?.add({ kind: record.kind, eventId: id, position: batch.records.length, result });
      }
      batch.records.push(record);
    }
  }
  return batch;
}

function readLine(line: Uint8Array, textOf: TextOf): RecordLine | LineError {
  let text: string;
  try {
    text = textOf(line);
  } catch {
    return new LineError("not UTF-8 text", null);
  }
  try {
    return OversizedRecord.read(text, line.length) ?? readRecordLine(text, line);
  } catch (error) {
    if (error instanceof LineError) return error;
    throw error;
  }
}

function toRecord(
  line: RecordLine,
  kind: RecordKind,
  source: Source,
  result: Normalised | null,
  id: Uint8Array,
): IncomingRecord {
  return {
    eventId: eventId({
      tenantId: source.tenantId,
      sensorId: source.sensorId,
      kind,
      observedAtCanonical: line.observedAt.canonical,
      canonicalPayload: line.canonicalPayload,
    }, id),
    kind,
    observedAt: line.observedAt.micros,
    observedAtText: line.observedAt.canonical,
    payload: line.payload,
    unparsed: result !== null && "unparsed" in result ? storable(result.unparsed) : null,
  };
}

type Check = (kind: RecordKind, payload: RecordLine["value"], context: RecordContext) => Normalised | null;

/** Null if the record will become an observation. */
const onlyReason: Check = (kind, payload, context) => {
  const unparsed = unparsedReason(kind, payload, context);
  return unparsed === null ? null : { unparsed };
};

function checkedBy(check: Check, line: RecordLine, kind: RecordKind, source: Source): Normalised | null {
  // Which of the values the sensor means is unknown, so the record stays evidence and becomes no observation.
  if (line.repeatedKey !== null) return { unparsed: `repeated key ${JSON.stringify(line.repeatedKey)}` };
  try {
    return check(kind, line.value, {
      observedAt: line.observedAt.micros,
      expectedExporters: source.expectedExporters,
    });
  } catch (error) {
    // Evidence is kept even if its normaliser fails; one record must not block its batch.
    return { unparsed: `normaliser failed: ${messageOf(error)}` };
  }
}

function toRejection(line: Uint8Array, kind: RecordKind | null, reason: string): IncomingRejection {
  return { lineHash: Buffer.from(sha256Bytes(line)), kind, reason: storable(reason), line };
}

/**
 * Bounds a reason, which may quote its input, and replaces control characters that a text column cannot hold.
 */
function storable(reason: string): string {
  const clean = reason.replace(/\p{Cc}/gu, "\u{fffd}").toWellFormed();
  return clean.length <= MAX_REASON ? clean : `${clean.slice(0, MAX_REASON - 1).toWellFormed()}…`;
}

function lineCount(count: "none" | "more"): ApiError {
  const got = count === "none" ? "no non-empty lines" : `more than ${MAX_INGEST_LINES} lines`;
  return new ApiError(
    "invalid_request",
    `The batch has ${got}: expected 1 to ${MAX_INGEST_LINES} non-empty lines.`,
    { reason: "line_count" },
    422,
  );
}

function forbiddenKind(kind: string, line: number): ApiError {
  const shown = storable(kind.slice(0, 64));
  return new ApiError(
    "forbidden",
    "This sensor may not send records of this kind; the batch was not stored.",
    {
      reason: "kind_not_allowed",
      kind: shown,
      line,
    },
  );
}
