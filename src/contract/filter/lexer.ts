// Splits the text form into tokens, in one pass. Never fails: invalid text becomes an error token.

import { canonicalAddress } from "./values.ts";
import { fieldNamed, takesRange } from "./names.ts";
import { type FieldName, FIELDS } from "./fields.ts";
import type { FieldType, Operator } from "./field.ts";
import { parseBytes, parseDuration, parseRate } from "./units.ts";

export interface Position {
  /** Offset in the text. */
  from: number;
  /** Offset after the last character. */
  to: number;
}

export type Token =
  & Position
  & (
    /** `and`, `or` and `not` in any spelling; `minus` is a `not` that stands directly before its condition. */
    | { type: "and" | "or" | "not" | "minus" }
    | { type: "open" | "close" | "comma" }
    /** `..` between the two values of a range. */
    | { type: "dots" }
    /** The name before an operator; `field` is null if there is no such field. */
    | { type: "field"; text: string; field: FieldName | null }
    | { type: "operator"; op: Exclude<Operator, "range" | "exists"> }
    /** A value after an operator, or a bare word. */
    | { type: "value" | "bare"; text: string; quoted: boolean; unterminated: boolean }
  );

export type Value = Extract<Token, { type: "value" | "bare" }>;

const SPACE = /\s/;
/** What ends a word besides a space. */
const WORD_END = new Set(["(", ")", '"', "\u201c", "\u201d"]);
/** Straight ones, and those that phones insert. */
const QUOTES: ReadonlyMap<string, string> = new Map([['"', '"'], ["\u201c", "\u201d"]]);
/** Longer spellings first. */
const OPERATOR_TEXTS: readonly (readonly [string, Exclude<Operator, "range" | "exists">])[] = [
  ["!=", "!="],
  [">=", ">="],
  ["<=", "<="],
  [":", "matches"],
  ["=", "="],
  [">", ">"],
  ["<", "<"],
];
const NAME = /[A-Za-z_][A-Za-z0-9_]*(?:[.-][A-Za-z0-9_]+)*/y;
/** Words with a colon that is no operator: `https://`, a MAC address, a fingerprint, `:443`. */
const URL_START = /[a-z][a-z0-9+.-]*:\/\//iy;
const HEX_PAIRS = /[0-9a-f]{2}(?::[0-9a-f]{2}){5,}(?=$|[\s),])/iy;
const PORT_WORD = /:\d{1,5}(?=$|[\s),])/y;
const CLOCK = /\s+\d{1,2}:\d{2}(?::\d{2})?(?=$|[\s),]|\.\.)/y;
const PERIOD = /\s+(?:week|month)(?=$|[\s),]|\.\.)/iy;
const UNIT = /\s+[A-Za-z]+(?:\/s)?(?=$|[\s),]|\.\.)/y;
const UNIT_PARSERS: Partial<Record<FieldType, (text: string) => number | null>> = {
  bytes: parseBytes,
  rate: parseRate,
  duration: parseDuration,
};
const NUMERIC: ReadonlySet<FieldType> = new Set<FieldType>([
  "port",
  "number",
  "vlan",
  "asn",
  "bytes",
  "rate",
  "duration",
]);
const CONNECTIVES: Readonly<Record<string, "and" | "or" | "not">> = {
  and: "and",
  "&&": "and",
  or: "or",
  "||": "or",
  not: "not",
};

/** Whether a bare word or value in a list would be read as a connective. */
export function isConnective(word: string): boolean {
  return Object.hasOwn(CONNECTIVES, word.toLowerCase());
}

/** Whether `:443` after this word and a space is its value: after the name of a field with numbers. */
function joinsPort(word: string): boolean {
  const field = fieldNamed(word);
  return field !== null && NUMERIC.has(FIELDS[field].type);
}

/** The tokens of a text. */
export function tokensOf(text: string): Token[] {
  return new Lexer(text).run();
}

/** Whether a value stands between parentheses, and after which field. */
interface ValuePlace {
  list: boolean;
  field: FieldName | null;
}

class Lexer {
  private at = 0;
  private readonly tokens: Token[] = [];

  constructor(private readonly text: string) {}

  run(): Token[] {
    for (this.skipSpace(); this.at < this.text.length; this.skipSpace()) this.next();
    return this.tokens;
  }

  private next(): void {
    const char = this.text[this.at]!;
    if (char === "(") return this.mark("open", 1);
    if (char === ")") return this.mark("close", 1);
    if (char === ",") return this.mark("comma", 1);
    if (QUOTES.has(char)) return this.push(this.quoted("bare"));
    if (char === "-" || (char === "!" && this.text[this.at + 1] !== "=")) return this.mark("minus", 1);
    for (const symbol of ["&&", "||"] as const) {
      if (this.text.startsWith(symbol, this.at)) return this.mark(CONNECTIVES[symbol]!, 2);
    }
    if (!this.comparison()) this.word();
  }

  private mark(
    type: "and" | "or" | "not" | "minus" | "open" | "close" | "comma" | "dots",
    length: number,
  ): void {
    this.tokens.push({ type, from: this.at, to: this.at + length });
    this.at += length;
  }

  /** A field with its operator and values; false if the text here is something else. */
  private comparison(): boolean {
    const name = this.matchAt(NAME);
    if (name === null || this.isWholeWord(name)) return false;
    const afterName = this.at + name.length;
    const operatorAt = this.spaceEnd(afterName);
    const operator = OPERATOR_TEXTS.find(([spelled]) => this.text.startsWith(spelled, operatorAt));
    if (operator === undefined) return false;
    const field = fieldNamed(name);
    if (operatorAt > afterName && this.isAddressAt(operatorAt)) return false;
    // `dns :53` is a word and a port; `dns : 53` and `port :53` are comparisons.
    if (operatorAt > afterName && !joinsPort(name) && this.matchAt(PORT_WORD, operatorAt) !== null) {
      return false;
    }
    this.push({ type: "field", text: name, field, from: this.at, to: afterName });
    const [spelled, op] = operator;
    this.push({ type: "operator", op, from: operatorAt, to: operatorAt + spelled.length });
    this.at = operatorAt + spelled.length;
    this.skipSpace();
    this.values(field);
    return true;
  }

  /** Whether the word that starts here has a colon, but is an address, a URL or the like. */
  private isWholeWord(name: string): boolean {
    if (this.text[this.at + name.length] !== ":" || fieldNamed(name) !== null) return false;
    if (this.matchAt(URL_START) !== null || this.matchAt(HEX_PAIRS) !== null) return true;
    return this.isAddressAt(this.at);
  }

  /** Whether the word there is an address such as `fe80::1` or `::1`. */
  private isAddressAt(at: number): boolean {
    return canonicalAddress(this.text.slice(at, this.wordEnd(true, at))) !== null;
  }

  private values(field: FieldName | null): void {
    if (this.text[this.at] !== "(") return this.operand({ list: false, field });
    this.mark("open", 1);
    for (this.skipSpace(); this.at < this.text.length; this.skipSpace()) {
      const char = this.text[this.at]!;
      if (char === ")") return this.mark("close", 1);
      if (char === "(") this.mark("open", 1);
      else if (char === ",") this.mark("comma", 1);
      else if (this.text.startsWith("||", this.at)) this.mark("or", 2);
      else if (this.text.startsWith("&&", this.at)) this.mark("and", 2);
      else {
        const word = QUOTES.has(char) ? "" : this.text.slice(this.at, this.wordEnd(true));
        if (isConnective(word)) this.mark(CONNECTIVES[word.toLowerCase()]!, word.length);
        else this.operand({ list: true, field });
      }
    }
  }

  /** A value, or two with `..` between them, or `..` and one of them. */
  private operand(place: ValuePlace): void {
    const range = place.field !== null && takesRange(place.field);
    const first = this.text[this.at];
    if (first === undefined || first === "(" || first === ")") return;
    if (!range) return this.push(this.value(place));
    if (!this.text.startsWith("..", this.at)) this.push(this.value(place));
    const dots = this.spaceEnd(this.at);
    if (!this.text.startsWith("..", dots)) return;
    // `1..5` and `1 .. 5` have an upper end; `1.. 5` ends at the space.
    const spaced = dots > this.at;
    this.at = dots;
    this.mark("dots", 2);
    const next = spaced ? this.spaceEnd(this.at) : this.at;
    const following = this.text[next];
    if (following === undefined || /[\s(),]/.test(following)) return;
    this.at = next;
    this.push(this.value(place));
  }

  private value({ list, field }: ValuePlace): Value {
    if (QUOTES.has(this.text[this.at]!)) return this.quoted("value");
    const from = this.at;
    let to = this.wordEnd(list);
    if (field !== null && takesRange(field)) {
      const dots = this.text.slice(from, to).indexOf("..", 1);
      if (dots > 0) to = from + dots;
    }
    // `a, b` outside of parentheses: the comma is no part of the value.
    while (to > from + 1 && this.text[to - 1] === ",") to--;
    this.at = Math.max(to, from + 1);
    if (field !== null) this.at = this.continued(FIELDS[field].type, from);
    return {
      type: "value",
      text: this.text.slice(from, this.at),
      quoted: false,
      unterminated: false,
      from,
      to: this.at,
    };
  }

  /** The end of a value that goes on after a space: `1.5 GiB`, `2026-11-01 14:00`, `last week`. */
  private continued(type: FieldType, from: number): number {
    const value = this.text.slice(from, this.at);
    if (type === "time") {
      const period = /^(?:this|last)$/i.test(value) ? this.matchAt(PERIOD) : null;
      if (period !== null) return this.at + period.length;
      const clock = /^\d{4}-\d{1,2}-\d{1,2}$/.test(value) ? this.matchAt(CLOCK) : null;
      return this.at + (clock?.length ?? 0);
    }
    const parse = UNIT_PARSERS[type];
    const unit = parse !== undefined && /^[\d.]+$/.test(value) ? this.matchAt(UNIT) : null;
    return unit !== null && parse!(value + unit.trim()) !== null ? this.at + unit.length : this.at;
  }

  private word(): void {
    const from = this.at;
    this.at = Math.max(this.wordEnd(true), from + 1);
    const text = this.text.slice(from, this.at);
    if (isConnective(text)) {
      this.push({ type: CONNECTIVES[text.toLowerCase()]!, from, to: this.at });
    } else this.push({ type: "bare", text, quoted: false, unterminated: false, from, to: this.at });
  }

  private quoted(type: "value" | "bare"): Value {
    const from = this.at;
    const end = QUOTES.get(this.text[from]!)!;
    let text = "";
    for (this.at++; this.at < this.text.length; this.at++) {
      const char = this.text[this.at]!;
      if (char === end) {
        this.at++;
        return { type, text, quoted: true, unterminated: false, from, to: this.at };
      }
      const next = this.text[this.at + 1];
      if (char === "\\" && (next === end || next === "\\")) {
        text += next;
        this.at++;
      } else text += char;
    }
    return { type, text, quoted: true, unterminated: true, from, to: this.at };
  }

  /** The end of the word that starts here; with `list`, a comma ends it too. */
  private wordEnd(list: boolean, at = this.at): number {
    let end = at;
    while (end < this.text.length) {
      const char = this.text[end]!;
      if (SPACE.test(char) || WORD_END.has(char) || (list && char === ",")) break;
      if ((char === "&" || char === "|") && this.text[end + 1] === char) break;
      end++;
    }
    return end;
  }

  private matchAt(pattern: RegExp, at = this.at): string | null {
    pattern.lastIndex = at;
    return pattern.exec(this.text)?.[0] ?? null;
  }

  private skipSpace(): void {
    this.at = this.spaceEnd(this.at);
  }

  private spaceEnd(at: number): number {
    let end = at;
    while (end < this.text.length && SPACE.test(this.text[end]!)) end++;
    return end;
  }

  private push(token: Token): void {
    this.tokens.push(token);
  }
}

export function isValue(token: Token): token is Value {
  return token.type === "value" || token.type === "bare";
}

/** Whether an operand begins here. */
export function startsValue(token: Token | undefined): boolean {
  return token?.type === "value" || token?.type === "dots";
}

/** Whether another condition follows, with or without `and`. */
export function startsOrJoins({ type }: Token): boolean {
  return type === "and" || type === "not" || type === "minus" || type === "open" || type === "field" ||
    type === "bare";
}
