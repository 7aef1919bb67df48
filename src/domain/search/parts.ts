import type { Grouped } from "../../contract/filter/group.ts";
import { FIELDS } from "../../contract/filter/fields.ts";
import type { Comparison, Condition } from "../../contract/filter/tree.ts";

/** A part of a grouped condition, or of a condition on something related. */
export type Part = Grouped | Condition;
/** A condition on something related to the row. */
export type SomeOf = Extract<Grouped, { some: unknown }>;

interface PartVisitor<T> {
  all(parts: readonly Part[]): T;
  any(parts: readonly Part[]): T;
  not(part: Part): T;
  some(group: SomeOf): T;
  comparison(comparison: Comparison): T;
}

export function visitPart<T>(part: Part, visitor: PartVisitor<T>): T {
  if ("all" in part) return visitor.all(part.all);
  if ("any" in part) return visitor.any(part.any);
  if ("not" in part) return visitor.not(part.not);
  return "some" in part ? visitor.some(part) : visitor.comparison(part);
}

/** The comparisons with texts of records, which are found through the dictionary. */
export function termComparisons(part: Part): Comparison[] {
  return visitPart<Comparison[]>(part, {
    all: (parts) => parts.flatMap(termComparisons),
    any: (parts) => parts.flatMap(termComparisons),
    not: termComparisons,
    some: ({ where }) => termComparisons(where),
    comparison: (comparison) => FIELDS[comparison.field].term === undefined ? [] : [comparison],
  });
}

/** The groups of related conditions. */
export function groupsOf(part: Part): SomeOf[] {
  return visitPart<SomeOf[]>(part, {
    all: (parts) => parts.flatMap(groupsOf),
    any: (parts) => parts.flatMap(groupsOf),
    not: groupsOf,
    some: (group) => [group],
    comparison: () => [],
  });
}

/** The parts that must all hold: those of the outermost `all`. */
export function conjuncts(where: Grouped | null): readonly Grouped[] {
  if (where === null) return [];
  return "all" in where ? where.all : [where];
}
