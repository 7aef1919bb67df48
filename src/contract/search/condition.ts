import { z } from "@hono/zod-openapi";
import { FIELD_NAMES } from "../filter/fields.ts";
import { OPERATORS } from "../filter/field.ts";
import { FILTER_LIMITS } from "../filter/limits.ts";
import type { Condition } from "../filter/tree.ts";

const ScalarSchema = z.union([z.string().max(FILTER_LIMITS.valueLength), z.number()]);

const ComparisonSchema = z.strictObject({
  field: z.enum(FIELD_NAMES),
  op: z.enum(OPERATORS),
  value: z.union([ScalarSchema, z.array(ScalarSchema).min(1).max(FILTER_LIMITS.listLength)]).optional(),
});

/**
 * The tree's shape. Recursion stops at the documented depth, so a hostile body cannot exhaust the stack; types,
 * operators and limits of the whole are checked by `checkFilter` (`check.ts`).
 */
export const ConditionSchema: z.ZodType<Condition> = nested(FILTER_LIMITS.depth);

function nested(depth: number): z.ZodType<Condition> {
  if (depth <= 1) return ComparisonSchema;
  const inner = z.lazy(() => nested(depth - 1));
  const several = z.array(inner).min(1).max(FILTER_LIMITS.terms);
  return z.union([
    z.strictObject({ all: several }),
    z.strictObject({ any: several }),
    z.strictObject({ not: inner }),
    ComparisonSchema,
  ]);
}
