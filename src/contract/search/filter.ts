import { z } from "@hono/zod-openapi";
import { FILTER_LIMITS } from "../filter/limits.ts";
import { ConditionSchema, shapeFault } from "./condition.ts";
import { type Condition, type Filter, RESULT_KINDS } from "../filter/tree.ts";
import { isZone } from "../../kit/zone.ts";
import { line } from "../request/common.ts";

export const Zone = z.string().max(64).refine(isZone, "expected an IANA time zone such as Europe/Berlin")
  .openapi({
    description: "IANA time zone in which dates and relative times are meant.",
    example: "Europe/Berlin",
  });

export const ResultKindSchema = z.enum(RESULT_KINDS);

const TimeText = line(64).openapi({
  description:
    "RFC 3339 timestamp or a relative time: `now`, `-2h`, `today`, `yesterday`, `monday`, `2026-01-31`.",
  example: "-2h",
});

const WHERE = {
  description:
    "Tree of conditions: `{all: [...]}`, `{any: [...]}`, `{not: ...}` or a comparison `{field, op, value}`; null finds " +
    "everything. The description of the group Search has the fields, operators and types.",
  example: {
    all: [{ field: "src.ip", op: "matches", value: "10.0.0.0/8" }, {
      field: "dst.port",
      op: "=",
      value: 443,
    }],
  },
};

/** A tree of any depth: the OpenAPI document declares an object, `ConditionSchema` checks the rest. */
const Where = z.record(z.string(), z.unknown()).transform((value, context): Condition => {
  const parsed = ConditionSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const { path, message } = shapeFault(value);
  context.addIssue({ code: "custom", path: [...path], message });
  return z.NEVER;
});

const shape = {
  version: z.literal(1),
  kind: ResultKindSchema,
  where: Where.nullable().openapi({ type: ["object", "null"], additionalProperties: true, ...WHERE }),
};

const WINDOW =
  "Half-open span of time. Null: the last 24 hours for flows, all times for devices and incidents, unless a condition on " +
  "`time` says otherwise.";

/** The structured filter: what search takes. */
export const SearchFilter = z.strictObject({
  ...shape,
  window: z.strictObject({ from: TimeText, to: TimeText }).nullable().default(null).openapi({
    description: WINDOW,
  }),
  zone: Zone.default("UTC"),
}).openapi("SearchFilter") satisfies z.ZodType<Filter>;

/** The filter as interpret returns it; search takes it unchanged. */
export const FilterView = z.object({
  version: z.literal(1),
  kind: ResultKindSchema,
  where: z.record(z.string(), z.unknown()).nullable().openapi(WHERE),
  window: z.object({ from: TimeText, to: TimeText }).nullable().openapi({ description: WINDOW }),
  zone: z.string().openapi({ description: "IANA time zone.", example: "Europe/Berlin" }),
}).openapi("SearchFilterView");

/** Parameters of lists: a filter in the text form. */
export const FilterQuery = {
  filter: z.string().trim().min(1).max(FILTER_LIMITS.textLength).optional().openapi({
    description:
      "Filter in the search language (see Search); narrows what the other parameters find. A time in the filter of flows " +
      "takes the place of the default window.",
    example: "src.ip:10.0.0.0/8 dst.port:443 -service:dns",
  }),
  zone: Zone.optional().openapi({
    description: "IANA time zone of dates and relative times in `filter`. Default: UTC.",
  }),
};
