// The parser of the text form: recursive descent over the tokens, in one pass.

import { nearest } from "../../kit/nearest.ts";
import { canonicalIp } from "../../kit/net/ip.ts";
import { checkLeaf, checkSize, operatorSigns } from "./check.ts";
import { type FieldName, FIELDS } from "./fields.ts";
import type { Operator } from "./field.ts";
import { type Position, startsOrJoins, startsValue, type Token, tokensOf, type Value } from "./lexer.ts";
import {
  checkOperators,
  checkSeparation,
  kindOf,
  short,
  shortened,
  SyntaxFault,
  type TextFault,
} from "./text-fault.ts";
import { FILTER_LIMITS } from "./limits.ts";
import { operatorsOf, SPELLINGS } from "./names.ts";
import { leavesOf, normalise } from "./normalise.ts";
import { bareIsUnclear, quoteValue } from "./printer.ts";
import type { Comparison, Condition, Scalar } from "./tree.ts";
import { compareValues, expectedOf, parseValue } from "./values.ts";

/** Where a comparison of the tree stands in the text. */
export interface LeafSpan extends Position {
  leaf: Comparison;
}

export type { TextFault };

export type ParsedText =
  /** Null for an empty text, which finds everything. `spans` has the leaves of the tree in its order. */
  | { ok: true; condition: Condition | null; spans: LeafSpan[] }
  | { ok: false; faults: TextFault[] };

const CONDITION = ["a field with an operator", "a word", "`(`", "`not`"];
/** The parse ends with this one. */
const MAX_FAULTS = 10;
/** Open parentheses at one time; more than the depth of the tree, since some add nothing to it. */
const MAX_PARENTHESES = 64;

/** Parses the text form of a filter. The condition is normalised. */
export function parseText(text: string): ParsedText {
  if (text.length > FILTER_LIMITS.textLength) {
    const message = `A filter has at most ${FILTER_LIMITS.textLength} characters`;
    return {
      ok: false,
      faults: [{ from: FILTER_LIMITS.textLength, to: text.length, message, expected: [], suggestion: null }],
    };
  }
  return new Parser(text).parse();
}

class Parser {
  private readonly tokens: Token[];
  private at = 0;
  private parentheses = 0;
  private readonly faults: TextFault[] = [];
  private readonly spans: LeafSpan[] = [];

  constructor(private readonly text: string) {
    this.tokens = tokensOf(text);
  }

  parse(): ParsedText {
    let condition: Condition | null = null;
    try {
      checkSeparation(this.tokens, this.text);
      checkOperators(this.tokens);
      if (this.tokens.length > 0) {
        condition = this.either();
        this.expectEnd();
      }
    } catch (error) {
      if (!(error instanceof SyntaxFault)) throw error;
      this.faults.push(error.fault);
    }
    if (this.faults.length === 0 && condition !== null) {
      condition = normalise(condition);
      this.checkWhole(condition);
    }
    if (this.faults.length > 0) {
      return { ok: false, faults: this.faults.sort((a, b) => a.from - b.from) };
    }
    return { ok: true, condition, spans: condition === null ? [] : this.spansOf(condition) };
  }

  /** Normalising splits lists of times and simplifies values, so the spans follow the leaves of the result. */
  private spansOf(condition: Condition): LeafSpan[] {
    const leaves = leavesOf(condition);
    const spans = this.spans.flatMap(({ leaf, ...place }) => leavesOf(normalise(leaf)).map(() => place));
    return leaves.map((leaf, index) => ({ ...spans[index]!, leaf }));
  }

  private checkWhole(condition: Condition): void {
    const message = checkSize(condition);
    if (message !== null) {
      this.faults.push({ from: 0, to: this.text.length, message, expected: [], suggestion: null });
    }
  }

  private either(): Condition {
    const parts = [this.both()];
    while (this.peek()?.type === "or") {
      this.at++;
      parts.push(this.both());
    }
    return parts.length === 1 ? parts[0]! : { any: parts };
  }

  private both(): Condition {
    const parts = [this.unary()];
    for (let token = this.peek(); token !== undefined && startsOrJoins(token); token = this.peek()) {
      if (token.type === "and") this.at++;
      parts.push(this.unary());
    }
    return parts.length === 1 ? parts[0]! : { all: parts };
  }

  private unary(): Condition {
    let negated = false;
    let token = this.peek();
    while (token?.type === "not" || token?.type === "minus") {
      const next = this.tokens[this.at + 1];
      if (token.type === "minus" && next?.from !== token.to) {
        this.stop(token, "`-` stands directly before what it excludes", CONDITION);
      }
      negated = !negated;
      this.at++;
      token = next;
    }
    const condition = this.primary();
    return negated ? { not: condition } : condition;
  }

  private primary(): Condition {
    const token = this.peek();
    if (token === undefined) return this.stopAtEnd();
    this.at++;
    switch (token.type) {
      case "open":
        return this.group(token);
      case "field":
        return this.comparison(token);
      case "bare":
        return this.bare(token);
      case "comma":
        return this.stop(token, "A list stands in parentheses after a field: `port:(80, 443)`", CONDITION);
      case "close":
        return this.stop(
          token,
          this.parentheses > 0 ? "The parentheses are empty" : "`)` has no `(` before it",
          CONDITION,
        );
      default:
        return this.stop(token, `A condition is missing before \`${this.shown(token)}\``, CONDITION);
    }
  }

  private group(open: Token): Condition {
    if (++this.parentheses > MAX_PARENTHESES) {
      this.stop(open, `At most ${MAX_PARENTHESES} parentheses can be open`, []);
    }
    const condition = this.either();
    const close = this.peek();
    if (close?.type !== "close") {
      this.stop(
        close ?? this.end(),
        "`(` has no `)`",
        ["`)`", "`and`", "`or`"],
        close === undefined ? ")" : null,
      );
    }
    this.parentheses--;
    this.at++;
    return condition;
  }

  private bare(token: Value): Condition {
    this.checkQuotes(token);
    const { text } = token;
    const endpoint = token.quoted ? null : /^(?:\[(.+)\]|([\d.]+)):(\d{1,5})$/.exec(text);
    if (endpoint !== null && canonicalIp(endpoint[1] ?? endpoint[2]!) !== null) {
      const word = (value: string, from: number, to: number) =>
        this.leaf({ field: "any", op: "matches", value }, { from, to });
      const colon = token.to - endpoint[3]!.length - 1;
      return {
        all: [word(endpoint[1] ?? endpoint[2]!, token.from, colon), word(`:${endpoint[3]}`, colon, token.to)],
      };
    }
    if (!token.quoted && /^[:<>=!]/.test(text) && bareIsUnclear(text)) {
      return this.stop(token, "An operator stands after a field", ["a field name"]);
    }
    if (!token.quoted && bareIsUnclear(text)) {
      return this.stop(
        token,
        `\`${short(text)}\` is no comparison; to search for the text, put it in quotes`,
        CONDITION,
        `"${text}"`,
      );
    }
    const value = this.value("any", token, "matches");
    return this.leaf({ field: "any", op: "matches", value }, token);
  }

  private comparison(name: Extract<Token, { type: "field" }>): Condition {
    const operator = this.peek();
    if (operator?.type !== "operator") return this.stop(name, "An operator is missing", ["an operator"]);
    this.at++;
    const { field } = name;
    if (field === null) this.unknownField(name);
    const next = this.peek();
    if (next?.type === "open") return this.list({ name, field, op: operator.op });
    if (!startsValue(next)) {
      const expected = field === null ? ["a value"] : [expectedOf(field)];
      if (field !== null && operatorsOf(field).includes("exists")) expected.push("`*`");
      return this.stop(
        next ?? this.end(),
        `A value is missing after \`${this.text.slice(name.from, operator.to).trim()}\``,
        expected,
      );
    }
    return this.operand({ name, field, op: operator.op, last: operator.to });
  }

  private unknownField(name: Extract<Token, { type: "field" }>): void {
    const first = name.text.split(".")[0]!.toLowerCase();
    const value = this.tokens[this.at];
    const isEndpoint = name.text.includes(".") && value?.type === "value" && /^\d{1,5}$/.test(value.text) &&
      !SPELLINGS.some((spelling) => spelling.split(".")[0] === first);
    const place = { from: name.from, to: isEndpoint ? value.to : name.to };
    const suggestion = isEndpoint
      ? `${name.text} :${value.text}`
      : nearest(name.text.slice(0, 64), SPELLINGS);
    this.fault(place, place, `There is no field \`${short(name.text)}\``, ["a field name"], suggestion);
  }

  /** `(a, b)` or `(a or b)` after an operator. */
  private list({ name, field, op }: Compared): Condition {
    const open = this.tokens[this.at++]!;
    const parts: Condition[] = [];
    for (;;) {
      const token = this.peek();
      if (!startsValue(token)) {
        return this.stop(
          token ?? this.end(),
          token?.type === "close" ? "The list has no value here" : "A value is missing in the list",
          [field === null ? "a value" : expectedOf(field)],
        );
      }
      parts.push(this.operand({ name, field, op, last: open.to, listed: true }));
      const separator = this.peek();
      if (separator?.type === "comma" || separator?.type === "or") {
        this.at++;
        continue;
      }
      if (separator?.type === "close") break;
      const signs = ["`,`", "`or`", "`)`"];
      if (separator === undefined) return this.stop(this.end(), "The list has no `)`", signs, ")");
      const gap = { from: this.tokens[this.at - 1]!.to, to: separator.from };
      return this.stop(
        gap,
        "Values of a list are separated by commas",
        signs,
        startsValue(separator) ? ", " : null,
      );
    }
    const close = this.tokens[this.at++]!;
    if (op !== "matches" && op !== "=" && op !== "!=") {
      this.fault(name, close, `\`${op}\` takes one value`, ["a value"]);
    }
    if (parts.length > FILTER_LIMITS.listLength) {
      this.fault(open, close, `A list has at most ${FILTER_LIMITS.listLength} values`);
    }
    return this.joined(parts, { op, from: name.from, to: close.to });
  }

  /** The values of a list as one comparison, and its ranges as others. */
  private joined(
    parts: Condition[],
    { op, from, to }: { op: Operator; from: number; to: number },
  ): Condition {
    const negative = op === "!=";
    const plain: Comparison[] = [];
    const others: Condition[] = [];
    for (const part of parts) {
      if ("field" in part && part.op === op && !Array.isArray(part.value)) plain.push(part);
      else others.push(part);
    }
    const conditions: Condition[] = [];
    if (plain.length > 0) {
      const [{ field }] = plain as [Comparison];
      const value = plain.map((each) => each.value as Scalar);
      const leaf = { field, op, value } as Comparison;
      conditions.push(leaf);
    }
    conditions.push(...others);
    for (const leaf of conditions.flatMap(leavesOf)) this.leaf(leaf, { from, to });
    if (conditions.length === 1) return conditions[0]!;
    return negative ? { all: conditions } : { any: conditions };
  }

  /** One value, a range or `*`, as a condition. */
  private operand({ name, field, op, last, listed = false }: Operand): Condition {
    const first = this.peek()!;
    const low = first.type === "value" ? first : null;
    if (low !== null) this.at++;
    let high: Value | null = null;
    const dots = this.peek();
    if (dots?.type === "dots") {
      this.at++;
      const next = this.peek();
      if (next?.type === "value" && (next.from === dots.to || low !== null)) {
        high = next;
        this.at++;
      }
    }
    for (const value of [low, high]) if (value !== null) this.checkQuotes(value);
    const to = this.tokens[this.at - 1]!.to;
    const place = { from: name.from, to: Math.max(to, last) };
    // A fault of the field was reported; the rest of the text is still checked.
    if (field === null) return { field: "any", op: "matches", value: "unknown" };
    if (low !== null && !low.quoted && /^(?:[=<>]|!=)/.test(low.text)) {
      const right = op === "matches" && !listed ? `${field}${low.text}` : null;
      this.fault(place, place, `Two operators stand after \`${field}\``, operatorSigns(field), right);
      return { field, op: "exists" };
    }
    const condition = dots?.type === "dots"
      ? this.range({ field, op, low, high, place })
      : this.single({ field, op, value: low!, place });
    if (!listed) { for (const leaf of leavesOf(condition)) this.leaf(leaf, place); }
    return condition;
  }

  private single(
    { field, op, value, place }: { field: FieldName; op: Operator; value: Value; place: Position },
  ): Condition {
    if (!value.quoted && value.text === "*" && (op === "matches" || op === "=" || op === "!=")) {
      const leaf: Comparison = { field, op: "exists" };
      this.checkOperator(leaf, place);
      return op === "!=" ? { not: leaf } : leaf;
    }
    const leaf: Comparison = { field, op, value: 0 };
    if (!this.checkOperator(leaf, place)) return leaf;
    leaf.value = this.value(field, value, op);
    return leaf;
  }

  private range({ field, op, low, high, place }: RangeParts): Condition {
    if (op !== "matches" && op !== "=" && op !== "!=") {
      this.fault(place, place, "A range stands after `:`", [`\`${field}:low..high\``]);
      return { field, op, value: 0 };
    }
    const negated = (leaf: Comparison): Condition => op === "!=" ? { not: leaf } : leaf;
    const parsed = [low, high].map((value) => value === null ? null : this.value(field, value, "range"));
    const [from, to] = parsed as [Scalar | null, Scalar | null];
    if (from !== null && to !== null) {
      const leaf: Comparison = { field, op: "range", value: [from, to] };
      const message = this.faults.length > 0 ? null : checkLeaf(leaf)?.message ?? null;
      if (message !== null) {
        const swapped = (compareValues(field, from, to) ?? 0) > 0;
        const suggestion = swapped
          ? `${quoteValue(field, high!.text)}..${quoteValue(field, low!.text)}`
          : null;
        this.fault(low!, high!, message, [`\`${field}:low..high\``], suggestion);
      }
      return negated(leaf);
    }
    const open: Comparison = from !== null
      ? { field, op: ">=", value: from }
      : { field, op: "<=", value: to ?? 0 };
    if (from === null && to === null) {
      this.fault(place, place, "A range has a value before or after `..`", [expectedOf(field)]);
    } else this.checkOperator(open, place, "A range of addresses has two ends");
    return negated(open);
  }

  private checkOperator({ field, op }: Comparison, place: Position, message?: string): boolean {
    if (operatorsOf(field).includes(op)) return true;
    const sign = op === "matches" ? ":" : op === "exists" ? ":*" : op;
    this.fault(
      place,
      place,
      message ?? `\`${sign}\` does not apply to \`${field}\`, which is ${kindOf(FIELDS[field].type)}`,
      operatorSigns(field),
    );
    return false;
  }

  private value(field: FieldName, token: Value, op: Operator): Scalar {
    const parsed = parseValue(field, token.text, { op, quoted: token.quoted });
    if (parsed.ok) return parsed.value;
    const listed = !token.quoted && token.text.includes(",") && !["text", "any"].includes(FIELDS[field].type)
      ? `(${token.text.split(",").filter((part) => part !== "").join(", ")})`
      : null;
    const nearestText = parsed.suggestion === null ? null : quoteValue(field, parsed.suggestion);
    this.fault(token, token, shortened(parsed.message, token.text), parsed.expected, listed ?? nearestText);
    return 0;
  }

  private checkQuotes(token: Value): void {
    if (!token.quoted && token.text.startsWith("'")) this.stop(token, 'Quotes are written `"`', ['`"`']);
    if (token.unterminated) {
      const close = this.text[token.from] === "\u201c" ? "\u201d" : this.text[token.from]!;
      this.stop(
        { from: token.from, to: token.to },
        "The quotes are not closed",
        [`\`${close}\``],
        this.text.slice(token.from) + close,
      );
    }
  }

  private leaf(leaf: Comparison, { from, to }: Position): Comparison {
    if (this.spans.length === FILTER_LIMITS.terms) {
      this.stop({ from, to }, `A filter has at most ${FILTER_LIMITS.terms} comparisons`, []);
    }
    this.spans.push({ leaf, from, to });
    return leaf;
  }

  private expectEnd(): void {
    const token = this.peek();
    if (token === undefined) return;
    if (token.type === "close") {
      this.stop(token, "`)` has no `(` before it", ["the end", "`and`", "`or`"], "");
    }
    if (token.type === "comma") {
      this.stop(
        token,
        "A list stands in parentheses after a field: `port:(80, 443)`",
        ["`and`", "`or`"],
        " or",
      );
    }
    this.stop(token, `\`${this.shown(token)}\` is not expected here`, ["`and`", "`or`"]);
  }

  private stopAtEnd(): never {
    const last = this.tokens.at(-1);
    const where = last === undefined ? "" : ` after \`${this.shown(last)}\``;
    return this.stop(this.end(), `A condition is missing${where}`, CONDITION);
  }

  private end(): Position {
    return { from: this.text.length, to: this.text.length };
  }

  private peek(): Token | undefined {
    return this.tokens[this.at];
  }

  private shown({ from, to }: Position): string {
    return short(this.text.slice(from, to));
  }

  private stop(
    { from, to }: Position,
    message: string,
    expected: string[],
    suggestion: string | null = null,
  ): never {
    throw new SyntaxFault({ from, to, message, expected, suggestion });
  }

  private fault(
    first: Position,
    last: Position,
    message: string,
    expected: string[] = [],
    suggestion: string | null = null,
  ): void {
    const fault = { from: first.from, to: last.to, message, expected, suggestion };
    if (this.faults.length === MAX_FAULTS - 1) throw new SyntaxFault(fault);
    this.faults.push(fault);
  }
}

interface Compared {
  name: Position;
  field: FieldName | null;
  op: Operator;
}

interface Operand extends Compared {
  /** The end of what stands before the operand. */
  last: number;
  /** Whether it is part of a list, which has one span for all. */
  listed?: boolean;
}

interface RangeParts {
  field: FieldName;
  op: Operator;
  low: Value | null;
  high: Value | null;
  place: Position;
}
