import { z } from "@hono/zod-openapi";
import { nearest } from "../../kit/nearest.ts";
import { FIELD_NAMES, type FieldName } from "../filter/fields.ts";
import { OPERATORS } from "../filter/field.ts";
import { FILTER_LIMITS } from "../filter/limits.ts";
import { fieldNamed, SPELLINGS } from "../filter/names.ts";
import { expectedOf } from "../filter/values.ts";
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

/** What is wrong with a tree, and where. */
interface ShapeFault {
  path: PropertyKey[];
  message: string;
}

const FORMS = "expected {all: [...]}, {any: [...]}, {not: ...} or {field, op, value}";
const LONGEST_SHOWN = 64;

/**
 * The first fault of a tree that `ConditionSchema` rejects: of the form that its keys name, where a union would report
 * each form that it is not.
 */
export function shapeFault(tree: unknown, path: PropertyKey[] = [], depth = 1): ShapeFault {
  if (depth > FILTER_LIMITS.depth) {
    return { path: [], message: `a filter has at most ${FILTER_LIMITS.depth} levels` };
  }
  if (typeof tree !== "object" || tree === null || Array.isArray(tree)) return { path, message: FORMS };
  const keys = Object.keys(tree);
  const group = keys.find((key) => key === "all" || key === "any" || key === "not");
  const allowed = group === undefined ? ["field", "op", "value"] : [group];
  const unknown = keys.find((key) => !allowed.includes(key));
  if (unknown !== undefined) {
    const isComparison = keys.some((key) => allowed.includes(key));
    const message = isComparison ? `expected only ${allowed.join(", ")} here` : FORMS;
    return { path: [...path, unknown.slice(0, LONGEST_SHOWN)], message };
  }
  if (group === undefined) return comparisonFault(tree, path);
  const part = (tree as Record<string, unknown>)[group];
  if (group === "not") return shapeFault(part, [...path, "not"], depth + 1);
  if (!Array.isArray(part) || part.length === 0 || part.length > FILTER_LIMITS.terms) {
    return { path: [...path, group], message: `expected a list of 1 to ${FILTER_LIMITS.terms} conditions` };
  }
  const index = part.findIndex((each) => !ConditionSchema.safeParse(each).success);
  return shapeFault(part[Math.max(0, index)], [...path, group, Math.max(0, index)], depth + 1);
}

function comparisonFault(
  { field, op, value }: { field?: unknown; op?: unknown; value?: unknown },
  path: PropertyKey[],
): ShapeFault {
  if (!isOneOf(FIELD_NAMES, field)) {
    const text = String(field).slice(0, LONGEST_SHOWN);
    const name = typeof field === "string" ? fieldNamed(text) ?? nearest(text, SPELLINGS) : null;
    const hint = name === null ? "" : `; did you mean \`${fieldNamed(name) ?? name}\`?`;
    const message = field === undefined
      ? "expected the name of a field"
      : `there is no field \`${text}\`${hint}`;
    return { path: [...path, "field"], message };
  }
  if (!isOneOf(OPERATORS, op)) {
    return { path: [...path, "op"], message: `expected one of ${OPERATORS.join(", ")}` };
  }
  return { path: [...path, "value"], message: valueMessage(field, value) };
}

function valueMessage(field: FieldName, value: unknown): string {
  if (!Array.isArray(value)) return `expected ${expectedOf(field)}`;
  return value.length === 0 || value.length > FILTER_LIMITS.listLength
    ? `expected a list of 1 to ${FILTER_LIMITS.listLength} values`
    : `expected a list in which each value is ${expectedOf(field)}`;
}

function isOneOf<T>(all: readonly T[], value: unknown): value is T {
  return (all as readonly unknown[]).includes(value);
}
