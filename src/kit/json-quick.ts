import { compareCodePoints } from "./json-keys.ts";
import { canonicalNumber } from "./json-number.ts";
import { DEFAULT_MAX_DEPTH, type JsonMember, type JsonValue } from "./json-scanner.ts";

const QUOTE = 0x22;
const MINUS = 0x2d;
const DOT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const UPPER_E = 0x45;
const OPEN_BRACKET = 0x5b;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const CLOSE_BRACKET = 0x5d;
const COMMA = 0x2c;
const COLON = 0x3a;
const T = 0x74;
const N = 0x6e;

/** Integers of this many digits are exact in a double. */
const SAFE_DIGITS = 15;

/** The text has something that only the scanner judges right. */
class Unusual extends Error {}
const UNUSUAL = new Unusual();

/**
 * As `JsonScanner.members`, several times faster, for what nearly all records are: without escapes, without
 * integers beyond 2^53. The engine's parser checks the grammar and makes the values; what is left is to find each
 * value's place and to sort. `null` where the text has anything unusual, faults included: the scanner then judges.
 */
export function quickMembers(text: string, canonicalOf: string): Map<string, JsonMember> | null {
  if (text.includes("\\") || !text.isWellFormed()) return null;
  try {
    const value: JsonValue = JSON.parse(text);
    return isObject(value) ? new QuickReader(text).members(value, canonicalOf) : null;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof Unusual) return null;
    throw error;
  }
}

/**
 * Walks a text beside the value that the engine made of it. Each method steps over one value and gives its canonical
 * text, null where that is the source. Of a repeated key the engine keeps one value only, so a step that does not find
 * what it expects is no fault of the text: it is unusual.
 */
class QuickReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  members(object: { [key: string]: JsonValue }, canonicalOf: string): Map<string, JsonMember> {
    const members = new Map<string, JsonMember>();
    this.#skipSpace();
    const keys = keysInOrder(object);
    if (keys.length === 0) throw UNUSUAL;
    let before = OPEN_BRACE;
    for (const key of keys) {
      this.#stepOver(before);
      before = COMMA;
      this.#stepOverKey(key);
      const start = this.#at;
      const value = object[key]!;
      const written = this.#value(value, 1);
      const canonical = key === canonicalOf ? written ?? this.#text.slice(start, this.#at) : null;
      members.set(key, { value, start, end: this.#at, canonical });
      this.#skipSpace();
    }
    this.#stepOver(CLOSE_BRACE);
    this.#skipSpace();
    if (this.#at !== this.#text.length) throw UNUSUAL;
    return members;
  }

  #value(value: JsonValue, depth: number): string | null {
    switch (this.#text.charCodeAt(this.#at)) {
      case QUOTE:
        this.#at = this.#text.indexOf('"', this.#at + 1) + 1;
        return null;
      case OPEN_BRACE:
        if (!isObject(value)) throw UNUSUAL;
        return this.#object(value, depth);
      case OPEN_BRACKET:
        if (!Array.isArray(value)) throw UNUSUAL;
        return this.#array(value, depth);
      case T:
      case N:
        this.#at += 4;
        return null;
      case 0x66: // false
        this.#at += 5;
        return null;
      default:
        return this.#number();
    }
  }

  #object(object: { [key: string]: JsonValue }, depth: number): string | null {
    if (depth >= DEFAULT_MAX_DEPTH) throw UNUSUAL;
    const text = this.#text;
    const open = this.#at;
    const keys = keysInOrder(object);
    const parts: string[] = [];
    let fromSource = true;
    let length = 1;
    let before = OPEN_BRACE;
    for (const key of keys) {
      this.#stepOver(before);
      before = COMMA;
      const keyStart = this.#stepOverKey(key);
      const start = this.#at;
      const written = this.#value(object[key]!, depth + 1);
      const keyEnd = keyStart + key.length + 2;
      let part: string;
      if (written === null && start === keyEnd + 1) part = text.slice(keyStart, this.#at);
      else {
        part = `${text.slice(keyStart, keyEnd)}:${written ?? text.slice(start, this.#at)}`;
        fromSource = false;
      }
      parts.push(part);
      length += part.length + 1;
      this.#skipSpace();
    }
    if (keys.length === 0) {
      this.#at++;
      this.#skipSpace();
    }
    this.#stepOver(CLOSE_BRACE);
    if (keys.length === 0) return this.#at - open === 2 ? null : "{}";
    const order = orderOf(keys);
    if (order !== null) return `{${order.map((index) => parts[index]).join(",")}}`;
    return fromSource && length === this.#at - open ? null : `{${parts.join(",")}}`;
  }

  #array(array: readonly JsonValue[], depth: number): string | null {
    if (depth >= DEFAULT_MAX_DEPTH) throw UNUSUAL;
    const open = this.#at;
    const parts: string[] = [];
    let fromSource = true;
    let length = 1;
    let before = OPEN_BRACKET;
    for (const item of array) {
      this.#stepOver(before);
      before = COMMA;
      this.#skipSpace();
      const start = this.#at;
      const written = this.#value(item, depth + 1);
      if (written !== null) fromSource = false;
      const part = written ?? this.#text.slice(start, this.#at);
      parts.push(part);
      length += part.length + 1;
      this.#skipSpace();
    }
    if (array.length === 0) {
      this.#at++;
      this.#skipSpace();
      length++;
    }
    this.#stepOver(CLOSE_BRACKET);
    return fromSource && length === this.#at - open ? null : `[${parts.join(",")}]`;
  }

  #number(): string | null {
    const text = this.#text;
    const start = this.#at;
    const negative = text.charCodeAt(start) === MINUS;
    const whole = negative ? start + 1 : start;
    let at = whole;
    let code = text.charCodeAt(at);
    while (code >= ZERO && code <= NINE) code = text.charCodeAt(++at);
    // Minus zero, and what a double may not hold.
    if (at - whole > SAFE_DIGITS || (negative && text.charCodeAt(whole) === ZERO)) throw UNUSUAL;
    let plain = true;
    if (code === DOT) {
      do code = text.charCodeAt(++at); while (code >= ZERO && code <= NINE);
      // Decimals that end in zero and very small ones are written differently.
      plain = text.charCodeAt(at - 1) !== ZERO && !text.startsWith("0.0000", start);
    }
    if ((code | 0x20) === (UPPER_E | 0x20)) {
      code = text.charCodeAt(++at);
      if (code !== MINUS) throw UNUSUAL;
      do code = text.charCodeAt(++at); while (code >= ZERO && code <= NINE);
      plain = false;
    }
    this.#at = at;
    if (plain) return null;
    const literal = text.slice(start, at);
    const canonical = canonicalNumber(literal);
    if (canonical === null) throw UNUSUAL;
    return canonical === literal ? null : canonical;
  }

  /** Up to the member's value; returns where the key begins. */
  #stepOverKey(key: string): number {
    this.#skipSpace();
    const start = this.#at;
    if (!this.#text.startsWith(key, start + 1)) throw UNUSUAL;
    this.#at = start + key.length + 1;
    this.#stepOver(QUOTE);
    this.#skipSpace();
    this.#stepOver(COLON);
    this.#skipSpace();
    return start;
  }

  #skipSpace(): void {
    while (this.#text.charCodeAt(this.#at) <= 0x20) this.#at++;
  }

  #stepOver(code: number): void {
    if (this.#text.charCodeAt(this.#at) !== code) throw UNUSUAL;
    this.#at++;
  }
}

/** The keys as they stand in the source. The engine puts keys that look like an index first. */
function keysInOrder(object: { [key: string]: JsonValue }): string[] {
  const keys = Object.keys(object);
  const first = keys.length === 0 ? 0 : keys[0]!.charCodeAt(0);
  if (first >= ZERO && first <= NINE) throw UNUSUAL;
  return keys;
}

interface Shape {
  keys: readonly string[];
  order: readonly number[] | null;
}

/** Records repeat the same few sets of keys for ever. Bounded, and invisible but for the time it saves. */
const SHAPES = 256;
const MAX_SHAPE_KEYS = 128;
const MAX_SHAPE_LENGTH = 4096;
const shapes = new Array<Shape | undefined>(SHAPES);

/** The places of the keys in code point order; null where they stand in that order already. */
function orderOf(keys: readonly string[]): readonly number[] | null {
  const last = keys[keys.length - 1]!;
  const slot = (keys.length * 31 + last.length * 7 + keys[0]!.length) & (SHAPES - 1);
  const known = shapes[slot];
  if (known && isSame(known.keys, keys)) return known.order;
  const order = keys.map((_, index) => index).sort((a, b) => compareCodePoints(keys[a]!, keys[b]!));
  const shape = { keys, order: order.every((from, to) => from === to) ? null : order };
  if (keys.length <= MAX_SHAPE_KEYS && keys.reduce((sum, key) => sum + key.length, 0) <= MAX_SHAPE_LENGTH) {
    shapes[slot] = shape;
  }
  return shape.order;
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  if (a.length !== b.length) return false;
  for (let at = 0; at < a.length; at++) if (a[at] !== b[at]) return false;
  return true;
}

function isObject(value: JsonValue): value is { [key: string]: JsonValue } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
