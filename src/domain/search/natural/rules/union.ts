import type { FieldName } from "../../../../contract/filter/fields.ts";
import type { Comparison, Condition, Scalar } from "../../../../contract/filter/tree.ts";

/** One condition that holds if either does, if both are of one field: `ssh or telnet`; null for others. */
export function union(first: Condition, second: Condition): Condition | null {
  if ("not" in first) {
    // `not web or dns` excludes both.
    const inner = union(first.not, second);
    return inner && { not: inner };
  }
  const [left, right] = [alternatives(first), alternatives(second)];
  if (left === null || right === null || left[0]!.field !== right[0]!.field) return null;
  if (left.length > 1 || right.length > 1 || left[0]!.op !== right[0]!.op) {
    return { any: [...left, ...right] };
  }
  return { ...left[0]!, value: [...valuesOf(left[0]!), ...valuesOf(right[0]!)] };
}

/** The comparisons of which one is enough; null if the condition is of another form. */
function alternatives(condition: Condition): Comparison[] | null {
  const parts = "any" in condition ? condition.any : [condition];
  const isPlain = parts.every((part) => "field" in part && (part.op === "matches" || part.op === "="));
  return isPlain && parts.length > 0 ? parts as Comparison[] : null;
}

function valuesOf({ value }: Comparison): Scalar[] {
  return Array.isArray(value) ? value : [value!];
}

/** Fields of which a flow, device or incident has one value. */
const SINGLE: ReadonlySet<FieldName> = new Set<FieldName>([
  "device.type",
  "status",
  "severity",
  "proto",
  "direction",
  "src.ip",
  "dst.ip",
  "src.port",
  "dst.port",
]);

/** The field of which the conditions ask for two values at once, so that nothing can be found; null if none does. */
export function contradiction(conditions: readonly Condition[], isOfDevices: boolean): FieldName | null {
  const known = new Map<string, Scalar[]>();
  for (const condition of conditions) {
    if (!("field" in condition) || !SINGLE.has(condition.field)) continue;
    // Two devices of a flow or an incident.
    if (condition.field === "device.type" && !isOfDevices) continue;
    if (condition.op !== "matches" && condition.op !== "=") continue;
    const values = valuesOf(condition);
    const before = known.get(condition.field);
    // `10.0.0.7:443 and 10.0.0.8:443` are two searches.
    const isTwice = condition.field === "dst.port" && before !== undefined;
    if (isTwice || before !== undefined && !before.some((value) => values.includes(value))) {
      return condition.field;
    }
    known.set(condition.field, values);
  }
  return null;
}
