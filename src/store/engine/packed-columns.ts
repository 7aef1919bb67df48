// Columns of many rows, each as one value: decoding a value of its own for each row takes several times as long.

import type { Count, Micros } from "../../domain/record/observation.ts";
import { formatIp } from "../../kit/net/ip.ts";
import { type Sql, sql } from "./sql.ts";

/** Bytes before the elements of an array in PostgreSQL's binary format; an empty array has fewer. */
const HEAD_BYTES = 20;
const ELEMENT_BYTES = 4 + 8;
/** Bytes of an address before its value: family, mask, whether it is a network, length. */
const INET_HEAD_BYTES = 4;
const V4_BYTES = 4;
/** 2000-01-01, PostgreSQL's epoch, in microseconds since 1970. */
const EPOCH = 946_684_800_000_000;
const TWO_32 = 2 ** 32;

/**
 * An aggregate of a column without nulls, for the function that unpacks its type: `bigint`, `timestamptz` or `inet`
 * without a mask.
 */
export function packed(column: Sql): Sql {
  return sql`array_send(array_agg(${column}))`;
}

/** An aggregate of a text that may be null; an array of strings for the reader. */
export function packedTexts(column: Sql): Sql {
  return sql`json_agg(${column})`;
}

export function unpackCounts(bytes: Uint8Array): Count[] {
  return unpack(bytes, (view, at) => {
    const value = numberAt(view, at);
    return Number.isSafeInteger(value) ? value : view.getBigInt64(at);
  });
}

export function unpackTimes(bytes: Uint8Array): Micros[] {
  return unpack(bytes, (view, at) => numberAt(view, at) + EPOCH);
}

/** The addresses in canonical form. */
export function unpackAddresses(bytes: Uint8Array): string[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const addresses: string[] = [];
  // The same few addresses again and again: one string for each is made, and hashed by its readers, once.
  const texts = new Map<number, string>();
  for (let at = HEAD_BYTES; at < view.byteLength;) {
    const end = at + 4 + view.getInt32(at);
    const start = at + 4 + INET_HEAD_BYTES;
    if (end - start !== V4_BYTES) addresses.push(formatIp(bytes.subarray(start, end)));
    else {
      const packed = view.getUint32(start);
      let text = texts.get(packed);
      if (text === undefined) texts.set(packed, text = formatIp(bytes.subarray(start, end)));
      addresses.push(text);
    }
    at = end;
  }
  return addresses;
}

function unpack<T>(bytes: Uint8Array, valueAt: (view: DataView, at: number) => T): T[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const values: T[] = [];
  for (let at = HEAD_BYTES + 4; at < view.byteLength; at += ELEMENT_BYTES) values.push(valueAt(view, at));
  return values;
}

function numberAt(view: DataView, at: number): number {
  return view.getInt32(at) * TWO_32 + view.getUint32(at + 4);
}
