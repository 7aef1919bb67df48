// Array parameters in PostgreSQL's binary format, which neither side has to convert to text. A column of many
// rows is one buffer.
//
//     dimensions (1), has nulls, element type, elements, lower bound (1) · elements × (bytes, or -1 for null · value)

import { Buffer } from "node:buffer";
import { packV4, parseIp } from "../../../kit/net/ip.ts";
import { encoded, isPlain, writePlain } from "./binary-text.ts";
import { storableTime } from "../literals.ts";

const HEAD_BYTES = 20;
/** An empty array has no dimension, hence no element count. */
const EMPTY_BYTES = 12;
const NULL_LENGTH = -1;

/** 2000-01-01, PostgreSQL's epoch, in microseconds since 1970. */
const EPOCH = 946_684_800_000_000;
const TWO_32 = 2 ** 32;
const UUID_BYTES = 16;
const AF_INET = 2;
const AF_INET6 = 3;

/** OIDs of the element types in the system catalog. */
const OID = {
  boolean: 16,
  bytea: 17,
  bigint: 20,
  text: 25,
  smallint: 21,
  integer: 23,
  "double precision": 701,
  inet: 869,
  timestamptz: 1184,
  uuid: 2950,
} as const;

export type BinaryType = keyof typeof OID;

/**
 * A column's value: times are microseconds since the Unix epoch, addresses and UUIDs canonical text; a bigint
 * in a `bytea` column is stored as 8 bytes, big-endian. NUL cannot be stored in a PostgreSQL text and becomes
 * U+FFFD.
 */
export type BinaryValue = number | bigint | boolean | string | Uint8Array | null;

/** Element sizes in bytes of the fixed-size types. */
const FIXED = {
  boolean: 1,
  smallint: 2,
  integer: 4,
  bigint: 8,
  "double precision": 8,
  timestamptz: 8,
} as const;

/** One array parameter. @throws RangeError for a value that the type cannot hold. */
export function binaryArray(type: BinaryType, values: readonly BinaryValue[]): Buffer {
  return binaryColumn(type, values, itself);
}

function itself(value: BinaryValue): BinaryValue {
  return value;
}

/** As `binaryArray`, of the values that `of` returns for the rows. */
export function binaryColumn<T>(type: BinaryType, rows: readonly T[], of: (row: T) => BinaryValue): Buffer {
  if (type === "bytea") return bytesArray(rows, of as (row: T) => Uint8Array | bigint | null);
  if (type === "text") return textArray(rows, of as (row: T) => string | null);
  if (type === "uuid") return uuidArray(rows, of as (row: T) => string | null);
  if (type === "inet") return inetArray(rows, of as (row: T) => string | null);
  const bytes = FIXED[type];
  const out = new DataView(new ArrayBuffer(HEAD_BYTES + rows.length * (4 + bytes)));
  let at = HEAD_BYTES;
  let nulls = false;
  // An index loop: V8 specialises iterator code for one kind of array, and rows come in several.
  for (let index = 0; index < rows.length; index++) {
    const value = of(rows[index]!);
    if (value === null) {
      nulls = true;
      out.setInt32(at, NULL_LENGTH);
      at += 4;
    } else {
      out.setInt32(at, bytes);
      write(type, out, at + 4, value);
      at += 4 + bytes;
    }
  }
  writeHead(out, rows.length, nulls, OID[type]);
  return Buffer.from(out.buffer, 0, rows.length === 0 ? EMPTY_BYTES : at);
}

function write(type: keyof typeof FIXED, out: DataView, at: number, value: BinaryValue): void {
  switch (type) {
    case "boolean":
      return out.setUint8(at, value ? 1 : 0);
    case "smallint":
      return out.setInt16(at, inRange(value as number, 15));
    case "integer":
      return out.setInt32(at, inRange(value as number, 31));
    case "bigint":
      return writeBigint(out, at, value as number | bigint);
    case "double precision":
      return out.setFloat64(at, value as number);
    case "timestamptz":
      return writeTime(out, at, value as number);
  }
}

/** Plain ASCII, nearly all texts, is written character by character; other texts are encoded first. */
function textArray<T>(rows: readonly T[], of: (row: T) => string | null): Buffer {
  const values: (string | Uint8Array | null)[] = [];
  let size = HEAD_BYTES;
  for (let index = 0; index < rows.length; index++) {
    const text = of(rows[index]!);
    const value = text === null || isPlain(text) ? text : encoded(text);
    values.push(value);
    size += 4 + (value === null ? 0 : value.length);
  }
  const bytes = new Uint8Array(size);
  const out = new DataView(bytes.buffer);
  let at = HEAD_BYTES;
  let nulls = false;
  for (let index = 0; index < values.length; index++) {
    const value = values[index]!;
    out.setInt32(at, value === null ? NULL_LENGTH : value.length);
    at += 4;
    if (value === null) nulls = true;
    else if (typeof value === "string") {
      writePlain(value, bytes, at);
      at += value.length;
    } else {
      bytes.set(value, at);
      at += value.length;
    }
  }
  writeHead(out, values.length, nulls, OID.text);
  return Buffer.from(bytes.buffer, 0, values.length === 0 ? EMPTY_BYTES : at);
}

function bytesArray<T>(rows: readonly T[], of: (row: T) => Uint8Array | bigint | null): Buffer {
  const values: (Uint8Array | bigint | null)[] = [];
  let size = HEAD_BYTES;
  for (let index = 0; index < rows.length; index++) {
    const value = of(rows[index]!);
    values.push(value);
    size += 4 + bytesOf(value);
  }
  const bytes = new Uint8Array(size);
  const out = new DataView(bytes.buffer);
  let at = HEAD_BYTES;
  let nulls = false;
  for (let index = 0; index < values.length; index++) {
    const value = values[index]!;
    out.setInt32(at, value === null ? NULL_LENGTH : bytesOf(value));
    at += 4;
    if (value === null) nulls = true;
    else if (typeof value === "bigint") {
      out.setBigInt64(at, value);
      at += 8;
    } else {
      bytes.set(value, at);
      at += value.length;
    }
  }
  writeHead(out, values.length, nulls, OID.bytea);
  return Buffer.from(bytes.buffer, 0, values.length === 0 ? EMPTY_BYTES : at);
}

function bytesOf(value: Uint8Array | bigint | null): number {
  if (value === null) return 0;
  return typeof value === "bigint" ? 8 : value.length;
}

function writeHead(out: DataView, count: number, nulls: boolean, oid: number): void {
  out.setInt32(0, count === 0 ? 0 : 1);
  out.setInt32(4, nulls ? 1 : 0);
  out.setInt32(8, oid);
  out.setInt32(12, count);
  out.setInt32(16, 1);
}

function inRange(value: number, bits: 15 | 31): number {
  if (!Number.isInteger(value) || value >= 2 ** bits || value < -(2 ** bits)) {
    throw new RangeError(`expected a whole number of ${bits + 1} bits, got ${value}`);
  }
  return value;
}

function writeBigint(out: DataView, at: number, value: number | bigint): void {
  if (typeof value === "bigint") {
    if (BigInt.asIntN(64, value) !== value) throw new RangeError(`expected 64 bits, got ${value}`);
    out.setBigInt64(at, value);
    return;
  }
  if (!Number.isInteger(value)) throw new RangeError(`expected a whole number, got ${value}`);
  if (!Number.isSafeInteger(value)) {
    out.setBigInt64(at, BigInt(value));
    return;
  }
  const high = Math.floor(value / TWO_32);
  out.setInt32(at, high);
  out.setUint32(at + 4, value - high * TWO_32);
}

function writeTime(out: DataView, at: number, micros: number): void {
  const whole = storableTime(micros);
  const since = whole - EPOCH;
  // Long before 2000, the difference is not a safe integer.
  writeBigint(out, at, Number.isSafeInteger(since) ? since : BigInt(whole) - BigInt(EPOCH));
}

/** Values of the hexadecimal digits by character code; 255 for any other. */
const DIGITS = new Uint8Array(128).fill(255);
for (let value = 0; value < 16; value++) {
  DIGITS[value.toString(16).charCodeAt(0)] = value;
  DIGITS[value.toString(16).toUpperCase().charCodeAt(0)] = value;
}

function uuidArray<T>(rows: readonly T[], of: (row: T) => string | null): Buffer {
  const bytes = new Uint8Array(HEAD_BYTES + rows.length * (4 + UUID_BYTES));
  const out = new DataView(bytes.buffer);
  let at = HEAD_BYTES;
  let nulls = false;
  for (let index = 0; index < rows.length; index++) {
    const text = of(rows[index]!);
    if (text === null) {
      nulls = true;
      out.setInt32(at, NULL_LENGTH);
      at += 4;
    } else {
      out.setInt32(at, UUID_BYTES);
      writeUuid(bytes, at + 4, text);
      at += 4 + UUID_BYTES;
    }
  }
  writeHead(out, rows.length, nulls, OID.uuid);
  return Buffer.from(bytes.buffer, 0, rows.length === 0 ? EMPTY_BYTES : at);
}

function writeUuid(out: Uint8Array, at: number, text: string): void {
  if (text.length !== 36) throw new RangeError(`expected a UUID, got ${text.slice(0, 64)}`);
  let from = 0;
  for (let byte = 0; byte < UUID_BYTES; byte++) {
    if (byte === 4 || byte === 6 || byte === 8 || byte === 10) from++;
    const high = DIGITS[text.charCodeAt(from++)] ?? 255;
    const low = DIGITS[text.charCodeAt(from++)] ?? 255;
    if ((high | low) > 15) throw new RangeError(`expected a UUID, got ${text}`);
    out[at + byte] = high << 4 | low;
  }
}

/** Writes the header of an address of `length` bytes. */
function writeInetHead(bytes: Uint8Array, at: number, length: number): void {
  bytes[at + 3] = 4 + length;
  bytes[at + 4] = length === 4 ? AF_INET : AF_INET6;
  bytes[at + 5] = length * 8;
  bytes[at + 7] = length;
}

/** Elements have the length of their address; the buffer has room for IPv6. */
function inetArray<T>(rows: readonly T[], of: (row: T) => string | null): Buffer {
  const bytes = new Uint8Array(HEAD_BYTES + rows.length * 24);
  const out = new DataView(bytes.buffer);
  let at = HEAD_BYTES;
  let nulls = false;
  for (let index = 0; index < rows.length; index++) {
    const text = of(rows[index]!);
    if (text === null) {
      nulls = true;
      out.setInt32(at, NULL_LENGTH);
      at += 4;
      continue;
    }
    const v4 = packV4(text);
    if (v4 !== -1) {
      writeInetHead(bytes, at, 4);
      out.setUint32(at + 8, v4);
      at += 12;
      continue;
    }
    const address = parseIp(text);
    if (address === null) throw new RangeError(`expected an address, got ${text.slice(0, 64)}`);
    const { length } = address;
    writeInetHead(bytes, at, length);
    at += 8;
    for (let byte = 0; byte < length; byte++) bytes[at++] = address[byte]!;
  }
  writeHead(out, rows.length, nulls, OID.inet);
  return Buffer.from(bytes.buffer, 0, rows.length === 0 ? EMPTY_BYTES : at);
}
