// Splits a condition into what holds of a row itself and what holds of something related to it.

import { expandBare } from "./bare.ts";
import type { FieldOwner } from "./field.ts";
import { type FieldName, FIELDS } from "./fields.ts";
import { leavesOf, mapLeaves, normalise } from "./normalise.ts";
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
 * is never part of it, so that `-service:dns` of a device means that it has no such flow. In an `all`, a second name,
 * address, owner, type or VLAN of a device begins another one.
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
  /** The last ones of each owner. */
  const shared = new Map<Related, Condition[]>();
  const result: (Grouped | { owner: Related; together: Condition[] })[] = [];
  for (const part of parts) {
    const owner = soleOwner(part, own);
    if (owner === null || owner === own) {
      result.push(grouped(part, own));
      continue;
    }
    const known = shared.get(owner);
    if (known !== undefined && !(key === "all" && known.some((other) => areOfTwo(other, part)))) {
      known.push(part);
      continue;
    }
    const together = [part];
    shared.set(owner, together);
    result.push({ owner, together });
  }
  const members = result.map((part): Grouped => {
    if (!("together" in part)) return part;
    const { owner, together } = part;
    const where = together.length === 1
      ? together[0]!
      : key === "all"
      ? { all: together }
      : { any: together };
    return { some: owner, where };
  });
  if (members.length === 1) return members[0]!;
  return key === "all" ? { all: members } : { any: members };
}

/** What a device has one of, as a rule: two that are asked for are those of two devices. */
const IDENTITIES: ReadonlySet<FieldName> = new Set<FieldName>([
  "device",
  "device.id",
  "device.ip",
  "device.type",
  "device.vlan",
  "owner",
]);

/** Whether two conditions ask for the same of a device: `device:nashua device:scranton`. */
function areOfTwo(first: Condition, second: Condition): boolean {
  const known = identitiesOf(first);
  return identitiesOf(second).some((field) => known.includes(field));
}

function identitiesOf(condition: Condition): FieldName[] {
  return leavesOf(condition).filter(({ field, op }) =>
    IDENTITIES.has(field) && (op === "matches" || op === "=")
  ).map(({ field }) => field);
}

/**
 * The one owner of all fields of a condition; null if it has several, a `not` of another owner's fields, or is about
 * two devices. Fields of every kind (`time`) are the row's own.
 */
function soleOwner(condition: Condition, own: Related): Related | null {
  if (isNot(condition)) return soleOwner(condition.not, own) === own ? own : null;
  const parts = isAll(condition) ? condition.all : isAny(condition) ? condition.any : null;
  if (parts === null) {
    const { owner } = FIELDS[(condition as Comparison).field];
    return owner === "all" ? own : owner;
  }
  if (
    own !== "device" && isAll(condition) &&
    parts.some((part, at) => parts.slice(0, at).some((other) => areOfTwo(other, part)))
  ) {
    return null;
  }
  const [first, ...others] = parts.map((part) => soleOwner(part, own));
  return first !== undefined && others.every((owner) => owner === first) ? first : null;
}
