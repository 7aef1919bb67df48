import { type FieldName, FIELDS } from "../../contract/filter/fields.ts";
import type { FieldType, Operator } from "../../contract/filter/field.ts";
import { type OpenSpan, type TimeContext, timeSpan } from "../../contract/filter/time.ts";
import type { Comparison, Scalar } from "../../contract/filter/tree.ts";
import type { Site } from "../../contract/site.ts";
import { formatIp, parseCidr, parseIp } from "../../kit/net/ip.ts";
import { protocolKeyword, protocolNumber } from "../../kit/net/ip-protocol.ts";
import { nameText, termPart, termText } from "./terms.ts";

/** What a filter is read with. */
export interface SearchContext extends TimeContext {
  /** Names of VLANs and their networks. */
  vlans: Site["vlans"];
  /** The broadcast addresses of the site's networks: inside, although no devices. */
  broadcasts?: ReadonlySet<string>;
}

/** A range of numbers; null: unbounded. */
export interface NumberSpan {
  low: number | null;
  high: number | null;
  /** Whether the bound itself is outside. */
  openLow?: boolean;
  openHigh?: boolean;
}

/**
 * What a comparison asks of one value: its operator and values, read by the type of its field. Both evaluators
 * take it from here, so they differ in how they look at values only. A criterion without values is never met.
 */
export type Criterion =
  | { is: "present" }
  /** One of these texts; `folded`: letter case aside, see `foldCase`. */
  | { is: "text"; texts: readonly string[]; folded: boolean }
  /** Contains one of these texts, letter case aside. */
  | { is: "part"; texts: readonly string[] }
  /** Starts with one of these texts, letter case aside, and ends there or goes on with a dot. */
  | { is: "branch"; texts: readonly string[] }
  /** Matches one of these names, of which `*` stands for any text. */
  | { is: "name"; patterns: readonly string[] }
  | { is: "number"; spans: readonly NumberSpan[] }
  /** An address from first to last, both inclusive, in the order of `compareIp`. */
  | { is: "address"; spans: readonly { first: string; last: string }[] }
  /** Microseconds, half-open. */
  | { is: "time"; spans: readonly OpenSpan[] };

export interface Question {
  /** Whether no value may meet the criterion, instead of at least one. */
  negated: boolean;
  criterion: Criterion;
}

/** The question that a valid comparison asks of its field; not for `any`, which is expanded before. */
export function questionOf(comparison: Comparison, context: SearchContext): Question {
  const { field, op } = comparison;
  if (op === "exists") return { negated: false, criterion: { is: "present" } };
  const { type } = FIELDS[field];
  const asked = op === "!=" ? { ...comparison, op: "=" as const } : comparison;
  return { negated: op === "!=", criterion: READERS[type](asked, context) };
}

/** Durations are given in milliseconds. */
const MICROS_PER_MS = 1000;

type Reader = (comparison: Comparison, context: SearchContext) => Criterion;

const READERS: Record<FieldType, Reader> = {
  address: ({ op, value }) => {
    const spans = listOf(value).flatMap((text) => addressesOf(String(text)) ?? []);
    if (op !== "range") return { is: "address", spans };
    const [low, high] = spans;
    return { is: "address", spans: low && high ? [{ first: low.first, last: high.last }] : [] };
  },
  port: numbers(1),
  number: numbers(1),
  bytes: numbers(1),
  rate: numbers(1),
  duration: numbers(MICROS_PER_MS),
  asn: numbers(1),
  name: ({ field, op, value }) => {
    const names = texts(value).map((name) => nameText(name.toLowerCase()));
    const hasWildcard = op === "matches" && names.some((name) => name.includes("*"));
    return hasWildcard ? { is: "name", patterns: names } : wholeText(field, names);
  },
  fingerprint: ({ field, value }) =>
    field === "community_id"
      ? { is: "text", texts: texts(value), folded: false }
      : wholeText(field, texts(value)),
  text: ({ field, op, value }) => {
    const given = texts(value);
    if (field === "proto") return { is: "text", texts: given.map(protocolName), folded: false };
    if (field === "service") return { is: "text", texts: given.flatMap(serviceNames), folded: false };
    if (op === "=") return wholeText(field, given);
    if (field === "technique") return { is: "branch", texts: folds(given) };
    const { term } = FIELDS[field];
    return {
      is: "part",
      texts: term === undefined ? folds(given) : given.map((text) => termPart(term, text)),
    };
  },
  enum: ({ field, op, value }) => {
    const given = texts(value).map((text) => text.toLowerCase());
    const { values = [], ordered } = FIELDS[field];
    if (!ordered || op === "matches" || op === "=") return { is: "text", texts: given, folded: false };
    const [span] = spansOf(op, given.map((text) => values.indexOf(text)));
    return { is: "text", texts: values.filter((_, at) => isInSpan(at, span!)), folded: false };
  },
  country: ({ value }) => ({
    is: "text",
    texts: texts(value).map((text) => text.toUpperCase()),
    folded: false,
  }),
  time: (comparison, context) => ({ is: "time", spans: timeSpans(comparison, context) }),
  vlan: ({ value }, { vlans }) => ({
    is: "number",
    spans: listOf(value).flatMap((given) => vlanIds(given, vlans)).map((id) => ({ low: id, high: id })),
  }),
  id: ({ value }) => ({
    is: "text",
    texts: texts(value).map((text) => text.toLowerCase()).filter((text) => UUID.test(text)),
    folded: false,
  }),
  any: ({ field }) => {
    throw new TypeError(`the field ${field} is expanded before it is compared`);
  },
};

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

function listOf(value: Comparison["value"]): readonly Scalar[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [value];
}

/** Texts as they could be stored, without NUL and unpaired surrogates. */
function texts(value: Comparison["value"]): string[] {
  return listOf(value).map((one) => String(one).toWellFormed().replaceAll("\0", "\ufffd"));
}

/** The addresses of a CIDR or one address; null if the text is neither. */
function addressesOf(text: string): { first: string; last: string } | null {
  const network = parseCidr(text);
  if (network !== null) return { first: formatIp(network.first), last: formatIp(network.last) };
  const bytes = parseIp(text);
  if (bytes === null) return null;
  const first = formatIp(bytes);
  return { first, last: first };
}

/** A comparison of numbers given in a unit of `factor`. */
function numbers(factor: number): Reader {
  return ({ op, value }) => ({
    is: "number",
    spans: spansOf(op, listOf(value).map((one) => Number(one) * factor)),
  });
}

function spansOf(op: Operator, values: readonly number[]): NumberSpan[] {
  const [low = 0, high = 0] = values;
  switch (op) {
    case "<":
      return [{ low: null, high: low, openHigh: true }];
    case "<=":
      return [{ low: null, high: low }];
    case ">":
      return [{ low, high: null, openLow: true }];
    case ">=":
      return [{ low, high: null }];
    case "range":
      return [{ low, high }];
    default:
      return values.map((value) => ({ low: value, high: value }));
  }
}

/** Whether a number is in the span; also exact for counters above 2^53. */
export function isInSpan(value: number | bigint, { low, high, openLow, openHigh }: NumberSpan): boolean {
  const isAbove = low === null || (openLow ? value > low : value >= low);
  return isAbove && (high === null || (openHigh ? value < high : value <= high));
}

/** Each time of a list is a span of its own. */
function timeSpans(comparison: Comparison, context: TimeContext): OpenSpan[] {
  const { op, value } = comparison;
  const each = Array.isArray(value) && op !== "range" ? value : [value];
  return each.flatMap((one) => timeSpan({ ...comparison, value: one }, context) ?? []);
}

/** Whole texts; those of the dictionary are in its form. */
function wholeText(field: FieldName, given: readonly string[]): Criterion {
  const { term } = FIELDS[field];
  if (term === undefined) return { is: "text", texts: folds(given), folded: true };
  return { is: "text", texts: given.map((text) => termText(term, text)), folded: false };
}

/** Normalises a protocol: `TCP`, `tcp` and `6` are the same. */
function protocolName(text: string): string {
  const number = protocolNumber(text);
  return number === null ? text.toLowerCase() : protocolKeyword(number);
}

/** Every spelling that sensors may have written for a service: `tls` is also `ssl`. */
function serviceNames(text: string): string[] {
  const name = text.toLowerCase();
  const aliases = Object.entries(FIELDS.service.valueAliases ?? {});
  const canonical = aliases.find(([alias]) => alias === name)?.[1] ?? name;
  const spellings = aliases.filter(([, value]) => value === canonical).map(([alias]) => alias);
  return [...new Set([canonical, ...spellings, text])];
}

function vlanIds(given: Scalar, vlans: Site["vlans"]): number[] {
  const number = Number(given);
  if (String(given).trim() !== "" && Number.isInteger(number)) return [number];
  const name = String(given).toLowerCase();
  return vlans.filter((vlan) => vlan.name.toLowerCase() === name).map((vlan) => vlan.vlan_id);
}

/** ASCII letters in lower case: what every database can do alike. */
export function foldCase(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/**
 * Texts to look for among texts after `foldCase`: as given, and with their other letters in lower and in upper
 * case.
 */
function folds(given: readonly string[]): string[] {
  return [
    ...new Set(given.flatMap((text) => [text, text.toLowerCase(), text.toUpperCase()].map(foldCase))),
  ];
}
