import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { Flow } from "../../../contract/flow/flow.ts";
import type { IntelReference } from "../../../contract/intel/intel.ts";
import type { Aggregate } from "../../../contract/search/search.ts";
import { type Page, pageOf } from "../../base/api.ts";
import { pageWithRows } from "../../base/queries.ts";
import { type Range, rangeKey, type Window, windowOf } from "../../base/time/range.ts";
import { currentZone } from "../../base/time/zone.ts";

const LARGEST_PAGE = 500;
const FIRST_PAGES = 4;
const INTEL_FLOWS = 100;

/** The bucket of time in which something was first counted; null if nothing was. */
export function firstBucket(
  { buckets, groups, window }: Pick<Aggregate, "buckets" | "groups" | "window">,
): Window | null {
  const at = buckets.findIndex((_, index) => groups.some(({ values }) => Number(values[index] ?? 0) > 0));
  const from = buckets[at];
  if (from === undefined || window === null) return null;
  return { from, to: buckets[at + 1] ?? window.to };
}

/** When something was first seen, and whether the time is exact: otherwise it is the start of a span. */
interface FirstSeen {
  at: string;
  exact: boolean;
}

/** The earliest flow of a filter within the span in which it was first counted. */
export const firstSeen = (tenant: string, text: string, { from, to }: Window) =>
  queryOptions({
    queryKey: [tenant, "first-seen", text, from, to],
    queryFn: async ({ signal }): Promise<FirstSeen> => {
      let cursor: string | null = null;
      let earliest: string | null = null;
      for (let read = 0; read < FIRST_PAGES; read++) {
        const query = { filter: text, zone: currentZone(), from, to, limit: LARGEST_PAGE };
        const page: Page<Flow> = await pageOf("listFlows", { query, signal }, cursor);
        earliest = page.data.at(-1)?.start ?? earliest;
        cursor = page.next_cursor;
        if (cursor === null) break;
      }
      return earliest === null || cursor !== null
        ? { at: from, exact: false }
        : { at: earliest, exact: true };
    },
    placeholderData: keepPreviousData,
  });

/** Indicators that flows of a filter matched, each once. */
export const intelOf = (tenant: string, text: string, range: Range) =>
  queryOptions({
    queryKey: [tenant, "intel", text, rangeKey(range)],
    queryFn: async ({ signal }) => {
      const query = {
        filter: `(${text}) intel:*`,
        zone: currentZone(),
        limit: INTEL_FLOWS,
        ...windowOf(range, Date.now()),
      };
      const { data } = await pageWithRows("listFlows", { query, signal });
      return distinct(data.flatMap(({ intel }) => intel));
    },
    placeholderData: keepPreviousData,
  });

function distinct(references: IntelReference[]): IntelReference[] {
  const found = references.map((one) => [`${one.list} ${one.kind} ${one.indicator}`, one] as const);
  return [...new Map(found).values()];
}
