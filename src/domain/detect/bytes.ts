// Growing byte buffer and its reader: varints of up to 2^53 - 1, float64, UUIDs.

/** Value of a lower-case hexadecimal digit by character code, 255 for anything else. */
const DIGITS = new Uint8Array(128).fill(255);
for (let value = 0; value < 16; value++) DIGITS[value.toString(16).charCodeAt(0)] = value;
const DASHES = [8, 13, 18, 23] as const;

export class ByteWriter {
  #buffer: Uint8Array;
  #view: DataView;
  #length = 0;

  constructor(capacity: number) {
    this.#buffer = new Uint8Array(Math.max(16, capacity));
    this.#view = new DataView(this.#buffer.buffer);
  }

  varint(value: number): void {
    if (!Number.isSafeInteger(value) || value < 0) {
      throw new RangeError(`expected an integer from 0 to 2^53 - 1, got ${value}`);
    }
    this.#reserve(8);
    let rest = value;
    while (rest > 0x7fffffff) {
      this.#buffer[this.#length++] = (rest % 128) | 128;
      rest = Math.floor(rest / 128);
    }
    // Most values are small, and integer operations are several times faster than division.
    while (rest >= 128) {
      this.#buffer[this.#length++] = (rest & 127) | 128;
      rest >>>= 7;
    }
    this.#buffer[this.#length++] = rest;
  }

  float(value: number): void {
    this.#reserve(8);
    this.#view.setFloat64(this.#length, value);
    this.#length += 8;
  }

  /** 16 bytes of a lower-case UUID text. */
  uuid(text: string): void {
    this.#reserve(16);
    let bad = text.length === 36 && DASHES.every((at) => text.charCodeAt(at) === 0x2d) ? 0 : 255;
    for (let at = 0; at < 36; at += 2) {
      if (at === 8 || at === 13 || at === 18 || at === 23) at++;
      const high = DIGITS[text.charCodeAt(at) & 127] as number;
      const low = DIGITS[text.charCodeAt(at + 1) & 127] as number;
      bad |= high | low | (text.charCodeAt(at) >> 7) << 4 | (text.charCodeAt(at + 1) >> 7) << 4;
      this.#buffer[this.#length++] = high * 16 + low;
    }
    if (bad > 15) throw new RangeError(`expected a lower-case UUID, got "${text}"`);
  }

  bytes(): Uint8Array {
    return this.#buffer.slice(0, this.#length);
  }

  #reserve(more: number): void {
    if (this.#length + more <= this.#buffer.length) return;
    const larger = new Uint8Array(this.#buffer.length * 2 + more);
    larger.set(this.#buffer);
    this.#buffer = larger;
    this.#view = new DataView(larger.buffer);
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
    if (this.#at + 16 > this.#bytes.length) throw new RangeError("uuid: expected 16 bytes");
    const hex = this.#bytes.subarray(this.#at, this.#at += 16).toHex();
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${
      hex.slice(20)
    }`;
  }

  end(): void {
    if (this.#at !== this.#bytes.length) {
      throw new RangeError(`expected ${this.#at} bytes, got ${this.#bytes.length}`);
    }
  }
}
