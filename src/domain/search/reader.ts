import { mapLeaves, normalise } from "../../contract/filter/normalise.ts";
import type { Comparison, Condition, Scalar } from "../../contract/filter/tree.ts";

/** Stands for the person who asks, letter case aside. */
const READER = "me";

/**
 * The condition with `assignee:me` as the subject of the person who asks. A stored text keeps the word, so a shared
 * search finds each person's own work.
 */
export function withReader(condition: Condition, subject: string): Condition {
  return mapLeaves(condition, (leaf) => leaf.field === "assignee" ? ofReader(leaf, subject) : leaf);
}

function ofReader({ field, op, value }: Comparison, subject: string): Condition {
  const values: Scalar[] = value === undefined ? [] : Array.isArray(value) ? value : [value];
  const others = values.filter((one) => !isReader(one));
  if (others.length === values.length) return { field, op, value };
  if (op !== "matches") return normalise({ field, op, value: [subject, ...others] });
  // `matches` finds parts of a text, and a subject may be a part of another.
  const own: Comparison = { field, op: "=", value: subject };
  return others.length === 0 ? own : { any: [own, normalise({ field, op, value: others })] };
}

function isReader(value: Scalar): boolean {
  return String(value).toLowerCase() === READER;
}
