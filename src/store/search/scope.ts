import type { TermKind } from "../../contract/filter/field.ts";
import type { Comparison } from "../../contract/filter/tree.ts";
import type { Criterion, SearchContext } from "../../domain/search/criterion.ts";
import type { SomeOf } from "../../domain/search/parts.ts";
import type { FlowWindow } from "../flow/filter.ts";

/** What a criterion finds in the dictionary. */
export type TermLookup =
  | { ids: readonly bigint[] }
  /** Too many terms to list: those of the kind that meet the criterion. */
  | { kind: TermKind; criterion: Criterion };

/** What the conditions of a search are compiled with. */
export interface SearchScope {
  tenantId: string;
  context: SearchContext;
  /** Results of looking the compared texts up in the dictionary. */
  terms: ReadonlyMap<Comparison, TermLookup>;
  /** Devices that meet a group of conditions, with those merged into them; null if they are too many to list. */
  devices: ReadonlyMap<SomeOf, readonly string[] | null>;
}

/** A part of the window in which flows are looked for; null: at all times. */
export type FlowSpan = Pick<FlowWindow, "from" | "to" | "anchorTo"> | null;
