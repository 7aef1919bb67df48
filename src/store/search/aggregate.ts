import type { GroupField, Measure } from "../../contract/filter/aggregate.ts";
import { FIELDS } from "../../contract/filter/fields.ts";
import type { SearchPlan } from "../../domain/search/plan.ts";
import type { Tx } from "../engine/database.ts";
import { type Sql, sql } from "../engine/sql.ts";
import { fromInet } from "../flow/flows.ts";
import { daysOf } from "./postings.ts";
import { recordedSpellings } from "./terms.ts";
import { type Items, itemsOfDevices, itemsOfFlows, itemsOfIncidents } from "./aggregate-items.ts";

export interface Aggregation {
  /** At most three fields of the plan's kind. */
  by: readonly GroupField[];
  measure: Measure;
  /** Groups returned. */
  top: number;
  /** Size of time buckets in microseconds; null for none. See `bucketSize`. */
  bucket: number | null;
}

export interface Bucket {
  /** Its start, in microseconds. */
  at: number;
  value: number | bigint;
}

interface AggregateGroup {
  /** A value of each field; null if the row has none. */
  keys: (string | null)[];
  value: number | bigint;
  /** Those with any row, oldest first; empty if none were asked for. */
  buckets: Bucket[];
}

export interface AggregateResult {
  /** The largest first, equal ones by their keys. */
  groups: AggregateGroup[];
  /** All other groups together; null if there are none. */
  other: Omit<AggregateGroup, "keys"> | null;
  /** False if there were too many rows: only those since `examinedUntil` are counted. */
  complete: boolean;
  /** Microseconds; null if complete. */
  examinedUntil: number | null;
}

interface Row {
  place: number | null;
  k1: string | null;
  k2: string | null;
  k3: string | null;
  b: number | null;
  is_bucket: boolean;
  value: string;
}

/** The rows of a search added up by group and time. The plan of a search for flows has a window. */
export async function aggregate(
  tx: Tx,
  tenantId: string,
  plan: SearchPlan,
  aggregation: Aggregation,
): Promise<AggregateResult> {
  const items = await itemsOf(tx, tenantId, plan, aggregation);
  if (items === null) return { groups: [], other: null, complete: true, examinedUntil: null };
  const { examinedUntil } = items;
  const result = await addUp(tx, items.items, aggregation);
  await spellAsRecorded(tx, tenantId, plan, aggregation.by, result.groups);
  return { ...result, complete: examinedUntil === null, examinedUntil };
}

/** Texts are compared in lower case; the groups that are shown get a recorded spelling. */
async function spellAsRecorded(
  tx: Tx,
  tenantId: string,
  { window }: SearchPlan,
  by: readonly GroupField[],
  groups: readonly AggregateGroup[],
): Promise<void> {
  for (const [at, field] of by.entries()) {
    const { term } = FIELDS[field];
    const texts = [...new Set(groups.flatMap(({ keys }) => keys[at] ?? []))];
    if (term === undefined || texts.length === 0) continue;
    const spellings = await recordedSpellings(tx, tenantId, term, texts, daysOf(window));
    for (const { keys } of groups) keys[at] = spellings.get(keys[at] ?? "") ?? keys[at]!;
  }
}

/** Adds up all items: see `Items.items`. */
export async function addUp(tx: Tx, items: Sql, aggregation: Aggregation): Promise<AggregateResult> {
  const rows = await tx.rows<Row>(sums(items, aggregation));
  const groups = new Map<number | null, AggregateGroup>();
  for (const { place, k1, k2, k3, b, is_bucket, value } of rows) {
    const keys = [k1, k2, k3].slice(0, aggregation.by.length).map((key, at) =>
      shownKey(key, aggregation.by[at]!)
    );
    let group = groups.get(place);
    if (group === undefined) groups.set(place, group = { keys, value: 0, buckets: [] });
    if (is_bucket) group.buckets.push({ at: b!, value: wholeNumber(value) });
    else group.value = wholeNumber(value);
  }
  const other = groups.get(null);
  groups.delete(null);
  return {
    groups: [...groups.values()],
    other: other === undefined ? null : { value: other.value, buckets: other.buckets },
    complete: true,
    examinedUntil: null,
  };
}

async function itemsOf(
  tx: Tx,
  tenantId: string,
  plan: SearchPlan,
  { by, measure, bucket }: Aggregation,
): Promise<Items | null> {
  const asked = { by, measure, bucket };
  if (plan.kind === "flows") return await itemsOfFlows(tx, tenantId, plan, asked);
  return plan.kind === "devices"
    ? await itemsOfDevices(tx, tenantId, plan, asked)
    : await itemsOfIncidents(tx, tenantId, plan, asked);
}

/** Sums by group, of the groups beyond the top ones together (`place` null), and by bucket. */
function sums(items: Sql, { measure, top, bucket }: Aggregation): Sql {
  const isDistinct = measure === "devices";
  const parts = isDistinct
    ? sql`select distinct k1, k2, k3, b, m from items`
    : sql`select k1, k2, k3, b, sum(m) as m from items group by k1, k2, k3, b`;
  const value = (m: Sql) => isDistinct ? sql`count(distinct ${m})` : sql`coalesce(sum(${m}), 0)`;
  const byTime = bucket === null
    ? { b: sql`null::timestamptz as b, false as is_bucket`, order: sql`` }
    : { b: sql`g.b, grouping(g.b) = 0 as is_bucket`, order: sql`, g.b nulls first` };
  const sets = bucket === null
    ? sql`((t.place, t.k1, t.k2, t.k3))`
    : sql`((t.place, t.k1, t.k2, t.k3), (t.place, t.k1, t.k2, t.k3, g.b))`;
  // Keys are compared with a text that no record has instead of null, so that the join can be hashed.
  const isSame = (key: Sql) => sql`coalesce(g.${key}, E'\\x01') = coalesce(t.${key}, E'\\x01')`;
  return sql`
    with items as (${items}), parts as materialized (${parts}),
    top as (
      select k1, k2, k3, row_number() over (order by ${
    value(sql`m`)
  } desc, k1 collate "C", k2 collate "C", k3 collate "C") as place
      from parts group by k1, k2, k3 order by place limit ${top}
    )
    select t.place::integer as place, t.k1, t.k2, t.k3, ${byTime.b}, ${value(sql`g.m`)}::text as value
    from parts g left join top t on ${isSame(sql`k1`)} and ${isSame(sql`k2`)} and ${isSame(sql`k3`)}
    group by grouping sets ${sets} order by t.place nulls last${byTime.order}`;
}

const ADDRESS_FIELDS: readonly GroupField[] = ["ip", "src.ip", "dst.ip"];

function shownKey(key: string | null, field: GroupField): string | null {
  return key !== null && ADDRESS_FIELDS.includes(field) ? fromInet(key) : key;
}

/** A number, or a bigint above 2^53 - 1. */
function wholeNumber(text: string): number | bigint {
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : BigInt(text);
}
