// Splits a condition into what holds of a row itself and what holds of something related to it.

import { expandBare } from "./bare.ts";
import type { FieldOwner } from "./field.ts";
import { FIELDS } from "./fields.ts";
import { mapLeaves, normalise } from "./normalise.ts";
import { type Comparison, type Condition, isAll, isAny, isNot, type ResultKind } from "./tree.ts";

/** What rows can be related to. */
export type Related = Exclude<FieldOwner, "all">;

/**
 * A condition on a row. `some`: there is a related flow, device or incident of which `where` holds; `where` has only
 * fields of that owner, joined by `all` and `any`.
 */
export type Grouped =
  | { all: Grouped[] }
  | { any: Grouped[] }
  | { not: Grouped }
  | { some: Related; where: Condition }
  | Comparison;

const OWN: Readonly<Record<ResultKind, Related>> = {
  flows: "flow",
  devices: "device",
  incidents: "incident",
};

/**
 * The condition as both evaluators take it, in a search for a kind. Bare words become comparisons of fields
 * (`expandBare`). Conditions on one other owner that stand together in an `all` or an `any` share one `some`; a `not`
 * is never part of it, so that `-service:dns` of a device means that it has no such flow.
 */
export function groupCondition(condition: Condition, kind: ResultKind): Grouped {
  return grouped(normalise(withoutBare(normalise(condition), kind)), OWN[kind]);
}

function withoutBare(condition: Condition, kind: ResultKind): Condition {
  return mapLeaves(
    condition,
    (leaf) => leaf.field === "any" ? expandBare(String(leaf.value ?? ""), kind) : leaf,
  );
}

function grouped(condition: Condition, own: Related): Grouped {
  const owner = soleOwner(condition, own);
  if (owner !== null) return owner === own ? condition as Grouped : { some: owner, where: condition };
  if (isAll(condition)) return joined(condition.all, own, "all");
  if (isAny(condition)) return joined(condition.any, own, "any");
  if (isNot(condition)) return { not: grouped(condition.not, own) };
  return condition;
}

/** The parts of a group with those of each other owner put together, where the first of them stands. */
function joined(parts: Condition[], own: Related, key: "all" | "any"): Grouped {
  const shared = new Map<Related, Condition[]>();
  const result: (Grouped | Condition[])[] = [];
  for (const part of parts) {
    const owner = soleOwner(part, own);
    if (owner === null || owner === own) {
      result.push(grouped(part, own));
      continue;
    }
    const known = shared.get(owner);
    if (known !== undefined) known.push(part);
    else {
      const list = [part];
      shared.set(owner, list);
      result.push(list);
    }
  }
  const owners = [...shared.keys()];
  let next = 0;
  const members = result.map((part): Grouped => {
    if (!Array.isArray(part)) return part;
    return {
      some: owners[next++]!,
      where: part.length === 1 ? part[0]! : key === "all" ? { all: part } : { any: part },
    };
  });
  if (members.length === 1) return members[0]!;
  return key === "all" ? { all: members } : { any: members };
}

/**
 * The one owner of all fields of a condition; null if it has several, or a `not` of another owner's fields. Fields
 * of every kind (`time`) are the row's own.
 */
function soleOwner(condition: Condition, own: Related): Related | null {
  if (isNot(condition)) return soleOwner(condition.not, own) === own ? own : null;
  const parts = isAll(condition) ? condition.all : isAny(condition) ? condition.any : null;
  if (parts === null) {
    const { owner } = FIELDS[(condition as Comparison).field];
    return owner === "all" ? own : owner;
  }
  const [first, ...others] = parts.map((part) => soleOwner(part, own));
  return first !== undefined && others.every((owner) => owner === first) ? first : null;
}
