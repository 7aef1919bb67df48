// A growing byte buffer and its reader: varints of up to 2^53 - 1, float64, UUIDs, texts.

/** Value of a lower-case hexadecimal digit by character code, 255 for anything else. */
const DIGITS = new Uint8Array(128).fill(255);
for (let value = 0; value < 16; value++) DIGITS[value.toString(16).charCodeAt(0)] = value;
const ENCODER = new TextEncoder();
// A text from a record may begin with a byte order mark, which must be kept.
const DECODER = new TextDecoder("utf-8", { ignoreBOM: true });
const DASH = 0x2d;
const TWO_32 = 2 ** 32;
/** Reused for each UUID that is written. */
const WORDS: number[] = [0, 0, 0];

interface Spare {
  buffer: Uint8Array;
  view: DataView;
  from: number;
}

/**
 * Unused space of the buffers of finished writers, for the next ones: thousands of states are written in a
 * row, and allocating a buffer takes longer than writing a state. Holds as many as writers were nested.
 */
const SPARES: Spare[] = [];
const BUFFER_BYTES = 64 * 1024;

const EMPTY = new Uint8Array(0);
const EMPTY_VIEW = new DataView(EMPTY.buffer);

/** Must not be written to after `bytes`. */
export class ByteWriter {
  #buffer: Uint8Array;
  #view: DataView;
  #start = 0;
  /** Next position to write. */
  #at = 0;

  constructor(capacity: number) {
    const spare = SPARES.pop();
    if (spare !== undefined && spare.from + capacity <= spare.buffer.length) {
      this.#buffer = spare.buffer;
      this.#view = spare.view;
      this.#start = this.#at = spare.from;
      return;
    }
    this.#buffer = new Uint8Array(Math.max(BUFFER_BYTES, capacity));
    this.#view = new DataView(this.#buffer.buffer);
  }

  varint(value: number): void {
    this.#reserve(8);
    let left = value;
    // One comparison recognises small values, which are the most frequent.
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

  /** The 16 bytes of a lower-case UUID text. */
  uuid(text: string): void {
    uuidToWords(text, WORDS, 0);
    this.uuidWords(WORDS, 0);
  }

  /** The 16 bytes of the UUID whose words start at index `at`. */
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

  /**
   * Finishes the writer. The returned view shares its buffer with other writers' results: copy it to keep it.
   */
  bytes(): Uint8Array {
    const written = this.#buffer.subarray(this.#start, this.#at);
    SPARES.push({ buffer: this.#buffer, view: this.#view, from: this.#at });
    this.#buffer = EMPTY;
    this.#view = EMPTY_VIEW;
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

/** Reads what ByteWriter wrote. Throws a RangeError if the bytes end early or are left over. */
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

  /** Appends the words of a UUID. */
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

/** A UUID as numbers of 48, 48 and 32 bits, which fit an array of numbers. */
export const UUID_WORDS = 3;

/** Writes the words of a lower-case UUID to `to` from index `at` on. Throws a RangeError for other texts. */
export function uuidToWords(text: string, to: number[], at: number): void {
  const dashed = text.length === 36 && text.charCodeAt(8) === DASH && text.charCodeAt(13) === DASH &&
    text.charCodeAt(18) === DASH && text.charCodeAt(23) === DASH;
  const first = digits(text, 0, 8) * 0x10000 + digits(text, 9, 13);
  const second = (digits(text, 14, 18) * 0x10000 + digits(text, 19, 23)) * 0x10000 + digits(text, 24, 28);
  const third = digits(text, 28, 36);
  // Any other character than a digit makes a sum NaN.
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
