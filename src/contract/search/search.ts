import { z } from "@hono/zod-openapi";
import { Device } from "../device/device.ts";
import {
  AGGREGATE_LIMITS,
  GROUP_FIELDS,
  type GroupField,
  MEASURES,
  RANKING_BUCKETS,
  RANKING_MEASURES,
} from "../filter/aggregate.ts";
import { FILTER_LIMITS } from "../filter/limits.ts";
import { Flow } from "../flow/flow.ts";
import { Incident } from "../incident/incident.ts";
import { collection, PageQuery, single, Timestamp } from "../request/common.ts";
import { FilterView, ResultKindSchema, SearchFilter, Zone } from "./filter.ts";

const SEARCH_MODES = ["field", "natural", "auto"] as const;

/** How a query was understood; `model` marks a tree that a language model proposed. */
const INTERPRETATIONS = ["field", "natural", "model"] as const;

export const InterpretRequest = z.strictObject({
  query: z.string().max(FILTER_LIMITS.textLength).openapi({
    description: "Text in the search language or in plain English.",
    example: "who talked to 198.51.100.7 yesterday",
  }),
  mode: z.enum(SEARCH_MODES).openapi({
    description:
      "`field`: the search language. `natural`: plain English. `auto`: the search language if it parses, else English.",
  }),
  kind: ResultKindSchema.optional().openapi({
    description:
      "What to search for if the query does not say. Default: `flows`, or what its fields belong to.",
  }),
  zone: Zone.default("UTC"),
}).openapi("InterpretRequest");

/** A condition as people read it, with where it stands in the text form. */
const Chip = z.object({
  path: z.string().openapi({
    description: "JSON path of the condition in `filter`.",
    example: "where.all[0]",
  }),
  text: z.string().openapi({
    description: "The condition in the search language.",
    example: "dst.ip:198.51.100.7",
  }),
  label: z.string().openapi({
    description: "The condition in words.",
    example: "destination address is 198.51.100.7",
  }),
}).openapi("SearchChip");

export const Interpretation = z.object({
  filter: FilterView,
  result_kind: ResultKindSchema,
  interpretation: z.enum(INTERPRETATIONS).openapi({
    description:
      "`field`: parsed as the search language; `natural`: plain English by the built-in grammar; `model`: proposed by a language model.",
  }),
  text: z.string().openapi({ description: "The filter in the search language." }),
  description: z.string().openapi({ description: "The filter in words." }),
  chips: z.array(Chip),
  ranking: z.object({
    field: z.string().openapi({ description: "Field to group by; empty if the question asks how many." }),
    measure: z.enum(RANKING_MEASURES).openapi({
      description:
        "`src.bytes`: sent by the side that opened the connection; `dst.bytes`: received by it; `bytes`: both.",
    }),
    limit: z.number().int(),
    bucket: z.enum(RANKING_BUCKETS).nullable().openapi({
      description: "Length of the time buckets if the question asks per hour or per day.",
    }),
  }).nullable().openapi({
    description:
      "The most frequent values or the number that a question asks for: see the aggregate operation.",
  }),
  select_preview: z.string().openapi({
    description:
      "What the search selects, written like SQL. Informational: it is never executed, and no route accepts SQL.",
  }),
  warnings: z.array(z.string()),
}).openapi("SearchInterpretation");
export type Interpretation = z.infer<typeof Interpretation>;

/** The span that a search covered; null for all times. */
const Window = z.object({ from: Timestamp, to: Timestamp }).nullable();

export const SearchQuery = PageQuery;
export const SearchResults = collection(z.union([Flow, Device, Incident])).extend({
  result_kind: ResultKindSchema,
  window: Window,
  warnings: z.array(z.string()).openapi({
    description: "Such as that a page ended early because too many rows had to be examined.",
  }),
});

const MINUTE = 60_000_000;

/** Lengths of time buckets in microseconds. */
export const BUCKETS = {
  "1m": MINUTE,
  "5m": 5 * MINUTE,
  "15m": 15 * MINUTE,
  "1h": 60 * MINUTE,
  "6h": 360 * MINUTE,
  "1d": 1440 * MINUTE,
} as const;

const ALL_GROUP_FIELDS = [...new Set(Object.values(GROUP_FIELDS).flat())] as [GroupField, ...GroupField[]];
const BUCKET_NAMES = ["auto", ...Object.keys(BUCKETS) as (keyof typeof BUCKETS)[]] as const;

export const AggregateRequest = z.strictObject({
  filter: SearchFilter,
  group_by: z.array(z.enum(ALL_GROUP_FIELDS)).max(AGGREGATE_LIMITS.fields).default([]).openapi({
    description: Object.entries(GROUP_FIELDS).map(([kind, fields]) =>
      `${kind}: ${
        fields.map((field) => `\`${field}\``).join(", ")
      }`
    ).join("; ") + ".",
    example: ["dst.country"],
  }),
  bucket: z.enum(BUCKET_NAMES).nullable().default(null).openapi({
    description:
      `Length of the time buckets, aligned in UTC; null for one sum, \`auto\` for about a hundred buckets. At most ${AGGREGATE_LIMITS.buckets}.`,
  }),
  measure: z.enum(MEASURES).default("count"),
  limit: z.number().int().min(1).max(AGGREGATE_LIMITS.groups).default(20).openapi({
    description: "Groups with the largest totals; the rest is summed up in `other`.",
  }),
  suppressed: z.boolean().optional().openapi({
    description:
      "Of incidents only those that are currently suppressed, or only others. Default: both. Without effect on other kinds.",
    example: false,
  }),
}).openapi("AggregateRequest");

const Value = z.union([z.number().int(), z.bigint()]).openapi({ type: "integer" });

export const Aggregate = z.object({
  window: Window,
  buckets: z.array(Timestamp).openapi({ description: "Starts of the buckets; empty without `bucket`." }),
  groups: z.array(z.object({
    key: z.array(z.string().nullable()).openapi({
      description:
        "Values of the `group_by` fields; null for none, and for an address that is not stated. Texts that differ in " +
        "letter case only are one value, in a spelling that a record has.",
    }),
    total: Value,
    values: z.array(Value).openapi({ description: "One per bucket." }),
  })).openapi({ description: "Largest total first." }),
  other: z.object({ total: Value, values: z.array(Value) }).nullable().openapi({
    description:
      "All further groups together; null if there are none. Null for `devices`, which cannot be summed.",
  }),
  complete: z.boolean().openapi({ description: "False if only the newest part of the window was examined." }),
  examined_from: Timestamp.nullable().openapi({ description: "Start of the examined part." }),
  warnings: z.array(z.string()),
}).openapi("SearchAggregate");
export type Aggregate = z.infer<typeof Aggregate>;
export const AggregateResponse = single(Aggregate);

const CARET = "expected an integer from 0 to 4096";

export const CompletionQuery = z.object({
  text: z.string().max(FILTER_LIMITS.textLength).default("").openapi({
    description: "The text so far.",
    example: "dst.port:44",
  }),
  caret: z.string().regex(/^\d{1,4}$/, CARET).transform(Number).pipe(
    z.number().max(FILTER_LIMITS.textLength, CARET),
  )
    .optional().openapi({
      type: "integer",
      description: "Position of the caret, in UTF-16 units. Default: the end.",
      example: 11,
    }),
  kind: ResultKindSchema.default("flows").openapi({
    description: "What is searched for; its own fields come first.",
    example: "flows",
  }),
});

export const Completion = z.object({
  from: z.number().int().openapi({ description: "Start of the part that a completion replaces." }),
  to: z.number().int(),
  items: z.array(z.object({
    insert: z.string(),
    label: z.string(),
    detail: z.string().nullable(),
    count: z.number().int().nullable().openapi({
      description: "Flows of the last day with this value; null if unknown.",
    }),
  })).max(50),
}).openapi("SearchCompletion");
export type Completion = z.infer<typeof Completion>;
