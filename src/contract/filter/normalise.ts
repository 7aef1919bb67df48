import { FIELDS } from "./fields.ts";
import { type Comparison, type Condition, isAll, isAny, isNot } from "./tree.ts";

/**
 * The same condition in its simplest form: nested `all` and `any` flattened, a group of one replaced by its member,
 * a double `not` removed, lists without repetitions, a list of one written as a value, a list of times or bare
 * words as an `any`. Leaves keep their order, and unchanged ones their identity.
 */
export function normalise(condition: Condition): Condition {
  if (isAll(condition)) {
    const parts = condition.all.map(normalise).flatMap((part) => isAll(part) ? part.all : [part]);
    return parts.length === 1 ? parts[0]! : { all: parts };
  }
  if (isAny(condition)) {
    const parts = condition.any.map(normalise).flatMap((part) => isAny(part) ? part.any : [part]);
    return parts.length === 1 ? parts[0]! : { any: parts };
  }
  if (isNot(condition)) {
    const inner = normalise(condition.not);
    return isNot(inner) ? inner.not : { not: inner };
  }
  return simpleComparison(condition);
}

function simpleComparison(comparison: Comparison): Condition {
  const { field, op, value } = comparison;
  if (!Array.isArray(value) || op === "range") return comparison;
  const distinct = [...new Set(value)];
  const { type } = FIELDS[field];
  if (distinct.length > 1 && (type === "time" || type === "any")) {
    return { any: distinct.map((each) => ({ field, op, value: each })) };
  }
  if (distinct.length === 1) return { field, op, value: distinct[0]! };
  return distinct.length === value.length ? comparison : { field, op, value: distinct };
}

/** The condition with each comparison replaced. */
export function mapLeaves(condition: Condition, change: (leaf: Comparison) => Condition): Condition {
  if (isAll(condition)) return { all: condition.all.map((part) => mapLeaves(part, change)) };
  if (isAny(condition)) return { any: condition.any.map((part) => mapLeaves(part, change)) };
  return isNot(condition) ? { not: mapLeaves(condition.not, change) } : change(condition);
}

/** The comparisons of a condition in the order of its text. */
export function leavesOf(condition: Condition): Comparison[] {
  if (isAll(condition)) return condition.all.flatMap(leavesOf);
  if (isAny(condition)) return condition.any.flatMap(leavesOf);
  if (isNot(condition)) return leavesOf(condition.not);
  return [condition];
}

/** Levels of nesting; a comparison alone is one. */
export function depthOf(condition: Condition): number {
  if (isAll(condition)) return 1 + Math.max(0, ...condition.all.map(depthOf));
  if (isAny(condition)) return 1 + Math.max(0, ...condition.any.map(depthOf));
  if (isNot(condition)) return 1 + depthOf(condition.not);
  return 1;
}
