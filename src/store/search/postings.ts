// The flows whose records state certain texts, through the dictionary.

import type { TermKind } from "../../contract/filter/field.ts";
import type { Criterion, NumberSpan } from "../../domain/search/criterion.ts";
import type { Tx } from "../engine/database.ts";
import { plainArray, timestampLiteral } from "../engine/literals.ts";
import { dayOf } from "../engine/schema/partitions.ts";
import { all, type Sql, sql } from "../engine/sql.ts";
import { meets } from "./criterion-sql.ts";
import type { FlowSpan, TermLookup } from "./scope.ts";
import { termIdsOf, termKindNumber } from "./term-id.ts";
import { type FoundTerms, termIds, type TermMatch } from "./terms.ts";

/** More terms are joined instead of listed. */
const MAX_LISTED_TERMS = 1000;

export async function lookUpTerms(
  tx: Tx,
  tenantId: string,
  kind: TermKind,
  criterion: Criterion,
  span: FlowSpan,
): Promise<TermLookup> {
  if (criterion.is === "present") return { kind, criterion };
  if (criterion.is === "text") return { ids: criterion.texts.map(termIdsOf(tenantId, kind)) };
  const match = matchOf(criterion);
  const { ids, cut } = match === null
    ? await anyTermIds(tx, tenantId, kind, criterion, span)
    : await termIds(tx, tenantId, kind, match, daysOf(span), MAX_LISTED_TERMS);
  return cut ? { kind, criterion } : { ids };
}

/** The texts of a kind on the days of the span, counted up to `most`; one text counts once a day. */
export async function countTerms(
  tx: Tx,
  tenantId: string,
  kind: TermKind,
  span: FlowSpan,
  most: number,
): Promise<number> {
  const [row] = await tx.rows<{ terms: number }>(sql`
    select count(*)::integer as terms from (
      select from term t where ${
    all([...ofKind(tenantId, kind), ...onDays(sql`t.day`, span)])
  } limit ${most}) known`);
  return row!.terms;
}

/** The criterion of a single value as the dictionary is searched; null for several. */
export function matchOf(criterion: Criterion): TermMatch | null {
  if (criterion.is === "part" && criterion.texts.length === 1) return { contains: criterion.texts[0]! };
  if (criterion.is === "name" && criterion.patterns.length === 1) return { wildcard: criterion.patterns[0]! };
  if (criterion.is === "number" && criterion.spans.length === 1) {
    return { number: wholeNumbers(criterion.spans[0]!) };
  }
  return null;
}

function wholeNumbers(
  { low, high, openLow, openHigh }: NumberSpan,
): { from: number | null; to: number | null } {
  return {
    from: low === null ? null : openLow ? Math.floor(low) + 1 : Math.ceil(low),
    to: high === null ? null : openHigh ? Math.ceil(high) - 1 : Math.floor(high),
  };
}

async function anyTermIds(
  tx: Tx,
  tenantId: string,
  kind: TermKind,
  criterion: Criterion,
  span: FlowSpan,
): Promise<FoundTerms> {
  const rows = await tx.rows<{ term_id: bigint | number }>(sql`
    select distinct t.term_id from term t where ${
    all([...ofKind(tenantId, kind), ...onDays(sql`t.day`, span), textMeets(criterion)])
  } limit ${MAX_LISTED_TERMS + 1}`);
  const ids = rows.map(({ term_id }) => BigInt(term_id));
  return { ids, cut: ids.length > MAX_LISTED_TERMS };
}

function ofKind(tenantId: string, kind: TermKind): Sql[] {
  return [sql`t.tenant_id = ${tenantId}`, sql`t.kind = ${termKindNumber(kind)}::smallint`];
}

/** That the text of term `t` meets the criterion. */
function textMeets(criterion: Criterion): Sql {
  if (criterion.is !== "number") return meets(sql`t.text`, criterion);
  return sql`case when t.text ~ '^[0-9]{1,18}$' then ${meets(sql`t.text::bigint`, criterion)} else false end`;
}

/** The anchors of flows that start in the span: no flow starts more than a millisecond after its anchor. */
function anchorsOf({ from, to, anchorTo }: NonNullable<FlowSpan>): { from: number; to: number | null } {
  return { from: from - 1000, to: anchorTo === undefined ? null : Math.max(anchorTo, to) };
}

/** The days of the anchors of flows that start in the span. */
export function daysOf(span: FlowSpan): { from: number; to: number } | null {
  if (span === null) return null;
  const { from, to } = anchorsOf(span);
  return { from, to: to ?? Number.MAX_SAFE_INTEGER };
}

function onDays(day: Sql, span: FlowSpan): Sql[] {
  if (span === null) return [];
  const { from, to } = anchorsOf(span);
  const since = sql`${day} >= ${timestampLiteral(dayOf(from))}::timestamptz`;
  return to === null ? [since] : [since, sql`${day} <= ${timestampLiteral(dayOf(to))}::timestamptz`];
}

/** The postings `p` of flows that start in the span, and others of the same blocks. */
function postingsIn(tenantId: string, lookup: TermLookup, span: FlowSpan): { from: Sql; where: Sql } {
  const conditions = [sql`p.tenant_id = ${tenantId}`, ...onDays(sql`p.day`, span)];
  if (span !== null) {
    const { from, to } = anchorsOf(span);
    conditions.push(sql`p.to_at >= ${timestampLiteral(from)}::timestamptz`);
    if (to !== null) conditions.push(sql`p.from_at <= ${timestampLiteral(to)}::timestamptz`);
  }
  if ("ids" in lookup) {
    return {
      from: sql`flow_term p`,
      where: all([...conditions, sql`p.term_id = any(${plainArray(lookup.ids)}::bigint[])`]),
    };
  }
  return {
    from:
      sql`term t join flow_term p on p.tenant_id = t.tenant_id and p.day = t.day and p.term_id = t.term_id`,
    where: all([
      ...conditions,
      ...ofKind(tenantId, lookup.kind),
      ...onDays(sql`t.day`, span),
      textMeets(lookup.criterion),
    ]),
  };
}

/** That a record of `flow`, which starts in the span, states one of the terms. */
export function statesTerm(tenantId: string, lookup: TermLookup, span: FlowSpan): Sql {
  if ("ids" in lookup && lookup.ids.length === 0) return sql`false`;
  const { from, where } = postingsIn(tenantId, lookup, span);
  return sql`flow.flow_id in (select unnest(p.flow_ids) from ${from} where ${where})`;
}

/** Flow ids and texts of one kind, each pair once, of flows that start in the span. */
export function textsOfFlows(tenantId: string, kind: TermKind, span: FlowSpan): Sql {
  const { from, where } = postingsIn(tenantId, { kind, criterion: { is: "present" } }, span);
  return sql`select distinct unnest(p.flow_ids) as flow_id, t.text from ${from} where ${where}`;
}

/** The flows of an index access: all that start at `from` or later. */
export interface KnownFlows {
  flowIds: string[];
  from: number;
}

/** Postings read to learn how many flows a term has. */
const MAX_POSTINGS = 5000;

/**
 * The newest flows in the window that state one of the terms, about `most`; null if that leads to nothing, because
 * one block has more.
 */
export async function newestOfTerms(
  tx: Tx,
  tenantId: string,
  lookup: TermLookup,
  window: FlowWindowSpan,
  most: number,
): Promise<KnownFlows | null> {
  if ("ids" in lookup && lookup.ids.length === 0) return { flowIds: [], from: window.from };
  if (!("ids" in lookup) && !await areFewTerms(tx, tenantId, lookup, window)) return null;
  const { from, where } = postingsIn(tenantId, lookup, window);
  // The blocks down to the first that does not fit, newest first: that one only says how far the others reach.
  const rows = await tx.rows<{ to_at: number; fits: boolean; flow_ids: string[] | null }>(sql`
    select to_at, total <= ${most} as fits, case when total <= ${most} then flow_ids::text[] end as flow_ids from (
      select *, sum(cardinality(flow_ids)) over (order by to_at desc, term_id, batch_no, day) as total
      from (
        select p.to_at, p.term_id, p.batch_no, p.day, p.flow_ids from ${from} where ${where}
        order by p.to_at desc, p.term_id, p.batch_no, p.day limit ${MAX_POSTINGS + 1}
      ) newest
    ) counted
    where total - cardinality(flow_ids) <= ${most} order by to_at desc, term_id, batch_no, day`);
  const flowIds = [...new Set(rows.flatMap(({ flow_ids }) => flow_ids ?? []))];
  const unread = rows.find(({ fits }) => !fits) ?? (rows.length > MAX_POSTINGS ? rows.at(-1)! : null);
  // A flow that starts later than a millisecond after this has its anchor in the blocks read.
  const reach = unread === null ? window.from : Math.max(window.from, unread.to_at + 1001);
  return reach >= window.to ? null : { flowIds, from: reach };
}

async function areFewTerms(
  tx: Tx,
  tenantId: string,
  { kind, criterion }: Extract<TermLookup, { kind: TermKind }>,
  window: FlowWindowSpan,
): Promise<boolean> {
  if (criterion.is !== "present") return false;
  return await countTerms(tx, tenantId, kind, window, MAX_LISTED_TERMS + 1) <= MAX_LISTED_TERMS;
}

type FlowWindowSpan = NonNullable<FlowSpan>;
