import type { FieldName } from "../../contract/filter/fields.ts";
import type { LeafSpan, TextFault } from "../../contract/filter/parser.ts";

/** What a query bar filters, if it is no list. Such a page has no saved searches and no export. */
export interface QueryTarget {
  /** As in "Filter the map". */
  noun: string;
  placeholder: string;
  /** Suggested while the bar is empty. */
  examples: readonly string[];
  /** The fields that work; others are not suggested. */
  fields: ReadonlySet<FieldName>;
  /** What is wrong with a valid filter there. */
  faults: (spans: readonly LeafSpan[]) => readonly TextFault[];
}
