import { FIELDS } from "../../contract/filter/fields.ts";
import type { Grouped } from "../../contract/filter/group.ts";
import type { Comparison } from "../../contract/filter/tree.ts";
import { questionOf, type SearchContext } from "../../domain/search/criterion.ts";
import { groupsOf, type SomeOf, termComparisons } from "../../domain/search/parts.ts";
import type { Tx } from "../engine/database.ts";
import { sql } from "../engine/sql.ts";
import { membersWith } from "./device-conditions.ts";
import { lookUpTerms } from "./postings.ts";
import { refuseManyTexts } from "./text-cost.ts";
import type { FlowSpan, SearchScope, TermLookup } from "./scope.ts";

/** More devices are joined instead of listed. */
const MAX_LISTED_DEVICES = 1000;

/**
 * Looks up what conditions on flows in the span, or on incidents, are compiled with: terms by their texts, devices by
 * their group.
 */
export async function resolveScope(
  tx: Tx,
  tenantId: string,
  where: Grouped | null,
  context: SearchContext,
  span: FlowSpan,
): Promise<SearchScope> {
  const devices = new Map<SomeOf, readonly string[] | null>();
  const groups = where === null ? [] : groupsOf(where).filter(({ some }) => some === "device");
  const [terms] = await Promise.all([
    resolveTerms(tx, tenantId, where, context, span),
    ...groups.map(async (group) => {
      const rows = await tx.rows<{ device_id: string }>(sql`
        ${membersWith(tenantId, group.where, context)} limit ${MAX_LISTED_DEVICES + 1}`);
      devices.set(group, rows.length > MAX_LISTED_DEVICES ? null : rows.map(({ device_id }) => device_id));
    }),
  ]);
  return { tenantId, context, terms, devices };
}

async function resolveTerms(
  tx: Tx,
  tenantId: string,
  where: Grouped | null,
  context: SearchContext,
  span: FlowSpan,
): Promise<Map<Comparison, TermLookup>> {
  const comparisons = where === null ? [] : termComparisons(where);
  await refuseManyTexts(tx, tenantId, comparisons, context, span);
  const found = await Promise.all(comparisons.map(async (comparison) => {
    const { criterion } = questionOf(comparison, context);
    const kind = FIELDS[comparison.field].term!;
    return [comparison, await lookUpTerms(tx, tenantId, kind, criterion, span)] as const;
  }));
  return new Map(found);
}
