// Growing byte buffer and its reader: varints of up to 2^53 - 1, float64, UUIDs.

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

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
    while (rest >= 128) {
      this.#buffer[this.#length++] = (rest % 128) + 128;
      rest = Math.floor(rest / 128);
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
    if (!UUID.test(text)) throw new RangeError(`expected a lower-case UUID, got "${text}"`);
    this.#reserve(16);
    for (let at = 0; at < 36; at += 2) {
      if (text.charCodeAt(at) === 0x2d) at++;
      this.#buffer[this.#length++] = hexDigit(text.charCodeAt(at)) * 16 + hexDigit(text.charCodeAt(at + 1));
    }
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
    let text = "";
    for (let index = 0; index < 16; index++) {
      if (index === 4 || index === 6 || index === 8 || index === 10) text += "-";
      text += HEX[this.#bytes[this.#at + index] as number];
    }
    this.#at += 16;
    return text;
  }

  end(): void {
    if (this.#at !== this.#bytes.length) {
      throw new RangeError(`expected ${this.#at} bytes, got ${this.#bytes.length}`);
    }
  }
}

function hexDigit(code: number): number {
  return code < 0x3a ? code - 0x30 : code - 0x57;
}
