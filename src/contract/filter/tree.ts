// The filter tree: what the text form, the natural-language grammar and the dashboard's chips all produce, and
// what SQL and the in-memory predicate are compiled from.

import type { FieldName } from "./fields.ts";
import type { Operator } from "./field.ts";

/** What a search returns. */
export const RESULT_KINDS = ["flows", "devices", "incidents"] as const;
export type ResultKind = (typeof RESULT_KINDS)[number];

export type Scalar = string | number;

/**
 * One comparison. `value` is a scalar in the type's canonical form (`values.ts`; durations in milliseconds), a list
 * of 1 to 100 of them for `matches`, `=` and `!=` (any of them; for `!=` none of them), a pair for `range`, and
 * absent for `exists`. A type, because the API's schema takes any record and an interface is none.
 */
export type Comparison = {
  field: FieldName;
  op: Operator;
  value?: Scalar | Scalar[];
};

export type Condition =
  | { all: Condition[] }
  | { any: Condition[] }
  | { not: Condition }
  | Comparison;

/** A span of time: RFC 3339 timestamps or relative times (`now`, `-2h`, `today`), half-open. */
export interface FilterWindow {
  from: string;
  to: string;
}

export interface Filter {
  version: 1;
  kind: ResultKind;
  /** Null: everything. */
  where: Condition | null;
  /** Null: the last 24 hours for flows, all times for devices and incidents, unless `where` names a time. */
  window: FilterWindow | null;
  /** IANA name of the zone in which relative times and dates are meant. */
  zone: string;
}

export function isAll(condition: Condition): condition is { all: Condition[] } {
  return "all" in condition;
}

export function isAny(condition: Condition): condition is { any: Condition[] } {
  return "any" in condition;
}

export function isNot(condition: Condition): condition is { not: Condition } {
  return "not" in condition;
}
