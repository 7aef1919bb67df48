import { type FieldName, FIELDS } from "../../contract/filter/fields.ts";
import type { TermKind } from "../../contract/filter/field.ts";
import type { Comparison } from "../../contract/filter/tree.ts";
import { type Criterion, questionOf, type SearchContext } from "../../domain/search/criterion.ts";
import type { Tx } from "../engine/database.ts";
import { countTerms, matchOf } from "./postings.ts";
import type { FlowSpan } from "./scope.ts";
import { readsWholeKind } from "./terms.ts";
import { SearchTooBroad } from "./search-transaction.ts";

/** Texts of the dictionary times the texts that each is compared with, in one search: one to two seconds. */
const MAX_TEXT_COMPARISONS = 1_000_000;

/**
 * Refuses a search before it starts if it compares too many texts with too large a part of the dictionary. A single
 * such text is always looked for: its lookup is bounded by itself.
 *
 * @throws SearchTooBroad with the field that costs the most
 */
export async function refuseManyTexts(
  tx: Tx,
  tenantId: string,
  comparisons: readonly Comparison[],
  context: SearchContext,
  span: FlowSpan,
): Promise<void> {
  const texts = new Map<FieldName, number>();
  for (const comparison of comparisons) {
    const { criterion } = questionOf(comparison, context);
    const count = scannedTexts(FIELDS[comparison.field].term!, criterion);
    if (count > 0) texts.set(comparison.field, (texts.get(comparison.field) ?? 0) + count);
  }
  const dearest = [...texts].sort(([, one], [, other]) => other - one);
  if (dearest.reduce((sum, [, count]) => sum + count, 0) < 2) return;
  let left = MAX_TEXT_COMPARISONS;
  for (const [field, count] of dearest) {
    const most = Math.floor(left / count);
    const terms = await countTerms(tx, tenantId, FIELDS[field].term!, span, most + 1);
    if (terms > most) throw tooManyTexts(field, count);
    left -= terms * count;
  }
}

/** The texts of a criterion that are compared with every text of the kind, because no index finds them. */
function scannedTexts(kind: TermKind, criterion: Criterion): number {
  if (criterion.is === "present" || criterion.is === "text") return 0;
  const match = matchOf(criterion);
  if (match !== null) return readsWholeKind(kind, match) ? 1 : 0;
  if (criterion.is === "name") return criterion.patterns.length;
  return criterion.is === "number"
    ? criterion.spans.length
    : "texts" in criterion
    ? criterion.texts.length
    : 0;
}

function tooManyTexts(field: FieldName, count: number): SearchTooBroad {
  const what = count === 1 ? "a text" : `${count} texts`;
  return new SearchTooBroad(
    `The search would look for ${what} anywhere in every ${field} of the window, which is too much at once; ask for ` +
      "fewer texts, for whole values (=) or their beginning, or choose a shorter window.",
    { field, limit_comparisons: MAX_TEXT_COMPARISONS },
  );
}
