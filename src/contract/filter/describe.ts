// Filters in plain English, for chips and for the echo of an interpretation.

import { bareType } from "./bare.ts";
import { countryName } from "./countries.ts";
import type { Field, FieldType, Operator } from "./field.ts";
import { FIELD_LABELS, type FieldName, FIELDS } from "./fields.ts";
import { printCondition } from "./printer.ts";
import { type Comparison, type Condition, isAll, isAny, isNot, type Scalar } from "./tree.ts";
import { printValue } from "./values.ts";

/** Fields of type text whose values are single words, so that a part of one is not what people mean. */
const WORD_FIELDS: ReadonlySet<FieldName> = new Set<FieldName>([
  "proto",
  "service",
  "sensor",
  "dns.type",
  "dns.rcode",
  "tls.version",
  "http.method",
  "device.type",
  "tag",
  "detector",
  "technique",
]);

const COMPARED: Readonly<Partial<Record<Operator, string>>> = {
  "<": "below",
  "<=": "at most",
  ">": "above",
  ">=": "at least",
};
const TIMED: Readonly<Partial<Record<Operator, string>>> = {
  "<": "before",
  "<=": "until",
  ">": "after",
  ">=": "since",
};
const UNIT_WORDS: Readonly<Record<string, string>> = {
  s: "second",
  m: "minute",
  h: "hour",
  d: "day",
  w: "week",
};
/** A list in a label is cut after these many values. */
const MAX_LISTED = 5;

/** A part of a filter as the user sees it. */
export interface Chip {
  /** Path of the condition: `where.all[0]`. */
  path: string;
  text: string;
  label: string;
}

/** The parts of a filter that hold together: those of its outermost `all`, else the whole. */
export function chipsOf(where: Condition | null): Chip[] {
  if (where === null) return [];
  const chip = (part: Condition, path: string) => ({
    path,
    text: printCondition(part),
    label: describeCondition(part),
  });
  return isAll(where)
    ? where.all.map((part, index) => chip(part, `where.all[${index}]`))
    : [chip(where, "where")];
}

/** A condition in words. */
export function describeCondition(condition: Condition): string {
  if (isAll(condition)) {
    return condition.all.map((part) => grouped(part, isAny(part) || isAll(part))).join(" and ");
  }
  if (isAny(condition)) {
    return condition.any.map((part) => grouped(part, isAny(part) || isAll(part))).join(" or ");
  }
  if (!isNot(condition)) return describeComparison(condition);
  const inner = condition.not;
  if ("field" in inner) {
    return inner.op === "exists" ? `no ${FIELD_LABELS[inner.field]}` : describeNegated(inner);
  }
  return `not ${grouped(inner, true)}`;
}

/** `service is not dns`; a comparison without a verb, or with one that is a negation already, gets a `not` in front. */
function describeNegated(comparison: Comparison): string {
  const text = describeComparison(comparison);
  const label = `${FIELD_LABELS[comparison.field]} `;
  if (!text.startsWith(label)) return `not ${text}`;
  const rest = text.slice(label.length);
  const verb = Object.keys(NEGATED).find((each) => rest.startsWith(`${each} `));
  return verb === undefined || rest.startsWith("is no")
    ? `not ${text}`
    : `${label}${NEGATED[verb]}${rest.slice(verb.length)}`;
}

const NEGATED: Readonly<Record<string, string>> = {
  is: "is not",
  in: "is not in",
  contains: "does not contain",
  matches: "does not match",
};

function grouped(condition: Condition, parentheses: boolean): string {
  const text = describeCondition(condition);
  return parentheses ? `(${text})` : text;
}

/** A comparison in words: `source address in 10.0.0.0/8`. */
function describeComparison({ field, op, value }: Comparison): string {
  const label = FIELD_LABELS[field];
  if (field === "assignee" && isReader(value)) return op === "!=" ? `${label} is not you` : `${label} is you`;
  if (op === "exists") return `any ${label}`;
  if (field === "any") return `${bareLabel(String(value))} anywhere`;
  const { type } = FIELDS[field] as Field;
  if (type === "time") return `${field === "time" ? "" : `${label} `}${timePhrase(op, value)}`;
  const shown = (each: Scalar | undefined) => shownValue(field, each ?? "");
  if (op === "range" && Array.isArray(value)) return `${label} from ${shown(value[0])} to ${shown(value[1])}`;
  if (Array.isArray(value)) {
    const verb = op === "!=" ? "is none of" : listVerb(field, op);
    const names = value.slice(0, MAX_LISTED).map(shown);
    const rest = value.length - names.length;
    return `${label} ${verb} ${joinedNames(names, rest, op === "!=" ? "and" : "or")}`;
  }
  const compared = COMPARED[op];
  return `${label} ${compared ?? verbOf({ field, op, value })} ${shown(value)}`;
}

/** Whether it stands for the person who asks. */
function isReader(value: Comparison["value"]): boolean {
  return typeof value === "string" && value.toLowerCase() === "me";
}

function verbOf({ field, op, value }: Comparison): string {
  const { type } = FIELDS[field] as Field;
  if (op === "!=") return "is not";
  if (type === "address") return String(value).includes("/") ? "in" : "is";
  if (op === "=") return "is";
  if (type === "name") return String(value).includes("*") ? "matches" : "is";
  return isPart(field, type) ? "contains" : "is";
}

function listVerb(field: FieldName, op: Operator): string {
  return op === "matches" && isPart(field, FIELDS[field].type) ? "contains" : "is";
}

function isPart(field: FieldName, type: FieldType): boolean {
  return type === "text" && !WORD_FIELDS.has(field);
}

function joinedNames(names: string[], rest: number, word: string): string {
  if (rest > 0) return `${names.join(", ")} ${word} ${rest} more`;
  return `${names.slice(0, -1).join(", ")} ${word} ${names.at(-1)}`;
}

function shownValue(field: FieldName, value: Scalar): string {
  const { type } = FIELDS[field];
  const text = printValue(field, value);
  if (type === "country") return countryName(text);
  if (type === "text" && isPart(field, type)) return `“${text}”`;
  if (type === "enum") return text.replaceAll("_", " ");
  return text.replace(/^([\d.]+)((?:[kMGT]i?)?B(?:\/s)?)$/, "$1 $2");
}

function bareLabel(word: string): string {
  const type = bareType(word);
  switch (type) {
    case "address":
      return `address ${word}`;
    case "port":
      return `port ${word.slice(1)}`;
    case "asn":
      return `autonomous system ${word.toUpperCase()}`;
    case "text":
      return `“${word}”`;
    case "id":
      return `identifier ${word}`;
    case "name":
    case "fingerprint":
      return `${type} ${word}`;
  }
}

function timePhrase(op: Operator, value: Scalar | Scalar[] | undefined): string {
  if (Array.isArray(value)) {
    const [from, to] = value.map((each) => shownTime(String(each)));
    return op === "range" ? `from ${from} until ${to}` : [from, to].join(" or ");
  }
  const text = String(value ?? "");
  const relative = /^-(\d+)([smhdw])$/.exec(text);
  if (relative !== null && (op === "matches" || op === ">=" || op === ">")) {
    const [, count, unit] = relative;
    return `in the last ${count === "1" ? UNIT_WORDS[unit!]! : counted(count!, unit!)}`;
  }
  const before = TIMED[op];
  return before === undefined ? shownTime(text) : `${before} ${shownTime(text)}`;
}

function shownTime(text: string): string {
  const relative = /^-(\d+)([smhdw])$/.exec(text);
  if (relative !== null) return `${counted(relative[1]!, relative[2]!)} ago`;
  if (/^[a-z]+day$/.test(text) && text !== "today" && text !== "yesterday") {
    return text[0]!.toUpperCase() + text.slice(1);
  }
  if (/^\d/.test(text)) return text.replace("T", " ").replace(/Z$/, " UTC");
  return text.replace("-", " ");
}

function counted(count: string, unit: string): string {
  const word = UNIT_WORDS[unit]!;
  return `${count} ${word}${count === "1" ? "" : "s"}`;
}
