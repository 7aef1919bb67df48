import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { GroupField, Measure } from "../../contract/filter/aggregate.ts";
import type { Condition, ResultKind } from "../../contract/filter/tree.ts";
import type { Aggregate } from "../../contract/search/search.ts";
import { call } from "../base/api.ts";
import { type Range, rangeKey, type Window, windowOf } from "../base/time/range.ts";
import { currentZone } from "../base/time/zone.ts";

const LIVE = 15_000;
const MINUTE = 60_000;

/** Lengths of buckets that the API offers, in milliseconds. */
const BUCKETS = [
  { name: "1m", length: MINUTE },
  { name: "5m", length: 5 * MINUTE },
  { name: "15m", length: 15 * MINUTE },
  { name: "1h", length: 60 * MINUTE },
  { name: "6h", length: 360 * MINUTE },
  { name: "1d", length: 1440 * MINUTE },
] as const;
const LONGEST = BUCKETS[BUCKETS.length - 1]!;

/** The shortest buckets of which at most `most` cover the window, if there are such. */
export function bucketOf({ from, to }: Window, most: number): (typeof BUCKETS)[number] {
  const length = Date.parse(to) - Date.parse(from);
  return BUCKETS.find((bucket) => length / bucket.length <= most) ?? LONGEST;
}

interface Asked {
  kind: ResultKind;
  /** A filter in the text form. */
  text?: string;
  /** The condition itself, so that the first page does without the parser. It may depend on the window. */
  where?: Condition | ((window: Window) => Condition);
  /** Null: at all times. */
  range: Range | null;
  by?: GroupField[];
  /** The most buckets; none without. */
  buckets?: number;
  measure?: Measure;
  limit?: number;
  /** Of incidents only suppressed ones, or only others. */
  suppressed?: boolean;
}

/** What an aggregation found, with its numbers as numbers and the window that it covers. */
export interface Summed {
  window: Window | null;
  /** Starts of the buckets in milliseconds, oldest first. */
  starts: number[];
  /** Length of a bucket in milliseconds; 0 without buckets. */
  step: number;
  groups: { key: (string | null)[]; total: number; values: number[] }[];
  other: { total: number; values: number[] } | null;
  /** Of the groups and all others together. */
  total: number;
  /** The start of what was examined if that is not all; else null. */
  since: string | null;
}

/** Amounts by group and time. */
export const aggregate = (tenant: string, asked: Asked, csrf: string) =>
  queryOptions({
    queryKey: [
      tenant,
      "aggregate",
      {
        ...asked,
        where: typeof asked.where === "function" ? String(asked.where) : asked.where,
        range: asked.range && rangeKey(asked.range),
      },
    ],
    queryFn: async ({ signal }): Promise<Summed> => {
      const window = asked.range && windowOf(asked.range, Date.now());
      const where = await conditionOf(asked, window);
      const bucket = asked.buckets === undefined || window === null ? null : bucketOf(window, asked.buckets);
      const found = await call("aggregateSearch", {
        body: {
          filter: {
            version: 1,
            kind: asked.kind,
            where,
            window,
            zone: currentZone(),
          },
          group_by: asked.by ?? [],
          bucket: bucket && bucket.name,
          measure: asked.measure ?? "count",
          limit: asked.limit ?? 20,
          ...asked.suppressed === undefined ? {} : { suppressed: asked.suppressed },
        },
        csrf,
        signal,
      });
      return summed(found, { window: found.window ?? window, step: bucket?.length ?? 0 });
    },
    placeholderData: keepPreviousData,
    // Flows change all the time, and counting them costs more than an entry of the feed shows.
    meta: { marks: asked.kind === "incidents" ? ["incident"] : [] },
    refetchInterval: asked.kind === "incidents" ? false : 4 * LIVE,
    staleTime: LIVE,
  });

/** What to count; null for everything. */
async function conditionOf({ text, where }: Asked, window: Window | null): Promise<Condition | null> {
  if (where !== undefined) return typeof where === "function" ? where(window!) : where;
  if (text === undefined || text === "") return null;
  const { parseText } = await import("../../contract/filter/parser.ts");
  const parsed = parseText(text);
  return parsed.ok ? parsed.condition : null;
}

type Known = Pick<Summed, "window" | "step">;

export function summed({ buckets, groups, other, complete, examined_from }: Aggregate, known: Known): Summed {
  const spread = (values: readonly (number | bigint)[]) => values.map(Number);
  const rest = other && { total: Number(other.total), values: spread(other.values) };
  const numbers = groups.map(({ key, total, values }) => ({
    key,
    total: Number(total),
    values: spread(values),
  }));
  return {
    ...known,
    starts: buckets.map((at) => Date.parse(at)),
    groups: numbers,
    other: rest,
    total: numbers.reduce((sum, { total }) => sum + total, rest?.total ?? 0),
    since: complete ? null : examined_from,
  };
}
