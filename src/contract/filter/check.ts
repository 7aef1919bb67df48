// Checks a tree that did not come from the parser: an API's body, a saved search, a proposal.

import type { Operator } from "./field.ts";
import { type FieldName, FIELDS } from "./fields.ts";
import { FILTER_LIMITS } from "./limits.ts";
import { operatorsOf } from "./names.ts";
import { depthOf, leavesOf } from "./normalise.ts";
import { type Comparison, type Condition, isAll, isAny, isNot, type Scalar } from "./tree.ts";
import { compareValues, expectedOf, parseValue, printValue } from "./values.ts";

/** What is wrong with a tree, and where. */
export interface TreeFault {
  /** Path from the condition: `all[0].value[1]`; empty for the whole. */
  path: string;
  message: string;
  expected: string[];
}

type LeafFault = Omit<TreeFault, "path"> & { part: string };

const LIST_OPERATORS: ReadonlySet<Operator> = new Set<Operator>(["matches", "=", "!="]);

/** Everything that is wrong with a condition; empty if it can be evaluated. */
export function checkFilter(condition: Condition): TreeFault[] {
  const message = checkSize(condition);
  if (message !== null) return [{ path: "", message, expected: [] }];
  const faults: TreeFault[] = [];
  visit(condition, "", faults);
  return faults;
}

function visit(condition: Condition, path: string, faults: TreeFault[]): void {
  const dot = path === "" ? "" : ".";
  if (isAll(condition) || isAny(condition)) {
    const [key, parts] = isAll(condition) ? ["all", condition.all] as const : ["any", condition.any] as const;
    if (parts.length === 0) {
      faults.push({ path: `${path}${dot}${key}`, message: "The group is empty", expected: ["a condition"] });
    }
    for (const [index, part] of parts.entries()) visit(part, `${path}${dot}${key}[${index}]`, faults);
    return;
  }
  if (isNot(condition)) return visit(condition.not, `${path}${dot}not`, faults);
  const fault = checkLeaf(condition);
  if (fault !== null) {
    const { part, message, expected } = fault;
    faults.push({ path: `${path}${dot}${part}`, message, expected });
  }
}

/** Why a condition is too large; null if it is not. */
export function checkSize(condition: Condition): string | null {
  if (depthOf(condition) > FILTER_LIMITS.depth) return `A filter has at most ${FILTER_LIMITS.depth} levels`;
  const terms = leavesOf(condition).length;
  return terms > FILTER_LIMITS.terms
    ? `A filter has at most ${FILTER_LIMITS.terms} comparisons, this one ${terms}`
    : null;
}

/** What is wrong with one comparison; null if nothing is. */
export function checkLeaf({ field, op, value }: Comparison): LeafFault | null {
  if (!operatorsOf(field).includes(op)) {
    return {
      part: "op",
      message: `\`${op}\` does not apply to \`${field}\``,
      expected: [...operatorsOf(field)],
    };
  }
  if (op === "exists") {
    return value === undefined ? null : { part: "value", message: "`exists` takes no value", expected: [] };
  }
  if (value === undefined) {
    return { part: "value", message: `\`${op}\` needs a value`, expected: [expectedOf(field)] };
  }
  if (op === "range") return checkRange(field, value);
  if (!Array.isArray(value)) return checkScalar({ field, op, value, part: "value" });
  if (!LIST_OPERATORS.has(op)) {
    return { part: "value", message: `\`${op}\` takes one value`, expected: [expectedOf(field)] };
  }
  if (value.length === 0 || value.length > FILTER_LIMITS.listLength) {
    const message = `A list has 1 to ${FILTER_LIMITS.listLength} values`;
    return { part: "value", message, expected: [expectedOf(field)] };
  }
  for (const [index, each] of value.entries()) {
    const fault = checkScalar({ field, op, value: each, part: `value[${index}]` });
    if (fault !== null) return fault;
  }
  return null;
}

function checkScalar(
  { field, op, value, part }: { field: FieldName; op: Operator; value: Scalar; part: string },
): LeafFault | null {
  const parsed = parseValue(field, printValue(field, value), { op, quoted: true });
  if (!parsed.ok) return { part, message: parsed.message, expected: parsed.expected };
  if (parsed.value === value) return null;
  const message = `\`${value}\` is written ${JSON.stringify(parsed.value)}`;
  return { part, message, expected: [JSON.stringify(parsed.value)] };
}

function checkRange(field: FieldName, value: Scalar | Scalar[]): LeafFault | null {
  if (!Array.isArray(value) || value.length !== 2) {
    return {
      part: "value",
      message: "A range has two values, the lower one first",
      expected: [expectedOf(field)],
    };
  }
  const [low, high] = value as [Scalar, Scalar];
  for (const [index, each] of [low, high].entries()) {
    const fault = checkScalar({ field, op: "range", value: each, part: `value[${index}]` });
    if (fault !== null) return fault;
  }
  const { type } = FIELDS[field];
  // Whether one time is before another depends on the instant.
  if (type === "time") return null;
  if (type === "address" && `${low}${high}`.includes("/")) {
    return {
      part: "value",
      message: "A range has two addresses; a network is no end of one",
      expected: ["an IP address"],
    };
  }
  const order = compareValues(field, low, high);
  if (order === null) {
    return {
      part: "value",
      message: "The addresses of a range are of one family",
      expected: ["two IPv4 or two IPv6 addresses"],
    };
  }
  return order <= 0
    ? null
    : { part: "value", message: "The lower end of a range stands first", expected: [`${high}..${low}`] };
}

/** How the operators of a field are written. */
export function operatorSigns(field: FieldName): string[] {
  return operatorsOf(field).flatMap((op) =>
    op === "range" ? [] : op === "matches" ? ["`:`"] : op === "exists" ? ["`:*`"] : [`\`${op}\``]
  );
}
