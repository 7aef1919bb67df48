// Completion from the grammar. Values that occur in records are not known here: the context says which field they
// belong to and how they begin.

import { countries } from "./countries.ts";
import type { Field, FieldOwner, Operator } from "./field.ts";
import { FIELD_NAMES, type FieldName, FIELDS } from "./fields.ts";
import { type Token, tokensOf } from "./lexer.ts";
import { fieldNamed, operatorsOf } from "./names.ts";
import { quoteValue } from "./printer.ts";
import { TIME_WORDS } from "./time.ts";
import type { ResultKind } from "./tree.ts";
import { BYTE_UNIT_NAMES, DURATION_UNIT_NAMES } from "./units.ts";

/** What can stand at the caret. `prefix` is what was typed of it. */
export type CompletionContext =
  | { type: "field"; prefix: string }
  | { type: "operator"; field: FieldName }
  /** A value of the field; insert it with `quoteValue`. */
  | { type: "value"; field: FieldName; prefix: string }
  | { type: "connective" }
  /** Text that only the user knows. */
  | { type: "text" };

interface CompletionItem {
  /** Replaces the text between `from` and `to`. */
  insert: string;
  label: string;
  detail: string | null;
}

export interface Completion {
  from: number;
  to: number;
  context: CompletionContext;
  items: CompletionItem[];
}

const MAX_ITEMS = 50;

const OWNER_ORDER: Readonly<Record<ResultKind, readonly FieldOwner[]>> = {
  flows: ["flow", "all", "device", "incident"],
  devices: ["device", "all", "flow", "incident"],
  incidents: ["incident", "all", "device", "flow"],
};

const OPERATOR_ITEMS: readonly { op: Operator; sign: string; detail: string }[] = [
  { op: "matches", sign: ":", detail: "matches" },
  { op: "=", sign: "=", detail: "equals" },
  { op: "!=", sign: "!=", detail: "does not equal" },
  { op: ">", sign: ">", detail: "above" },
  { op: ">=", sign: ">=", detail: "at least" },
  { op: "<", sign: "<", detail: "below" },
  { op: "<=", sign: "<=", detail: "at most" },
  { op: "exists", sign: ":*", detail: "has a value" },
];
const CONNECTIVE_ITEMS: readonly CompletionItem[] = [
  { insert: "and", label: "and", detail: "both; the same as a space" },
  { insert: "or", label: "or", detail: "one of both" },
  { insert: "not", label: "not", detail: "excludes what follows; the same as -" },
];
const LIST_ITEMS: readonly CompletionItem[] = [
  { insert: ", ", label: ",", detail: "another value" },
  { insert: ")", label: ")", detail: "the end of the list" },
];
const RELATIVE_TIMES = ["-1h", "-24h", "-7d", "-30d"];
const TRANSPORTS = ["tcp", "udp", "icmp", "ipv6-icmp", "sctp"];

/**
 * Completes the text at the caret. The text may be unfinished or wrong anywhere.
 *
 * @param fields Those that work where the filter is used; all by default.
 */
export function completeText(
  text: string,
  caret: number,
  kind: ResultKind = "flows",
  fields?: ReadonlySet<FieldName>,
): Completion {
  const at = Math.min(Math.max(caret, 0), text.length);
  const place = placeAt(tokensOf(text), at);
  const { token, field, inList } = place;
  const typed = token === null ? "" : text.slice(token.from, at);
  const span = token === null ? { from: at, to: at } : { from: token.from, to: token.to };
  switch (place.expects) {
    case "field":
      return { ...span, ...namesFor(typed, { kind, fields, withOperator: token?.type !== "field" }) };
    case "operator":
      return { ...span, context: { type: "operator", field: field! }, items: operatorItems(field!) };
    case "value": {
      if (field === null) return { ...span, context: { type: "text" }, items: [] };
      const prefix = typed.replace(/^["'\u201c\u201d]/, "");
      const items = valueItems(field, { prefix, op: place.op, inList });
      return { ...span, context: { type: "value", field, prefix }, items };
    }
    case "separator":
      return { ...span, context: { type: "connective" }, items: [...LIST_ITEMS] };
    case "next": {
      const { items } = namesFor("", { kind, fields, withOperator: true });
      return {
        ...span,
        context: { type: "connective" },
        items: [...CONNECTIVE_ITEMS, ...items].slice(0, MAX_ITEMS),
      };
    }
    case "text":
      return { ...span, context: { type: "text" }, items: [] };
  }
}

interface Place {
  expects: "field" | "operator" | "value" | "separator" | "next" | "text";
  /** The token that the caret is in or at the end of, if it is to be replaced. */
  token: Token | null;
  /** The field whose operator or value stands here. */
  field: FieldName | null;
  op: Operator | null;
  inList: boolean;
}

/** What can stand at an offset, from the tokens before it. */
function placeAt(tokens: readonly Token[], at: number): Place {
  const place: Place = { expects: "field", token: null, field: null, op: null, inList: false };
  for (const token of tokens) {
    if (token.from >= at) break;
    const touched = token.to >= at;
    place.token = null;
    switch (token.type) {
      case "field":
        Object.assign(place, { field: token.field, op: null, expects: "operator" });
        if (touched) return { ...place, expects: "field", token };
        break;
      case "operator":
        Object.assign(place, { op: token.op, expects: "value", inList: false });
        // In the middle of `>=`.
        if (token.to > at) return { ...place, expects: place.field === null ? "text" : "operator", token };
        break;
      case "open":
        if (place.expects === "value") place.inList = true;
        else place.expects = "field";
        break;
      case "comma":
        place.expects = place.inList ? "value" : "field";
        break;
      case "or":
      case "and":
        if (touched) {
          return place.inList ? { ...place, expects: "value", token } : { ...place, expects: "field", token };
        }
        place.expects = place.inList ? "value" : "field";
        break;
      case "not":
        if (touched) return { ...place, expects: "field", token };
        place.expects = "field";
        break;
      case "minus":
        place.expects = "field";
        break;
      case "close":
        Object.assign(place, { expects: "next", inList: false });
        break;
      case "dots":
        place.expects = "value";
        break;
      case "value":
        if (touched && !isClosed(token, at)) return { ...place, expects: "value", token };
        place.expects = place.inList ? "separator" : "next";
        break;
      case "bare": {
        if (touched && !isClosed(token, at)) {
          return { ...place, expects: token.quoted ? "text" : "field", token };
        }
        const named = token.quoted ? null : fieldNamed(token.text);
        Object.assign(place, { field: named, expects: named === null ? "next" : "operator" });
      }
    }
  }
  return place;
}

/** Whether the caret stands behind the closing quote. */
function isClosed(token: Extract<Token, { type: "value" | "bare" }>, at: number): boolean {
  return token.quoted && !token.unterminated && at === token.to;
}

/** Fields that begin with the prefix, then those with an alias or a part that does, then connectives. */
function namesFor(
  typed: string,
  { kind, fields, withOperator }: {
    kind: ResultKind;
    fields: ReadonlySet<FieldName> | undefined;
    withOperator: boolean;
  },
): { context: CompletionContext; items: CompletionItem[] } {
  const prefix = typed.toLowerCase();
  const exact = prefix === "" || !withOperator ? null : fieldNamed(prefix);
  const owners = OWNER_ORDER[kind];
  const ranked = FIELD_NAMES.filter((name) => name !== "any" && name !== exact).flatMap((name) => {
    const rank = fields === undefined || fields.has(name) ? rankOf(name, prefix) : null;
    return rank === null ? [] : [{ name, rank, owner: owners.indexOf(FIELDS[name].owner) }];
  }).sort((a, b) => a.rank - b.rank || a.owner - b.owner);
  const items: CompletionItem[] = ranked.map(({ name }) => ({
    insert: withOperator ? `${name}:` : name,
    label: name,
    detail: FIELDS[name].description,
  }));
  if (prefix !== "") items.push(...CONNECTIVE_ITEMS.filter(({ insert }) => insert.startsWith(prefix)));
  const operators = exact === null ? [] : operatorItems(exact).map(({ insert, detail }) => ({
    insert: exact + insert,
    label: exact + insert,
    detail,
  }));
  return {
    context: exact === null ? { type: "field", prefix: typed } : { type: "operator", field: exact },
    items: [...operators, ...items].slice(0, MAX_ITEMS),
  };
}

function rankOf(name: FieldName, prefix: string): number | null {
  const { aliases = [] } = FIELDS[name] as Field;
  if (name.startsWith(prefix)) return 0;
  if (aliases.some((alias) => alias.startsWith(prefix))) return 1;
  return name.split(/[._]/).some((part) => part.startsWith(prefix)) ? 2 : null;
}

function operatorItems(field: FieldName): CompletionItem[] {
  const allowed = operatorsOf(field);
  return OPERATOR_ITEMS.filter(({ op }) => allowed.includes(op))
    .map(({ sign, detail }) => ({ insert: sign, label: sign, detail }));
}

/** Values that the grammar knows: of enumerations, countries, times, units, and `*`. */
function valueItems(
  field: FieldName,
  { prefix, op, inList }: { prefix: string; op: Operator | null; inList: boolean },
): CompletionItem[] {
  const lower = prefix.toLowerCase();
  const items = knownValues(field, prefix).filter(({ keys }) =>
    keys.some((key) => key.toLowerCase().startsWith(lower))
  )
    .map(({ value, label, detail }) => ({ insert: quoteValue(field, value), label, detail }));
  const any = prefix === "" && !inList && (op === "matches" || op === "=" || op === "!=") &&
    operatorsOf(field).includes("exists");
  if (any) items.push({ insert: "*", label: "*", detail: "any value" });
  return items.slice(0, MAX_ITEMS);
}

interface KnownValue {
  value: string;
  /** What a prefix is compared with. */
  keys: string[];
  label: string;
  detail: string | null;
}

function knownValues(field: FieldName, prefix: string): KnownValue[] {
  const plain = (value: string): KnownValue => ({ value, keys: [value], label: value, detail: null });
  const { type, values, valueAliases = {} } = FIELDS[field] as Field;
  if (values !== undefined) {
    return values.map((value) => ({
      ...plain(value),
      keys: [value, ...Object.keys(valueAliases).filter((alias) => valueAliases[alias] === value)],
    }));
  }
  if (field === "proto") return TRANSPORTS.map(plain);
  if (field === "assignee") return [{ ...plain("me"), detail: "the person who asks" }];
  switch (type) {
    case "country":
      return countries().map(({ code, name }) => ({
        value: code,
        keys: [name, code],
        label: code,
        detail: name,
      }));
    case "time":
      return [...TIME_WORDS, ...RELATIVE_TIMES].map(plain);
    case "bytes":
      return withUnits(prefix, BYTE_UNIT_NAMES.filter((unit) => /^[kMGT]?B$/.test(unit)).reverse()).map(
        plain,
      );
    case "rate":
      return withUnits(prefix, ["kB/s", "MB/s", "GB/s", "Mbit/s", "Gbit/s"]).map(plain);
    case "duration":
      return withUnits(prefix, [...DURATION_UNIT_NAMES].reverse()).map(plain);
    default:
      return [];
  }
}

/** `5kB`, `5MB` and so on, once a number was typed. */
function withUnits(prefix: string, units: readonly string[]): string[] {
  const digits = /^[\d.]+/.exec(prefix)?.[0];
  return digits === undefined ? [] : units.map((unit) => digits + unit);
}
