// Growing byte buffer and its reader: varints of up to 2^53 - 1, float64, UUIDs, texts.

/** Value of a lower-case hexadecimal digit by character code, 255 for anything else. */
const DIGITS = new Uint8Array(128).fill(255);
for (let value = 0; value < 16; value++) DIGITS[value.toString(16).charCodeAt(0)] = value;
const ENCODER = new TextEncoder();
// A stranger's text may begin with a byte order mark, which is part of it.
const DECODER = new TextDecoder("utf-8", { ignoreBOM: true });
const DASH = 0x2d;
const TWO_32 = 2 ** 32;
/** The words of the UUID that is being written. */
const ONE: number[] = [0, 0, 0];

/**
 * What is left of a buffer after the writer that ended last, for the next one: thousands of states are written in a row,
 * and a buffer of its own for each takes longer than to write it.
 */
let rest: { buffer: Uint8Array; view: DataView; from: number } | null = null;
const BUFFER_BYTES = 64 * 1024;

const NOTHING = new Uint8Array(0);
const NOTHING_VIEW = new DataView(NOTHING.buffer);

/** Is written to until `bytes`, and not after. */
export class ByteWriter {
  #buffer: Uint8Array;
  #view: DataView;
  #start = 0;
  /** Where it writes next. */
  #at = 0;

  constructor(capacity: number) {
    if (rest !== null && rest.from + capacity <= rest.buffer.length) {
      this.#buffer = rest.buffer;
      this.#view = rest.view;
      this.#start = this.#at = rest.from;
      rest = null;
      return;
    }
    this.#buffer = new Uint8Array(Math.max(BUFFER_BYTES, capacity));
    this.#view = new DataView(this.#buffer.buffer);
  }

  varint(value: number): void {
    this.#reserve(8);
    let left = value;
    // Most values are small, and one comparison tells that they are.
    if ((value | 0) !== value || value < 0) {
      if (!Number.isSafeInteger(value) || value < 0) {
        throw new RangeError(`expected an integer from 0 to 2^53 - 1, got ${value}`);
      }
      while (left > 0x7fffffff) {
        this.#buffer[this.#at++] = (left % 128) | 128;
        left = Math.floor(left / 128);
      }
    }
    // Integer operations are several times faster than division.
    while (left >= 128) {
      this.#buffer[this.#at++] = (left & 127) | 128;
      left >>>= 7;
    }
    this.#buffer[this.#at++] = left;
  }

  float(value: number): void {
    this.#reserve(8);
    this.#view.setFloat64(this.#at, value);
    this.#at += 8;
  }

  /** 16 bytes of a lower-case UUID text. */
  uuid(text: string): void {
    uuidToWords(text, ONE, 0);
    this.uuidWords(ONE, 0);
  }

  /** The 16 bytes of the UUID whose words stand from place `at` on. */
  uuidWords(words: readonly number[], at: number): void {
    this.#reserve(16);
    this.#word48(words[at]!);
    this.#word48(words[at + 1]!);
    this.#view.setUint32(this.#at, words[at + 2]!);
    this.#at += 4;
  }

  raw(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#buffer.set(bytes, this.#at);
    this.#at += bytes.length;
  }

  /** UTF-8 with its length. A lone surrogate comes back as U+FFFD. */
  text(value: string): void {
    const encoded = ENCODER.encode(value);
    this.varint(encoded.length);
    this.#reserve(encoded.length);
    this.#buffer.set(encoded, this.#at);
    this.#at += encoded.length;
  }

  /** What was written, in a buffer that others share: not to be kept for long. Ends the writer. */
  bytes(): Uint8Array {
    const written = this.#buffer.subarray(this.#start, this.#at);
    rest = { buffer: this.#buffer, view: this.#view, from: this.#at };
    this.#buffer = NOTHING;
    this.#view = NOTHING_VIEW;
    this.#start = this.#at = 0;
    return written;
  }

  #word48(value: number): void {
    const high = Math.floor(value / TWO_32);
    this.#view.setUint16(this.#at, high);
    this.#view.setUint32(this.#at + 2, value - high * TWO_32);
    this.#at += 6;
  }

  #reserve(more: number): void {
    if (this.#at + more <= this.#buffer.length) return;
    const written = this.#buffer.subarray(this.#start, this.#at);
    const larger = new Uint8Array(Math.max(BUFFER_BYTES, 2 * (written.length + more)));
    larger.set(written);
    this.#buffer = larger;
    this.#view = new DataView(larger.buffer);
    this.#start = 0;
    this.#at = written.length;
  }
}

/** Reads what ByteWriter wrote; throws a RangeError where the bytes end early or go on. */
export class ByteReader {
  #bytes: Uint8Array;
  #view: DataView;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  varint(): number {
    let value = 0;
    for (let scale = 1;; scale *= 128) {
      const byte = this.#bytes[this.#at++];
      if (byte === undefined || scale > 2 ** 49) throw new RangeError("varint: expected more or other bytes");
      value += (byte % 128) * scale;
      if (byte < 128) return value;
    }
  }

  float(): number {
    const value = this.#view.getFloat64(this.#at);
    this.#at += 8;
    return value;
  }

  uuid(): string {
    this.#expect(16);
    return unpackUuid(this.#bytes, (this.#at += 16) - 16);
  }

  /** Puts the words of a UUID at the end of these. */
  uuidWords(to: number[]): void {
    this.#expect(16);
    to.push(this.#word48(this.#at), this.#word48(this.#at + 6), this.#view.getUint32(this.#at + 12));
    this.#at += 16;
  }

  /** A copy of that many bytes. */
  raw(length: number): Uint8Array {
    this.#expect(length);
    return this.#bytes.slice(this.#at, this.#at += length);
  }

  #word48(at: number): number {
    return this.#view.getUint16(at) * TWO_32 + this.#view.getUint32(at + 2);
  }

  #expect(length: number): void {
    if (this.#at + length > this.#bytes.length) throw new RangeError(`expected ${length} more bytes`);
  }

  text(): string {
    const length = this.varint();
    this.#expect(length);
    return DECODER.decode(this.#bytes.subarray(this.#at, this.#at += length));
  }

  end(): void {
    if (this.#at !== this.#bytes.length) {
      throw new RangeError(`expected ${this.#at} bytes, got ${this.#bytes.length}`);
    }
  }
}

function unpackUuid(bytes: Uint8Array, at: number): string {
  return dashedHex(bytes.subarray(at, at + 16).toHex());
}

/** A UUID as numbers: of 48, 48 and 32 bits. Arrays of numbers grow without asking the system for memory. */
export const UUID_WORDS = 3;

/** Puts the words of a UUID text into `to` from place `at` on; throws a RangeError for one that is not in lower case. */
export function uuidToWords(text: string, to: number[], at: number): void {
  const dashed = text.length === 36 && text.charCodeAt(8) === DASH && text.charCodeAt(13) === DASH &&
    text.charCodeAt(18) === DASH && text.charCodeAt(23) === DASH;
  const first = digits(text, 0, 8) * 0x10000 + digits(text, 9, 13);
  const second = (digits(text, 14, 18) * 0x10000 + digits(text, 19, 23)) * 0x10000 + digits(text, 24, 28);
  const third = digits(text, 28, 36);
  // What is no digit makes no number of all.
  if (!dashed || Number.isNaN(first + second + third)) {
    throw new RangeError(`expected a lower-case UUID, got "${text}"`);
  }
  to[at] = first;
  to[at + 1] = second;
  to[at + 2] = third;
}

function digits(text: string, from: number, to: number): number {
  let value = 0;
  let bad = 0;
  for (let at = from; at < to; at++) {
    const code = text.charCodeAt(at);
    const digit = DIGITS[code & 127] as number;
    bad |= digit | (code >> 7) << 4;
    value = value << 4 | digit;
  }
  return bad > 15 ? NaN : value >>> 0;
}

export function wordsToUuid(words: readonly number[], at: number): string {
  const hex = hexOf(words[at]!, 12) + hexOf(words[at + 1]!, 12) + hexOf(words[at + 2]!, 8);
  return dashedHex(hex);
}

function hexOf(word: number, length: number): string {
  return word.toString(16).padStart(length, "0");
}

function dashedHex(hex: string): string {
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
