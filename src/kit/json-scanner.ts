import { quote, sortMembers } from "./json-canonical-parts.ts";
import { canonicalInteger, canonicalNumber } from "./json-number.ts";

/** A JSON value. Integers beyond ±(2^53 - 1) are `bigint`; every key is an own property, also `__proto__`. */
export type JsonValue = null | boolean | string | number | bigint | JsonValue[] | {
  [key: string]: JsonValue;
};

/** Why a text is not acceptable JSON, and where. */
export class JsonError extends Error {
  override readonly name = "JsonError";
  /** Index of the offending character, in UTF-16 units from the start of the text. */
  readonly position: number;

  constructor(message: string, position: number) {
    super(`${message} at character ${position}`);
    this.position = position;
  }
}

/** One member of an object: its value, and the span of the value's source text. */
export interface JsonMember {
  value: JsonValue;
  start: number;
  end: number;
  /** Canonical text of the value, where it was asked for. */
  canonical: string | null;
}

export const DEFAULT_MAX_DEPTH = 128;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const ZERO = 0x30;
const NINE = 0x39;
const MINUS = 0x2d;
const PLUS = 0x2b;
const DOT = 0x2e;

const ESCAPES: { [code: number]: string } = {
  0x22: '"',
  0x5c: "\\",
  0x2f: "/",
  0x62: "\b",
  0x66: "\f",
  0x6e: "\n",
  0x72: "\r",
  0x74: "\t",
};

/** Powers of ten that a double holds exactly. */
const POWERS_OF_TEN = Array.from({ length: 23 }, (_, power) => 10 ** power);

/**
 * The one JSON reader of the program. It checks the grammar and everything else that an identity depends on
 * (duplicate keys, lone surrogates, numbers out of range, depth), builds the value and, where wanted, the
 * canonical text in the same pass. Every method throws JsonError.
 *
 * The canonical text costs little because most of it stands in the source already: a value whose source is
 * canonical is taken from there, and only the rest is written anew.
 */
export class JsonScanner {
  readonly #text: string;
  readonly #maxDepth: number;
  #at = 0;
  /** Whether canonical text is wanted of what is being read. */
  #canonical = false;
  /** Canonical text of the value read last; `null` where its source text is canonical. */
  #written: string | null = null;

  constructor(text: string, maxDepth: number = DEFAULT_MAX_DEPTH) {
    this.#text = text;
    this.#maxDepth = maxDepth;
  }

  /** Reads the whole text as one value. */
  document(): JsonValue {
    this.#space();
    const value = this.#value(0);
    this.#end();
    return value;
  }

  /** Reads the whole text as one value and gives its canonical text. */
  canonical(): string {
    this.#canonical = true;
    this.#space();
    const start = this.#at;
    this.#value(0);
    const text = this.#writtenSince(start);
    this.#end();
    return text;
  }

  /** Reads the whole text as one object, with the canonical text of the member named `canonicalOf`. */
  members(canonicalOf: string): Map<string, JsonMember> {
    const members = new Map<string, JsonMember>();
    this.#space();
    if (this.#code() !== OPEN_BRACE) throw this.#expected("an object");
    if (!this.#open(CLOSE_BRACE)) {
      do {
        this.#space();
        const keyStart = this.#at;
        const key = this.#key();
        if (members.has(key)) throw duplicateKey(key, keyStart);
        this.#colon();
        this.#canonical = key === canonicalOf;
        const start = this.#at;
        const value = this.#value(1);
        const canonical = this.#canonical ? this.#writtenSince(start) : null;
        members.set(key, { value, start, end: this.#at, canonical });
        this.#canonical = false;
      } while (this.#more(CLOSE_BRACE));
    }
    this.#end();
    return members;
  }

  #value(depth: number): JsonValue {
    const code = this.#code();
    if (code === QUOTE) return this.#string();
    if (code === MINUS || (code >= ZERO && code <= NINE)) return this.#number();
    if (code === OPEN_BRACE) return this.#object(depth);
    if (code === OPEN_BRACKET) return this.#array(depth);
    this.#written = null;
    if (this.#word("true")) return true;
    if (this.#word("false")) return false;
    if (this.#word("null")) return null;
    throw this.#expected("a JSON value");
  }

  #object(depth: number): JsonValue {
    const open = this.#at;
    this.#checkDepth(depth);
    const object: { [key: string]: JsonValue } = {};
    if (this.#open(CLOSE_BRACE)) {
      this.#written = this.#at - open === 2 ? null : "{}";
      return object;
    }
    const text = this.#text;
    const keys: string[] = [];
    const parts: string[] = [];
    let fromSource = true;
    let length = 1;
    do {
      this.#space();
      const keyStart = this.#at;
      const key = this.#key();
      const keyEnd = this.#at;
      const keyWritten = this.#written;
      this.#colon();
      const start = this.#at;
      const value = this.#value(depth + 1);
      // No JSON value is undefined, so the cheap read settles nearly every key.
      if (object[key] !== undefined && Object.hasOwn(object, key)) throw duplicateKey(key, keyStart);
      if (key === "__proto__") defineOwn(object, key, value);
      else object[key] = value;
      if (this.#canonical) {
        let part: string;
        if (keyWritten === null && this.#written === null && start === keyEnd + 1) {
          part = text.slice(keyStart, this.#at);
        } else {
          part = (keyWritten ?? text.slice(keyStart, keyEnd)) + ":" + this.#writtenSince(start);
          fromSource = false;
        }
        keys.push(key);
        parts.push(part);
        length += part.length + 1;
      }
    } while (this.#more(CLOSE_BRACE));
    if (this.#canonical) {
      // Parts of the source, in order, with nothing left between them: the source itself.
      const moved = sortMembers(keys, parts);
      this.#written = fromSource && !moved && length === this.#at - open ? null : "{" + parts.join(",") + "}";
    }
    return object;
  }

  #array(depth: number): JsonValue {
    const open = this.#at;
    this.#checkDepth(depth);
    const array: JsonValue[] = [];
    if (this.#open(CLOSE_BRACKET)) {
      this.#written = this.#at - open === 2 ? null : "[]";
      return array;
    }
    const parts: string[] = [];
    let fromSource = true;
    let length = 1;
    do {
      this.#space();
      const start = this.#at;
      array.push(this.#value(depth + 1));
      if (this.#canonical) {
        if (this.#written !== null) fromSource = false;
        const part = this.#writtenSince(start);
        parts.push(part);
        length += part.length + 1;
      }
    } while (this.#more(CLOSE_BRACKET));
    if (this.#canonical) {
      this.#written = fromSource && length === this.#at - open ? null : "[" + parts.join(",") + "]";
    }
    return array;
  }

  #key(): string {
    if (this.#code() !== QUOTE) throw this.#expected('a key in "');
    return this.#string();
  }

  #string(): string {
    const text = this.#text;
    const start = this.#at + 1;
    let at = start;
    for (;; at++) {
      // NaN behind the end of the text fails every comparison and ends in the last branch.
      const code = text.charCodeAt(at);
      if (code >= 0x20 && code < 0xd800 && code !== QUOTE && code !== BACKSLASH) continue;
      if (code === QUOTE) break;
      if (code > 0xdfff) continue;
      if (code === BACKSLASH) return this.#escapedString(start, at);
      if (!(code >= 0xd800)) throw this.#badCharacter(code, at);
      if (!isPair(code, text.charCodeAt(at + 1))) throw new JsonError("lone surrogate", at);
      at++;
    }
    this.#at = at + 1;
    this.#written = null;
    return text.slice(start, at);
  }

  /** The rest of a string from its first backslash on. */
  #escapedString(start: number, backslash: number): string {
    const text = this.#text;
    let value = "";
    let from = start;
    let at = backslash;
    for (;;) {
      const code = text.charCodeAt(at);
      if (code === QUOTE) break;
      if (code === BACKSLASH) {
        value += text.slice(from, at);
        const escape = text.charCodeAt(at + 1);
        if (escape === 0x75) {
          const unit = this.#hex4(at);
          const low = unit >= 0xd800 && unit <= 0xdfff && text.startsWith("\\u", at + 6)
            ? this.#hex4(at + 6)
            : 0;
          const paired = isPair(unit, low);
          if (!paired && unit >= 0xd800 && unit <= 0xdfff) throw new JsonError("lone surrogate", at);
          value += paired ? String.fromCharCode(unit, low) : String.fromCharCode(unit);
          at += paired ? 12 : 6;
        } else {
          const character = ESCAPES[escape];
          if (character === undefined) throw new JsonError("unknown escape in a string", at);
          value += character;
          at += 2;
        }
        from = at;
      } else if (code >= 0xd800 && code <= 0xdfff) {
        if (!isPair(code, text.charCodeAt(at + 1))) throw new JsonError("lone surrogate", at);
        at += 2;
      } else if (code >= 0x20) at++;
      else throw this.#badCharacter(code, at);
    }
    value += text.slice(from, at);
    this.#at = at + 1;
    this.#written = this.#canonical ? quote(value) : null;
    return value;
  }

  #hex4(backslash: number): number {
    const digits = this.#text.slice(backslash + 2, backslash + 6);
    if (!/^[0-9a-fA-F]{4}$/.test(digits)) throw new JsonError("expected four hex digits", backslash + 2);
    return parseInt(digits, 16);
  }

  #number(): number | bigint {
    const text = this.#text;
    const start = this.#at;
    const negative = text.charCodeAt(start) === MINUS;
    let at = negative ? start + 1 : start;
    let code = text.charCodeAt(at);
    let mantissa = 0;
    if (code === ZERO) code = text.charCodeAt(++at);
    else {
      at = this.#digits(at);
      for (let i = negative ? start + 1 : start; i < at; i++) {
        mantissa = mantissa * 10 + text.charCodeAt(i) - ZERO;
      }
      code = text.charCodeAt(at);
    }
    let decimals = 0;
    if (code === DOT) {
      const from = at + 1;
      at = this.#digits(from);
      decimals = at - from;
      for (let i = from; i < at; i++) mantissa = mantissa * 10 + text.charCodeAt(i) - ZERO;
      code = text.charCodeAt(at);
    }
    const exponent = code === 0x65 || code === 0x45;
    if (exponent) {
      const sign = text.charCodeAt(at + 1);
      at = this.#digits(sign === PLUS || sign === MINUS ? at + 2 : at + 1);
    }
    this.#at = at;
    // With an exact mantissa and an exact power of ten one division rounds once, so correctly.
    if (!exponent && mantissa <= Number.MAX_SAFE_INTEGER && decimals < POWERS_OF_TEN.length) {
      const size = decimals === 0 ? mantissa : mantissa / POWERS_OF_TEN[decimals]!;
      // Zero loses its sign, and small or zero-ended decimals their notation: the slow path writes those.
      const plain = decimals === 0
        ? mantissa !== 0 || !negative
        : size >= 1e-5 && text.charCodeAt(at - 1) !== ZERO;
      if (plain) {
        this.#written = null;
        return negative ? -size : size;
      }
    }
    return this.#unusualNumber(start, at);
  }

  /** A number whose value or canonical text takes more than a glance. */
  #unusualNumber(start: number, end: number): number | bigint {
    const literal = this.#text.slice(start, end);
    const value = Number(literal);
    if (!Number.isFinite(value)) throw new JsonError("number overflows", start);
    const large = Math.abs(value) > Number.MAX_SAFE_INTEGER;
    if (!large && !this.#canonical) return value === 0 ? 0 : value;
    const canonical = canonicalNumber(literal);
    if (canonical === null) throw new JsonError("number exponent out of range", start);
    this.#written = canonical === literal ? null : canonical;
    if (large) return canonicalInteger(canonical) ?? value;
    return value === 0 ? 0 : value;
  }

  /** The index behind one or more digits. */
  #digits(from: number): number {
    const text = this.#text;
    let at = from;
    let code = text.charCodeAt(at);
    while (code >= ZERO && code <= NINE) code = text.charCodeAt(++at);
    if (at === from) throw new JsonError("expected a digit", at);
    return at;
  }

  #word(word: string): boolean {
    if (!this.#text.startsWith(word, this.#at)) return false;
    this.#at += word.length;
    return true;
  }

  /** Steps over an opening bracket; true where its closing one follows at once (stepped over, too). */
  #open(close: number): boolean {
    this.#at++;
    this.#space();
    if (this.#code() !== close) return false;
    this.#at++;
    return true;
  }

  /** Steps over the comma or closing bracket behind an element; false for the bracket. */
  #more(close: number): boolean {
    this.#space();
    const code = this.#code();
    if (code !== COMMA && code !== close) {
      throw this.#expected(close === CLOSE_BRACE ? '"," or "}"' : '"," or "]"');
    }
    this.#at++;
    return code === COMMA;
  }

  #colon(): void {
    this.#space();
    if (this.#code() !== COLON) throw this.#expected('":"');
    this.#at++;
    this.#space();
  }

  #space(): void {
    let code = this.#text.charCodeAt(this.#at);
    while (code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09) {
      code = this.#text.charCodeAt(++this.#at);
    }
  }

  #end(): void {
    this.#space();
    if (this.#at < this.#text.length) throw this.#expected("the end of the text");
  }

  #code(): number {
    return this.#text.charCodeAt(this.#at);
  }

  /** Canonical text of the value that began at `start` and was read last. */
  #writtenSince(start: number): string {
    return this.#written ?? this.#text.slice(start, this.#at);
  }

  #checkDepth(depth: number): void {
    if (depth >= this.#maxDepth) throw new JsonError(`nested deeper than ${this.#maxDepth} levels`, this.#at);
  }

  #expected(what: string): JsonError {
    const found = this.#at >= this.#text.length ? ", found the end of the text" : "";
    return new JsonError(`expected ${what}${found}`, this.#at);
  }

  #badCharacter(code: number, at: number): JsonError {
    return new JsonError(Number.isNaN(code) ? "unterminated string" : "control character in a string", at);
  }
}

function isPair(high: number, low: number): boolean {
  return high >= 0xd800 && high <= 0xdbff && low >= 0xdc00 && low <= 0xdfff;
}

function defineOwn(object: object, key: string, value: JsonValue): void {
  Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
}

function duplicateKey(key: string, position: number): JsonError {
  const shown = key.length > 64 ? key.slice(0, 64) + "…" : key;
  return new JsonError(`duplicate key ${JSON.stringify(shown)}`, position);
}
