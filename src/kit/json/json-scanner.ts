import { JsonError } from "./json-error.ts";
import { compareCodePoints, sortMembers } from "./json-keys.ts";
import { JsonTokens } from "./json-tokens.ts";

/** A JSON value. Integers beyond ±(2^53 - 1) are `bigint`; every key is an own property, also `__proto__`. */
export type JsonValue = null | boolean | string | number | bigint | JsonValue[] | {
  [key: string]: JsonValue;
};

/** One member of an object: its value and the span of the value's source text. */
export interface JsonMember {
  value: JsonValue;
  start: number;
  end: number;
  /** Canonical text of the value in UTF-8, if it was requested. */
  canonical: Uint8Array | null;
  /** Whether the member itself is repeated with another value; then the value is the last one. */
  conflicting: boolean;
  /** First key within the value that one object repeats with another value; only with `canonical`. */
  repeatedKey: string | null;
}

export const DEFAULT_MAX_DEPTH = 128;

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const ZERO = 0x30;
const NINE = 0x39;
const MINUS = 0x2d;

const utf8 = new TextEncoder();

/** Most UTF-16 units of a key that an error shows. */
const MAX_SHOWN_KEY = 100;

/**
 * Whether a key may be repeated in an object. Where it is allowed, the last value counts. The canonical text
 * has the pair once if all values are equal, else all pairs of the key in their order.
 */
type Repeats = "refused" | "allowed";

/**
 * The program's JSON reader. It checks the grammar and everything else that an identity depends on (duplicate
 * keys, lone surrogates, numbers out of range, depth), builds the value and, on request, the canonical text
 * in the same pass. Every method throws JsonError. A scanner reads its text once.
 *
 * Canonical text costs little because most of the source is canonical already and copied; only the rest is
 * written.
 */
export class JsonScanner extends JsonTokens {
  readonly #maxDepth: number;
  readonly #repeats: Repeats;
  #repeatedKey: string | null = null;

  constructor(text: string, maxDepth: number = DEFAULT_MAX_DEPTH, repeats: Repeats = "refused") {
    super(text);
    this.#maxDepth = maxDepth;
    this.#repeats = repeats;
  }

  /** Reads the whole text as one value. */
  document(): JsonValue {
    this.visible();
    const value = this.#value(0);
    this.expectEnd();
    return value;
  }

  /** Reads the whole text as one value and returns its canonical text. */
  canonical(): string {
    this.wantsCanonical = true;
    this.visible();
    const start = this.at;
    this.#value(0);
    const text = this.writtenSince(start);
    this.expectEnd();
    return text;
  }

  /**
   * Reads the whole text as one object, with the canonical text of the member named `canonicalOf`. Members are
   * in the order of their last occurrence.
   */
  members(canonicalOf: string): Map<string, JsonMember> {
    const members = new Map<string, JsonMember>();
    if (this.visible() !== OPEN_BRACE) throw this.expected("an object");
    if (!this.#open(CLOSE_BRACE)) {
      do {
        const keyStart = this.at;
        const key = this.readKey();
        const earlier = members.get(key);
        if (earlier && this.#repeats === "refused") throw duplicateKey(key, keyStart);
        this.#colon();
        this.wantsCanonical = key === canonicalOf;
        const start = this.at;
        const value = this.#value(1);
        const canonical = this.wantsCanonical ? utf8.encode(this.writtenSince(start)) : null;
        const conflicting = earlier !== undefined &&
          (earlier.conflicting || !isSame(earlier, { value, canonical }));
        members.delete(key);
        members.set(key, {
          value,
          start,
          end: this.at,
          canonical,
          conflicting,
          repeatedKey: canonical === null ? null : this.#repeatedKey,
        });
        this.wantsCanonical = false;
      } while (this.#more(CLOSE_BRACE));
    }
    this.expectEnd();
    return members;
  }

  #value(depth: number): JsonValue {
    const code = this.code();
    if (code === QUOTE) return this.readString();
    if (code === MINUS || (code >= ZERO && code <= NINE)) return this.readNumber();
    if (code === OPEN_BRACE) return this.#object(depth);
    if (code === OPEN_BRACKET) return this.#array(depth);
    this.written = null;
    if (this.stepOver("true")) return true;
    if (this.stepOver("false")) return false;
    if (this.stepOver("null")) return null;
    throw this.expected("a JSON value");
  }

  #object(depth: number): JsonValue {
    const open = this.at;
    this.#checkDepth(depth);
    const object: { [key: string]: JsonValue } = {};
    if (this.#open(CLOSE_BRACE)) {
      this.written = this.at - open === 2 ? null : "{}";
      return object;
    }
    const text = this.text;
    const keys: string[] = [];
    const parts: string[] = [];
    let count = 0;
    let plainKeys = true;
    let fromSource = true;
    let length = 1;
    do {
      const keyStart = this.at;
      const key = this.readKey();
      const keyEnd = this.at;
      const keyWritten = this.written;
      if (!this.plainKey) plainKeys = false;
      this.#colon();
      const start = this.at;
      const value = this.#value(depth + 1);
      if (key === "__proto__") defineOwn(object, key, value);
      else object[key] = value;
      count++;
      if (this.wantsCanonical) {
        let part: string;
        if (keyWritten === null && this.written === null && start === keyEnd + 1) {
          part = text.slice(keyStart, this.at);
        } else {
          part = (keyWritten ?? text.slice(keyStart, keyEnd)) + ":" + this.writtenSince(start);
          fromSource = false;
        }
        keys.push(key);
        parts.push(part);
        length += part.length + 1;
      }
    } while (this.#more(CLOSE_BRACE));
    // Counting keys once is far cheaper than checking each for presence.
    if (Object.keys(object).length !== count) {
      if (this.#repeats === "refused") throw this.#findDuplicate(open, depth);
      if (this.wantsCanonical) this.written = "{" + this.#withRepeats(keys, parts).join(",") + "}";
    } else if (this.wantsCanonical) {
      const moved = sortMembers(keys, parts, plainKeys);
      // Parts of the source, in order and without gaps: the source itself.
      const unchanged = fromSource && !moved && length === this.at - open;
      this.written = unchanged ? null : "{" + parts.join(",") + "}";
    }
    return object;
  }

  /** Sorts the members of an object with repeated keys and drops pairs that are equal to all others of their key. */
  #withRepeats(keys: readonly string[], parts: readonly string[]): string[] {
    const order = keys.map((_, index) => index).sort((a, b) => compareCodePoints(keys[a]!, keys[b]!));
    const result: string[] = [];
    for (let from = 0, to = 0; from < order.length; from = to) {
      const key = keys[order[from]!]!;
      while (to < order.length && keys[order[to]!] === key) to++;
      const pairs = order.slice(from, to).map((index) => parts[index]!);
      if (pairs.every((pair) => pair === pairs[0])) result.push(pairs[0]!);
      else {
        this.#repeatedKey ??= key;
        for (const pair of pairs) result.push(pair);
      }
    }
    return result;
  }

  #array(depth: number): JsonValue {
    const open = this.at;
    this.#checkDepth(depth);
    const array: JsonValue[] = [];
    if (this.#open(CLOSE_BRACKET)) {
      this.written = this.at - open === 2 ? null : "[]";
      return array;
    }
    const parts: string[] = [];
    let fromSource = true;
    let length = 1;
    do {
      const start = this.at;
      array.push(this.#value(depth + 1));
      if (this.wantsCanonical) {
        if (this.written !== null) fromSource = false;
        const part = this.writtenSince(start);
        parts.push(part);
        length += part.length + 1;
      }
    } while (this.#more(CLOSE_BRACKET));
    if (this.wantsCanonical) {
      const unchanged = fromSource && length === this.at - open;
      this.written = unchanged ? null : "[" + parts.join(",") + "]";
    }
    return array;
  }

  /** Consumes an opening bracket and white space; true if the closing one follows at once. */
  #open(close: number): boolean {
    this.at++;
    if (this.visible() !== close) return false;
    this.at++;
    return true;
  }

  /** Consumes the comma after an element and white space; at the closing bracket it returns false. */
  #more(close: number): boolean {
    const code = this.visible();
    if (code !== COMMA && code !== close) throw this.expected(`"," or "${String.fromCharCode(close)}"`);
    this.at++;
    if (code === close) return false;
    this.visible();
    return true;
  }

  #colon(): void {
    if (this.visible() !== COLON) throw this.expected('":"');
    this.at++;
    this.visible();
  }

  #checkDepth(depth: number): void {
    if (depth >= this.#maxDepth) throw new JsonError(`nested deeper than ${this.#maxDepth} levels`, this.at);
  }

  /** Reads the object at `open` again to locate its first repeated key. */
  #findDuplicate(open: number, depth: number): JsonError {
    const keys = new Set<string>();
    this.at = open;
    this.#open(CLOSE_BRACE);
    for (;;) {
      const position = this.at;
      const key = this.readKey();
      if (keys.has(key)) return duplicateKey(key, position);
      keys.add(key);
      this.#colon();
      this.#value(depth + 1);
      this.#more(CLOSE_BRACE);
    }
  }
}

/** Compares canonical texts where there are any; otherwise only plain values can be the same. */
function isSame(
  a: Pick<JsonMember, "value" | "canonical">,
  b: Pick<JsonMember, "value" | "canonical">,
): boolean {
  if (a.canonical === null || b.canonical === null) return a.value === b.value;
  return a.canonical.length === b.canonical.length &&
    a.canonical.every((byte, at) => byte === b.canonical![at]);
}

function defineOwn(object: object, key: string, value: JsonValue): void {
  Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
}

/** Long keys are shortened: the error's text is stored with the rejected line. */
function duplicateKey(key: string, position: number): JsonError {
  const quoted = JSON.stringify(key.slice(0, MAX_SHOWN_KEY));
  const shown = quoted.length > MAX_SHOWN_KEY ? quoted.slice(0, MAX_SHOWN_KEY).toWellFormed() + "…" : quoted;
  return new JsonError(`duplicate key ${shown}`, position);
}
