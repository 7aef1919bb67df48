import { JsonError } from "./json-error.ts";
import { internKey } from "./json-keys.ts";
import { canonicalInteger, canonicalNumber } from "./json-number.ts";
import { decodeString, quote } from "./json-string.ts";

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const ZERO = 0x30;
const NINE = 0x39;
const MINUS = 0x2d;
const PLUS = 0x2b;
const DOT = 0x2e;

/** Powers of ten that a double holds exactly. */
const POWERS_OF_TEN = Array.from({ length: 23 }, (_, power) => 10 ** power);

/**
 * The lower half of the JSON reader: a position in a text, and reading strings, numbers and literals there.
 * Every method throws JsonError.
 */
export class JsonTokens {
  protected readonly text: string;
  protected at = 0;
  /** Whether canonical text is requested of what is being read. */
  protected wantsCanonical = false;
  /** Canonical text of the last value; `null` if its source text is canonical. */
  protected written: string | null = null;
  /** Whether the last key has no escapes and nothing above U+D7FF, so that `<` sorts it by code point. */
  protected plainKey = true;

  constructor(text: string) {
    this.text = text;
  }

  /** Reads a member's key; as `readString`, but most keys are interned already. */
  protected readKey(): string {
    if (this.code() !== QUOTE) throw this.expected('a key in "');
    const text = this.text;
    const start = this.at + 1;
    let at = start;
    let hash = 0;
    let code = text.charCodeAt(at);
    while (code >= 0x20 && code < 0xd800 && code !== QUOTE && code !== BACKSLASH) {
      hash = (Math.imul(hash, 31) + code) | 0;
      code = text.charCodeAt(++at);
    }
    this.plainKey = code === QUOTE;
    if (code !== QUOTE) return this.#unusualString(start);
    this.at = at + 1;
    this.written = null;
    return internKey(text, start, at, hash);
  }

  protected readString(): string {
    const text = this.text;
    const start = this.at + 1;
    let at = start;
    let code = text.charCodeAt(at);
    while (code >= 0x20 && code < 0xd800 && code !== QUOTE && code !== BACKSLASH) {
      code = text.charCodeAt(++at);
    }
    if (code !== QUOTE) return this.#unusualString(start);
    this.at = at + 1;
    this.written = null;
    return text.slice(start, at);
  }

  /** A string with escapes or with characters that need a check. */
  #unusualString(start: number): string {
    const { value, end } = decodeString(this.text, start);
    this.at = end;
    this.written = this.wantsCanonical ? quote(value) : null;
    return value;
  }

  protected readNumber(): number | bigint {
    const text = this.text;
    const start = this.at;
    const negative = text.charCodeAt(start) === MINUS;
    const whole = negative ? start + 1 : start;
    let at = whole;
    let mantissa = 0;
    let code = text.charCodeAt(at);
    if (code === ZERO) code = text.charCodeAt(++at);
    else {
      while (code >= ZERO && code <= NINE) {
        mantissa = mantissa * 10 + (code - ZERO);
        code = text.charCodeAt(++at);
      }
      if (at === whole) throw this.#noDigit(at);
    }
    let decimals = 0;
    if (code === DOT) {
      const fraction = ++at;
      code = text.charCodeAt(at);
      while (code >= ZERO && code <= NINE) {
        mantissa = mantissa * 10 + (code - ZERO);
        code = text.charCodeAt(++at);
      }
      if (at === fraction) throw this.#noDigit(at);
      decimals = at - fraction;
    }
    const exponent = code === 0x65 || code === 0x45;
    if (exponent) at = this.#skipExponent(at);
    this.at = at;
    // A mantissa and a power of ten that are both exact need one division, which rounds correctly once.
    if (!exponent && mantissa <= Number.MAX_SAFE_INTEGER && decimals < POWERS_OF_TEN.length) {
      const size = decimals === 0 ? mantissa : mantissa / POWERS_OF_TEN[decimals]!;
      // `-0`, decimals with trailing zeros and very small ones have another canonical text.
      const plain = decimals === 0
        ? size !== 0 || !negative
        : size >= 1e-5 && text.charCodeAt(at - 1) !== ZERO;
      if (plain) {
        this.written = null;
        return negative ? -size : size;
      }
    }
    return this.#unusualNumber(start, at, decimals > 0 && !exponent && text.charCodeAt(at - 1) !== ZERO);
  }

  #skipExponent(mark: number): number {
    const text = this.text;
    const sign = text.charCodeAt(mark + 1);
    const digits = sign === PLUS || sign === MINUS ? mark + 2 : mark + 1;
    let at = digits;
    let code = text.charCodeAt(at);
    while (code >= ZERO && code <= NINE) code = text.charCodeAt(++at);
    if (at === digits) throw this.#noDigit(at);
    return at;
  }

  /**
   * A number whose value or canonical text needs more work; `decimal` if it has a fraction without trailing
   * zeros and no exponent.
   */
  #unusualNumber(start: number, end: number, decimal: boolean): number | bigint {
    const literal = this.text.slice(start, end);
    const value = Number(literal);
    const size = Math.abs(value);
    if (size === Infinity) throw new JsonError("number overflows", start);
    if (decimal && size >= 1e-5 && size < 1e15) {
      this.written = null;
      return value;
    }
    const canonical = canonicalNumber(literal);
    if (canonical === null) throw new JsonError("number exponent out of range", start);
    this.written = canonical === literal ? null : canonical;
    if (size > Number.MAX_SAFE_INTEGER) return canonicalInteger(canonical) ?? value;
    return value === 0 ? 0 : value;
  }

  protected stepOver(word: string): boolean {
    if (!this.text.startsWith(word, this.at)) return false;
    this.at += word.length;
    return true;
  }

  /** Canonical text of the last value, which began at `start`. */
  protected writtenSince(start: number): string {
    return this.written ?? this.text.slice(start, this.at);
  }

  protected code(): number {
    return this.text.charCodeAt(this.at);
  }

  /** Skips white space and returns the next character, NaN at the end of the text. */
  protected visible(): number {
    const code = this.text.charCodeAt(this.at);
    return code <= 0x20 ? this.#skipSpace(code) : code;
  }

  #skipSpace(first: number): number {
    let code = first;
    while (code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09) {
      code = this.text.charCodeAt(++this.at);
    }
    return code;
  }

  protected expectEnd(): void {
    this.visible();
    if (this.at < this.text.length) throw this.expected("the end of the text");
  }

  protected expected(what: string): JsonError {
    const found = this.at >= this.text.length ? ", found the end of the text" : "";
    return new JsonError(`expected ${what}${found}`, this.at);
  }

  #noDigit(at: number): JsonError {
    return new JsonError("expected a digit", at);
  }
}
