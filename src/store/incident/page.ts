// Pages of incidents in each order of their list.

import type { IncidentOrder, IncidentSort } from "../../contract/incident/incident.ts";
import type { Tx } from "../engine/database.ts";
import { timestampLiteral } from "../engine/literals.ts";
import { isBeyond, keyOrder, type KeyValue, type SortKey, textKey } from "../engine/sort-key.ts";
import { all, identifier, list, type Sql, sql } from "../engine/sql.ts";
import { type IncidentRow, selectShown } from "./read.ts";

/** Where a page of incidents ended: the sort key and the number of its last one. */
export interface IncidentPosition {
  /** Microseconds, score or text. */
  key: KeyValue;
  /** The second key of an order that has two, microseconds. */
  then?: number | undefined;
  /** The number of the last incident. */
  before: number;
  /** The newest `last_seen` (microseconds) before the first page of an order by it, which ends there. */
  until?: number | undefined;
}

/** An incident of a page with the key of the page's order; `until` as in `IncidentPosition`. */
export type ListedIncident = IncidentRow & { sort_key: KeyValue; until?: number | undefined };

/** Columns with an index, which serves both directions. */
interface IndexedOrder {
  column: "last_seen" | "score" | "first_seen";
  /** The order of incidents with equal keys; without it the number alone decides. */
  then?: "last_seen";
}

/** Severity is derived from the score, so an order by score is also one by severity. */
const INDEXED: Partial<Record<IncidentOrder, IndexedOrder>> = {
  last_seen: { column: "last_seen" },
  severity: { column: "score", then: "last_seen" },
  score: { column: "score" },
  first_seen: { column: "first_seen" },
};

/** The texts of the other orders, of incident `i`: all incidents of the window are read. */
const TEXTS: Record<
  Exclude<IncidentOrder, "last_seen" | "severity" | "score" | "first_seen">,
  (tenantId: string) => Sql
> = {
  title: () => sql`i.title`,
  status: () => sql`i.status`,
  assignee: (tenantId) =>
    sql`coalesce((select p.display_name from person p
      where p.tenant_id = ${tenantId} and p.subject = i.assignee), i.assignee)`,
  device: (tenantId) =>
    sql`(select coalesce(s.display_name, d.display_name) from incident_device x
      join device d on d.tenant_id = x.tenant_id and d.device_id = x.device_id
      left join device s on s.tenant_id = d.tenant_id and s.device_id = d.merged_into
      where x.tenant_id = ${tenantId} and x.incident_id = i.incident_id order by x.ordinal limit 1)`,
  detector: () => sql`(select string_agg(k, ', ' order by k) from jsonb_object_keys(i.model_scores) k)`,
};

interface IncidentPaging {
  sort: IncidentSort;
  after: IncidentPosition | null;
  limit: number;
}

function orderOf(sort: IncidentSort): { order: IncidentOrder; descending: boolean } {
  const descending = sort.startsWith("-");
  return { order: sort.slice(descending ? 1 : 0) as IncidentOrder, descending };
}

/** Whether an index has the order; otherwise a page reads all incidents of the window. */
export function hasIndex(sort: IncidentSort): boolean {
  return INDEXED[orderOf(sort).order] !== undefined;
}

/**
 * At most `limit` incidents that meet the conditions on `incident` as `i`, of equal keys the newest first, or
 * last in an ascending order with an index; and whether each also meets `checked`, which is evaluated for these only.
 */
export async function incidentPage(
  tx: Tx,
  tenantId: string,
  conditions: readonly Sql[],
  { sort, after, limit }: IncidentPaging,
  checked: Sql = sql`true`,
): Promise<(ListedIncident & { met: boolean })[]> {
  const wanted = [sql`i.tenant_id = ${tenantId}`, ...conditions];
  if (after?.until !== undefined) {
    wanted.push(sql`i.last_seen <= ${timestampLiteral(after.until)}::timestamptz`);
  }
  const { order, descending } = orderOf(sort);
  const indexed = INDEXED[order];
  const { page, by } = indexed === undefined
    ? pageByText(TEXTS[order as keyof typeof TEXTS](tenantId), wanted, { descending, after, limit })
    : pageByIndex(indexed, wanted, { descending, after, limit });
  return await tx.rows(
    sql`${selectShown(tenantId, page, sql`, (${checked}) is true as met`)} order by ${by}`,
  );
}

interface Paging extends Omit<IncidentPaging, "sort"> {
  descending: boolean;
}

interface Page {
  /** The incidents of the page, in any order. */
  page: Sql;
  /** Their order, of columns of `i`. */
  by: Sql;
}

function pageByIndex({ column, then }: IndexedOrder, wanted: readonly Sql[], paging: Paging): Page {
  const { descending, after, limit } = paging;
  const columns = [column, ...then ? [then] : [], "incident_no"].map((name) => sql`i.${identifier(name)}`);
  const beyond: Sql[] = [];
  if (after !== null) {
    const values = [
      valueOf(column, after.key),
      ...then ? [valueOf(then, after.then ?? 0)] : [],
      sql`${after.before}::bigint`,
    ];
    beyond.push(sql`(${list(columns)}) ${descending ? sql`<` : sql`>`} (${list(values)})`);
  }
  const by = list(columns.map((one) => sql`${one} ${descending ? sql`desc` : sql`asc`}`));
  const page = sql`(
    select i.*, i.${identifier(column)} as sort_key from incident i
    where ${all([...wanted, ...beyond])} order by ${by} limit ${limit})`;
  return { page, by };
}

/** Only keys are sorted: incidents have long texts. */
function pageByText(text: Sql, wanted: readonly Sql[], { descending, after, limit }: Paging): Page {
  const key: SortKey = textKey(text);
  const beyond = after === null ? sql`true` : isBeyond(
    sql`i.sort_key`,
    { ...key, descending },
    after.key,
    sql`i.incident_no < ${after.before}::bigint`,
  );
  const by = keyOrder(sql`i.sort_key`, descending, sql`i.incident_no desc`);
  const page = sql`(
    select o.*, i.sort_key from (
      select i.* from (
        select i.tenant_id, i.incident_id, i.incident_no, ${key.value} as sort_key from incident i where ${
    all(wanted)
  } offset 0
      ) i where ${beyond} order by ${by} limit ${limit}
    ) i join incident o on o.tenant_id = i.tenant_id and o.incident_id = i.incident_id)`;
  return { page, by };
}

function valueOf(column: IndexedOrder["column"], key: KeyValue): Sql {
  return column === "score"
    ? sql`${key}::double precision`
    : sql`${timestampLiteral(Number(key))}::timestamptz`;
}

/** The position of the page that follows an incident in an order. */
export function positionOf(row: ListedIncident, sort: IncidentSort): IncidentPosition {
  const { then } = INDEXED[orderOf(sort).order] ?? {};
  return {
    key: row.sort_key,
    ...then ? { then: row[then] } : {},
    before: row.incident_no,
    ...row.until === undefined ? {} : { until: row.until },
  };
}

/** The newest `last_seen` of any incident, in microseconds: see `newestSighting` of devices. */
export async function newestActivity(tx: Tx, tenantId: string): Promise<number> {
  const [row] = await tx.rows<{ last_seen: number | null }>(
    sql`select max(last_seen) as last_seen from incident where tenant_id = ${tenantId}`,
  );
  return row?.last_seen ?? 0;
}

/**
 * The `last_seen` (microseconds) of the newest incident that meets the condition on `last_seen` of `i` and is one too many
 * to be sorted; null if there are at most `most`.
 */
export async function firstBeyond(
  tx: Tx,
  tenantId: string,
  within: Sql,
  most: number,
): Promise<number | null> {
  const [row] = await tx.rows<{ last_seen: number }>(sql`
    select i.last_seen from incident i where i.tenant_id = ${tenantId} and ${within}
    order by i.last_seen desc offset ${most} limit 1`);
  return row?.last_seen ?? null;
}
