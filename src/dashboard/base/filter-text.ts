// Changes of a filter's text by chips, facets and values of lists. The text stays canonical.

import {
  RANKING_BUCKETS,
  RANKING_MEASURES,
  type RankingBucket,
  type RankingMeasure,
} from "../../contract/filter/aggregate.ts";
import { chipsOf } from "../../contract/filter/describe.ts";
import { type FieldName, FIELDS } from "../../contract/filter/fields.ts";
import type { Operator } from "../../contract/filter/field.ts";
import { normalise } from "../../contract/filter/normalise.ts";
import { parseText } from "../../contract/filter/parser.ts";
import { printCondition } from "../../contract/filter/printer.ts";
import { takeWindow } from "../../contract/filter/time.ts";
import { type Condition, isAll, isNot } from "../../contract/filter/tree.ts";
import { parseValue, printValue } from "../../contract/filter/values.ts";
import type { Window } from "./time/range.ts";

/** The conditions that hold together; null if the text is no filter. */
export function partsOf(text: string): Condition[] | null {
  const parsed = parseText(text);
  if (!parsed.ok) return null;
  if (parsed.condition === null) return [];
  return isAll(parsed.condition) ? parsed.condition.all : [parsed.condition];
}

/** Whether a text is a filter; an empty one is. */
export function isFilter(text: string): boolean {
  return parseText(text).ok;
}

export function textOf(parts: readonly Condition[]): string {
  return parts.length === 0 ? "" : printCondition(normalise({ all: [...parts] }));
}

/** A condition of the filter as the bar shows it. */
export interface ShownPart {
  part: Condition;
  text: string;
  label: string;
  negated: boolean;
  /** Whether it sets the search's time window, which cannot be excluded. */
  isTime: boolean;
}

export function shownParts(text: string): ShownPart[] {
  return (partsOf(text) ?? []).map((part) => {
    const [chip] = isAll(part) ? [] : chipsOf(part);
    return {
      part,
      text: chip?.text ?? printCondition(part),
      label: chip?.label ?? printCondition(part),
      negated: isNot(part),
      isTime: isWindow(part),
    };
  });
}

function isWindow(part: Condition): boolean {
  return "field" in part && part.field === "time";
}

/** The text with the condition at an index replaced by others. */
export function replacePart(text: string, index: number, by: readonly Condition[]): string {
  return textOf((partsOf(text) ?? []).toSpliced(index, 1, ...by));
}

export function removePart(text: string, index: number): string {
  return replacePart(text, index, []);
}

export function negatePart(text: string, index: number): string {
  const part = partsOf(text)?.[index];
  return part === undefined ? text : replacePart(text, index, [opposite(part)]);
}

function opposite(part: Condition): Condition {
  return isNot(part) ? part.not : { not: part };
}

/** Adds a condition, in place of its opposite if that is there. */
export function addCondition(text: string, condition: Condition): string {
  const parts = partsOf(text) ?? [];
  const added = printCondition(condition);
  const removed = printCondition(opposite(condition));
  const kept = parts.filter((part) => ![added, removed].includes(printCondition(part)));
  return textOf([...kept, condition]);
}

interface Facet {
  field: FieldName;
  op: Operator;
}

/** The value of the only condition of a facet: a select beside the bar shows it. */
export function facetValue(text: string, facet: Facet): string | undefined {
  const part = partsOf(text)?.find((one) => isFacet(one, facet));
  if (part === undefined || !("field" in part) || Array.isArray(part.value)) return undefined;
  return printValue(part.field, part.value ?? "");
}

/** Sets, replaces or removes the condition of a facet. */
export function withFacet(text: string, { field, op }: Facet, value: string | undefined): string {
  const rest = (partsOf(text) ?? []).filter((part) => !isFacet(part, { field, op }));
  const parsed = value === undefined ? null : parseValue(field, value, { op, quoted: true });
  return textOf(parsed?.ok ? [...rest, { field, op, value: parsed.value }] : rest);
}

function isFacet(part: Condition, { field, op }: Facet): boolean {
  return "field" in part && part.field === field && part.op === op;
}

/** Whether conditions at the top level set the search's time window. */
export function setsTime(text: string): boolean {
  return partsOf(text)?.some(isWindow) ?? false;
}

export function withoutTime(text: string): string {
  return textOf((partsOf(text) ?? []).filter((part) => !isWindow(part)));
}

const MICROS = 1000;
const DAY = 86_400_000;
/** Longest window of lists, one day less than the API allows: a day with a change of clocks is longer. */
const MAX_WINDOW = 30 * DAY;

/**
 * The window that the filter sets; null if it sets none. A time without a beginning reaches back as far as a list
 * of flows may.
 */
export function windowOfFilter(text: string, { now, zone }: { now: number; zone: string }): Window | null {
  const parsed = parseText(text);
  if (!parsed.ok) return null;
  const { span } = takeWindow(parsed.condition, { now: now * MICROS, zone });
  if (span === null) return null;
  const to = span.to === null ? now : Math.min(Math.ceil(span.to / MICROS), Math.max(now, 1));
  const from = span.from === null ? to - MAX_WINDOW : Math.floor(span.from / MICROS);
  // Times that contradict each other, or lie ahead, find nothing.
  const start = Math.max(0, Math.min(from, to - 1));
  return { from: new Date(start).toISOString(), to: new Date(Math.max(to, start + 1)).toISOString() };
}

/** Values that a question asks to rank, as the address has them: `dst.ip:bytes:10`. */
export interface Top {
  /** Null: only the total. */
  field: FieldName | null;
  measure: RankingMeasure;
  limit: number;
  /** Null: in all. */
  bucket: RankingBucket | null;
}

const MAX_TOP = 100;

export function readTop(text: string | undefined): Top | null {
  const [field, measure, limit, bucket = null] = text?.split(":") ?? [];
  if (!isOneOf(RANKING_MEASURES, measure)) return null;
  if (bucket !== null && !isOneOf(RANKING_BUCKETS, bucket)) return null;
  if (field !== "" && !Object.hasOwn(FIELDS, field!)) return null;
  const count = Number(limit);
  if (!Number.isInteger(count) || count < 1) return null;
  return {
    field: field === "" ? null : field as FieldName,
    measure,
    limit: Math.min(count, MAX_TOP),
    bucket,
  };
}

function isOneOf<T extends string>(texts: readonly T[], text: string | undefined): text is T {
  return (texts as readonly (string | undefined)[]).includes(text);
}

export function printTop(
  { field, measure, limit, bucket }: Omit<Top, "field"> & { field: string },
): string {
  return [field, measure, limit, ...bucket === null ? [] : [bucket]].join(":");
}
