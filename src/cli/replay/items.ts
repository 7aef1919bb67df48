// Cuts a recording into items: the lines of a file, or the objects of a JSON document.

import type { Piece } from "./bytes.ts";

export interface Item {
  /** Counted from 1: the line number, or the object's position in the document. */
  number: number;
  /** The item's bytes without line end; `null` if it exceeded the limit and was dropped. */
  bytes: Uint8Array | null;
  /** Bytes of the file on disk read so far. */
  offset: number;
}

const LF = 0x0a;
const CR = 0x0d;
const BOM = [0xef, 0xbb, 0xbf];

/** Lines of a file, including blank ones. A line beyond `limit` bytes is dropped, not buffered. */
export async function* lines(
  pieces: AsyncIterable<Piece>,
  limit: number,
): AsyncGenerator<Item[], void, void> {
  const gather = new Gather(limit);
  let number = 0;
  let offset = 0;
  for await (const piece of pieces) {
    const items: Item[] = [];
    const data = offset === 0 ? withoutBom(piece.data) : piece.data;
    const last = offset;
    offset = piece.offset;
    let start = 0;
    for (let end = data.indexOf(LF); end !== -1; end = data.indexOf(LF, start)) {
      gather.add(data.subarray(start, end));
      start = end + 1;
      // Exact for a plain file; an approximation for gzip, whose pieces share an offset.
      const at = Math.min(piece.offset, last + start);
      items.push({ number: ++number, bytes: withoutCr(gather.take()), offset: at });
    }
    gather.add(data.subarray(start));
    if (items.length > 0) yield items;
  }
  if (!gather.isEmpty) yield [{ number: ++number, bytes: withoutCr(gather.take()), offset }];
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;

/**
 * The objects of a JSON document: the elements of its outermost array, or consecutive objects over several
 * lines. Only brackets and strings are parsed; the item's reader validates it. White space, commas and the
 * array's brackets between objects are dropped, anything else is an item of its own. Line breaks inside an
 * object become spaces, because a record is sent as one line.
 */
export async function* documents(
  pieces: AsyncIterable<Piece>,
  limit: number,
): AsyncGenerator<Item[], void, void> {
  const gather = new Gather(limit);
  let number = 0;
  let offset = 0;
  let depth = 0;
  let inString = false;
  let escaped = false;
  for await (const piece of pieces) {
    const items: Item[] = [];
    const data = offset === 0 ? withoutBom(piece.data) : piece.data;
    offset = piece.offset;
    let start = 0;
    const finish = (end: number) => {
      gather.add(data.subarray(start, end));
      start = end;
      const bytes = gather.take();
      if (bytes === null || !isBetween(bytes)) {
        items.push({ number: ++number, bytes: oneLine(bytes), offset });
      }
    };
    for (let i = 0; i < data.length; i++) {
      const byte = data[i]!;
      if (inString) {
        if (escaped) escaped = false;
        else if (byte === BACKSLASH) escaped = true;
        else if (byte === QUOTE) inString = false;
      } else if (byte === QUOTE) inString = depth > 0;
      else if (byte === OPEN_BRACE || (byte === OPEN_BRACKET && depth > 0)) {
        if (depth === 0) finish(i);
        depth++;
      } else if (byte === CLOSE_BRACE || (byte === CLOSE_BRACKET && depth > 0)) {
        if (depth > 0) depth--;
        if (depth === 0) finish(i + 1);
      }
    }
    gather.add(data.subarray(start));
    if (items.length > 0) yield items;
  }
  const rest = gather.take();
  if (rest === null || !isBetween(rest)) yield [{ number: ++number, bytes: oneLine(rest), offset }];
}

/** Buffers an item that may span pieces, and gives up once it is too long. */
class Gather {
  #parts: Uint8Array[] = [];
  #size = 0;

  constructor(readonly limit: number) {}

  get isEmpty(): boolean {
    return this.#size === 0;
  }

  add(part: Uint8Array): void {
    this.#size += part.length;
    if (this.#size > this.limit) this.#parts = [];
    else if (part.length > 0) this.#parts.push(part);
  }

  take(): Uint8Array | null {
    const parts = this.#parts;
    const size = this.#size;
    this.#parts = [];
    this.#size = 0;
    if (size > this.limit) return null;
    if (parts.length === 1) return parts[0]!;
    const whole = new Uint8Array(size);
    let at = 0;
    for (const part of parts) {
      whole.set(part, at);
      at += part.length;
    }
    return whole;
  }
}

function withoutBom(data: Uint8Array): Uint8Array {
  return BOM.every((byte, i) => data[i] === byte) ? data.subarray(3) : data;
}

function withoutCr(line: Uint8Array | null): Uint8Array | null {
  return line !== null && line.at(-1) === CR ? line.subarray(0, -1) : line;
}

/** Whether bytes between two objects are only white space, commas and the array's brackets. */
function isBetween(bytes: Uint8Array): boolean {
  return bytes.every((byte) =>
    byte === 0x20 || byte === 0x09 || byte === CR || byte === LF || byte === 0x2c || byte === OPEN_BRACKET ||
    byte === CLOSE_BRACKET
  );
}

/** In valid JSON line breaks occur only between tokens, so a space is equivalent. */
function oneLine(bytes: Uint8Array | null): Uint8Array | null {
  if (bytes === null || (!bytes.includes(LF) && !bytes.includes(CR))) return bytes;
  return bytes.map((byte) => byte === LF || byte === CR ? 0x20 : byte);
}
