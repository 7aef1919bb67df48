import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { parseText } from "../../contract/filter/parser.ts";
import type { GroupField, Measure } from "../../contract/filter/aggregate.ts";
import type { ResultKind } from "../../contract/filter/tree.ts";
import type { FilterProposal } from "../../contract/search/filter-proposal.ts";
import type { Interpretation } from "../../contract/search/search.ts";
import { call } from "../base/api.ts";
import { type Range, rangeKey, windowOf } from "../base/time/range.ts";
import { setsTime, type Top } from "../base/filter-text.ts";
import { currentZone } from "../base/time/zone.ts";

/** Values of the last day change slowly. */
const COMPLETION_MILLISECONDS = 30_000;
const LIVE = 15_000;

/** What can stand at the caret, with the values of the last day. */
export const completion = (tenant: string, kind: ResultKind, text: string, caret: number) =>
  queryOptions({
    queryKey: [tenant, "complete", kind, text, caret],
    queryFn: ({ signal }) => call("completeSearch", { query: { text, caret, kind }, signal }),
    staleTime: COMPLETION_MILLISECONDS,
    // The grammar completes without an answer.
    retry: false,
  });

export interface Question {
  query: string;
  kind: ResultKind;
  /** `auto`: as a filter if it is one. */
  mode: "auto" | "natural";
}

export function interpret(question: Question, csrf: string): Promise<Interpretation> {
  return call("interpretSearch", { body: { ...question, zone: currentZone() }, csrf });
}

/** What asking the model for a filter would send and cost now. */
export const proposalPreview = (tenant: string, query: string, csrf: string) =>
  queryOptions({
    queryKey: [tenant, "proposal-preview", query],
    queryFn: ({ signal }) =>
      call("previewFilterProposal", { body: { query, zone: currentZone() }, csrf, signal }),
    staleTime: 0,
    gcTime: 0,
    retry: false,
  });

/** Asks the model once; each call costs. */
export function proposeFilter(query: string, csrf: string): Promise<FilterProposal> {
  return call("proposeFilter", { body: { query, zone: currentZone() }, csrf });
}

export interface Asked {
  kind: ResultKind;
  /** A filter in the text form. */
  text: string;
  /** Null: at all times. */
  range: Range | null;
  groupBy?: readonly GroupField[];
  measure?: Measure;
  /** `auto`: about a hundred buckets of time. */
  bucket?: "auto" | Top["bucket"];
  limit?: number;
  /** Of incidents only suppressed ones, or only others. */
  suppressed?: boolean;
}

/** What a filter finds, summed up by values or time. */
export const aggregate = (tenant: string, asked: Asked, csrf: string) => {
  const { kind, text, range, groupBy = [], measure = "count", bucket = null, limit = 20, suppressed } = asked;
  return queryOptions({
    queryKey: [
      tenant,
      "aggregate",
      kind,
      text,
      range && rangeKey(range),
      groupBy,
      measure,
      bucket,
      limit,
      suppressed,
    ],
    queryFn: ({ signal }) => {
      const parsed = parseText(text);
      const where = parsed.ok ? parsed.condition : null;
      const window = range === null || setsTime(text) ? null : windowOf(range, Date.now());
      return call("aggregateSearch", {
        body: {
          filter: { version: 1, kind, where, window, zone: currentZone() },
          group_by: [...groupBy],
          bucket,
          measure,
          limit,
          ...suppressed === undefined ? {} : { suppressed },
        },
        csrf,
        signal,
      });
    },
    placeholderData: keepPreviousData,
    refetchInterval: 2 * LIVE,
  });
};

interface Ranked {
  kind: ResultKind;
  text: string;
  top: Top;
  /** Null: at all times. */
  range: Range | null;
}

/** The most frequent values of what a filter finds. */
export const ranking = (tenant: string, { kind, text, top, range }: Ranked, csrf: string) =>
  aggregate(
    tenant,
    {
      kind,
      text,
      range,
      groupBy: top.field === null ? [] : [top.field as GroupField],
      measure: top.measure,
      limit: top.limit,
      // Of values the buckets are a small histogram. Devices are counted at all times.
      bucket: top.bucket ?? (top.field === null || range === null ? null : "auto"),
    },
    csrf,
  );
