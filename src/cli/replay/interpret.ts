// Converts one item of a recording into one line of the ingest's NDJSON.

import { RECORD_KINDS, type RecordKind } from "../../contract/record/kinds.ts";
import { eveKindOf, observedAtOf, zeekKindOf } from "../../domain/record/derive-envelope.ts";
import { readUnboundLine } from "../../domain/record/unbound/line.ts";
import { JsonError, type JsonValue, parseJson } from "../../kit/json/json.ts";
import { parseTimestamp } from "../../kit/time.ts";
import type { Format } from "./detect.ts";
import { shiftEnvelope, shiftPayload, shiftText } from "./shift.ts";
import type { Unsent } from "./skips.ts";
import { ZeekTsv } from "./zeek-tsv.ts";

export interface Line {
  /** One ingest record, without line end. */
  bytes: Uint8Array;
  /** `null` if an envelope has none (the ingest will reject and keep it). */
  kind: string | null;
  /** Source time after any shift, in microseconds; `null` if an envelope has none. */
  micros: number | null;
  /** When the source wrote it, if known: Zeek logs a connection at its end. */
  writtenMicros: number | null;
}

export type Interpreted = Line | Unsent;

/** Reads the items of one file in order. */
export interface Interpreter {
  /** `null` for an item that is not a record: a blank line, a header. */
  read(item: Uint8Array): Interpreted | null;
  /** Skips an item that an earlier run has sent. */
  pass(item: Uint8Array): void;
}

type JsonObject = Record<string, JsonValue>;
type KindOf = (record: JsonObject) => RecordKind | Unsent;

/** `kind`: the caller's kind for every record; `shiftSeconds` shifts all times. */
export function interpreterOf(format: Format, kind: RecordKind | null, shiftSeconds: number): Interpreter {
  switch (format.type) {
    case "envelopes":
      return { read: (item) => readEnvelope(item, shiftSeconds), pass: ignore };
    case "zeek-json":
      return jsonInterpreter((record) => kind ?? zeekKind(record, format.log), shiftSeconds);
    case "zeek-tsv":
      return tsvInterpreter(format.log, kind, shiftSeconds);
    case "eve":
      return jsonInterpreter((record) => kind ?? eveKind(record), shiftSeconds);
    case "payloads":
      return jsonInterpreter(() => format.kind, shiftSeconds);
    case "unbound-log":
      return { read: (item) => readUnbound(item, shiftSeconds), pass: ignore };
    case "empty":
      return { read: () => null, pass: ignore };
  }
}

function ignore(): void {}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const encoder = new TextEncoder();
const CLOSE = 0x7d;

function readEnvelope(item: Uint8Array, shiftSeconds: number): Interpreted | null {
  if (isBlank(item)) return null;
  const nothing: Line = { bytes: item, kind: null, micros: null, writtenMicros: null };
  // An invalid line is sent as it is: the ingest rejects it and keeps it as evidence.
  const text = textOf(item);
  const record = text === null ? null : objectOf(text);
  if (text === null || record === null) return nothing;
  const kind = typeof record.kind === "string" ? record.kind : null;
  const time = typeof record.observed_at === "string" ? parseTimestamp(record.observed_at) : null;
  const micros = time === null ? null : time.micros + shiftSeconds * 1e6;
  const payload = isObject(record.payload) ? record.payload : {};
  const line = { bytes: item, kind, micros, writtenMicros: writtenAt(kind, micros, payload) };
  if (shiftSeconds === 0 || !isRecordKind(kind)) return line;
  const moved = shifted(() => shiftEnvelope(kind, text, shiftSeconds));
  return moved === null ? line : { ...line, bytes: encoder.encode(moved) };
}

function jsonInterpreter(kindOf: KindOf, shiftSeconds: number): Interpreter {
  return { read: (item) => isBlank(item) ? null : readJson(item, kindOf, shiftSeconds), pass: ignore };
}

function readJson(item: Uint8Array, kindOf: KindOf, shiftSeconds: number): Interpreted {
  const text = textOf(item);
  if (text === null) return { skip: "not UTF-8", unreadable: true };
  const record = objectOf(text);
  if (record === null) return { skip: "not a JSON object", unreadable: true };
  const kind = kindOf(record);
  if (typeof kind !== "string") return kind;
  return wrap(kind, record, text, item, shiftSeconds);
}

function tsvInterpreter(log: string | null, kind: RecordKind | null, shiftSeconds: number): Interpreter {
  const tsv = new ZeekTsv();
  return {
    read(item) {
      if (isBlank(item)) return null;
      const row = textOf(item);
      if (row === null) return { skip: "not UTF-8", unreadable: true };
      if (row.startsWith("#")) {
        tsv.header(row);
        return null;
      }
      const found = kind ?? zeekKind({}, tsv.path ?? log);
      if (typeof found !== "string") return found;
      const converted = tsv.convert(row);
      if ("skip" in converted) return converted;
      const record = objectOf(converted.json);
      if (record === null) return { skip: "Zeek row that is not a JSON object", unreadable: true };
      return wrap(found, record, converted.json, null, shiftSeconds);
    },
    pass(item) {
      if (item[0] !== 0x23) return;
      const header = textOf(item);
      if (header !== null) tsv.header(header);
    },
  };
}

/** A query line becomes `{"message": <the line>}`; other lines are skipped like records of other logs. */
function readUnbound(item: Uint8Array, shiftSeconds: number): Interpreted | null {
  if (isBlank(item)) return null;
  const line = textOf(item);
  // Such a line may be of any program.
  if (line === null) return { skip: "not UTF-8" };
  if (readUnboundLine(line) === null) return { skip: "not a query or reply line of Unbound's log" };
  const payload = { message: line };
  return wrap("unbound.query", payload, JSON.stringify(payload), null, shiftSeconds);
}

/**
 * Wraps the payload's own text into an envelope, without parsing and rewriting it. `source`: the text's
 * bytes, if the file has them.
 */
function wrap(
  kind: RecordKind,
  record: JsonObject,
  text: string,
  source: Uint8Array | null,
  shiftSeconds: number,
): Interpreted {
  const observed = observedAtOf(kind, record);
  const time = observed === null ? null : parseTimestamp(observed);
  if (observed === null || time === null) return { skip: `${kind} without a source time` };
  const micros = time.micros + shiftSeconds * 1e6;
  const written = shiftSeconds === 0 ? null : shifted(() => shiftPayload(kind, text, shiftSeconds));
  const observedAt = shiftSeconds === 0 ? observed : shiftText(observed, shiftSeconds);
  const head = `{"kind":"${kind}","observed_at":"${observedAt}","payload":`;
  const bytes = written === null && source !== null
    ? enclose(head, source)
    : encoder.encode(`${head}${written ?? text}}`);
  return { bytes, kind, micros, writtenMicros: writtenAt(kind, micros, record) };
}

function enclose(head: string, payload: Uint8Array): Uint8Array {
  const start = encoder.encode(head);
  const bytes = new Uint8Array(start.length + payload.length + 1);
  bytes.set(start);
  bytes.set(payload, start.length);
  bytes[bytes.length - 1] = CLOSE;
  return bytes;
}

/**
 * `null` for a text that the strict reader refuses (duplicate keys, …): it is sent unshifted, to be rejected.
 */
function shifted(shift: () => string): string | null {
  try {
    return shift();
  } catch (error) {
    if (error instanceof JsonError) return null;
    throw error;
  }
}

function writtenAt(kind: string | null, micros: number | null, payload: JsonObject): number | null {
  if (micros === null || kind !== "zeek.conn" || typeof payload.duration !== "number") return micros;
  return micros + Math.max(0, payload.duration) * 1e6;
}

function zeekKind(record: JsonObject, log: string | null): RecordKind | Unsent {
  const tag = record._path ?? record["@stream"];
  const name = typeof tag === "string" ? tag : log;
  if (name === null) return { skip: "Zeek record without _path" };
  return zeekKindOf(name) ?? { skip: `Zeek log "${name.slice(0, 40)}" is not a supported kind` };
}

function eveKind(record: JsonObject): RecordKind | Unsent {
  const type = record.event_type;
  if (typeof type !== "string") return { skip: "EVE record without event_type" };
  return eveKindOf(type) ?? { skip: `EVE type "${type.slice(0, 40)}" is not a supported kind` };
}

function textOf(bytes: Uint8Array): string | null {
  try {
    return utf8.decode(bytes);
  } catch {
    return null;
  }
}

function objectOf(text: string): JsonObject | null {
  try {
    const value = parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

/** The ingest's reader, else the plain one: rejecting, for example, a duplicate key is the ingest's task. */
function parse(text: string): JsonValue {
  try {
    return parseJson(text);
  } catch {
    return JSON.parse(text) as JsonValue;
  }
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isRecordKind(kind: string | null): kind is RecordKind {
  return (RECORD_KINDS as readonly (string | null)[]).includes(kind);
}

function isBlank(item: Uint8Array): boolean {
  return item.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d);
}
