// The text form of a filter.

import type { FieldName } from "./fields.ts";
import { FIELDS } from "./fields.ts";
import type { Operator } from "./field.ts";
import { isConnective, tokensOf } from "./lexer.ts";
import { wantsOperator } from "./names.ts";
import { type Comparison, type Condition, isAll, isAny, isNot, type Scalar } from "./tree.ts";
import { printValue } from "./values.ts";
import { bareType } from "./bare.ts";

const OPERATOR_SIGNS: Readonly<Record<Operator, string>> = {
  matches: ":",
  "=": "=",
  "!=": "!=",
  "<": "<",
  "<=": "<=",
  ">": ">",
  ">=": ">=",
  range: ":",
  exists: ":",
};

/**
 * The text of a condition, as the parser reads it back: minimal parentheses, quotes only where they are needed.
 * Empty for null, which finds everything.
 */
export function printCondition(condition: Condition | null): string {
  if (condition === null) return "";
  if (isAll(condition)) {
    return condition.all.map((part) => grouped(part, isAny(part) || isAll(part))).join(" ");
  }
  if (isAny(condition)) return condition.any.map((part) => grouped(part, isAny(part))).join(" or ");
  if (isNot(condition)) {
    const inner = condition.not;
    if (isNot(inner)) return `not ${printCondition(inner)}`;
    return isAll(inner) || isAny(inner) ? `not (${printCondition(inner)})` : `-${printComparison(inner)}`;
  }
  return printComparison(condition);
}

function grouped(condition: Condition, parentheses: boolean): string {
  return parentheses ? `(${printCondition(condition)})` : printCondition(condition);
}

export function printComparison({ field, op, value }: Comparison): string {
  if (op === "exists") return `${field}:*`;
  if (field === "any" && !Array.isArray(value)) return printBare(String(value));
  const sign = `${field}${OPERATOR_SIGNS[op]}`;
  const print = (each: Scalar) => quoteValue(field, printValue(field, each));
  if (!Array.isArray(value)) return sign + print(value ?? "");
  return op === "range" ? sign + value.map(print).join("..") : `${sign}(${value.map(print).join(", ")})`;
}

function printBare(text: string): string {
  const [token, ...others] = tokensOf(text);
  const plain = others.length === 0 && token?.type === "bare" && !token.quoted && token.text === text &&
    isPlain(text) && /[^*]/.test(text) && !wantsOperator(text) && !bareIsUnclear(text);
  return plain ? text : quoted(text);
}

/** Whether a bare word looks like a comparison without being one, so that the parser wants it in quotes. */
export function bareIsUnclear(word: string): boolean {
  const type = bareType(word);
  // After a word and a space, any other sign would be that word's operator.
  if (word === "&" || word === "|") return true;
  if (/^[:<>=!]/.test(word)) return type !== "address" && type !== "port";
  if (type !== "text") return false;
  return /[:<>=]/.test(word) &&
    !/^[a-z][a-z0-9+.-]*:\/\/|^[0-9a-f]{2}(?::[0-9a-f]{2}){5,}$/i.test(word);
}

/** A value as it stands after an operator: between quotes only if it needs them. */
export function quoteValue(field: FieldName, text: string): string {
  const plain = isPlain(text) && !/^[:=<>!]/.test(text) &&
    (FIELDS[field].type === "name" ? text !== "*" : !text.includes("*"));
  return plain ? text : quoted(text);
}

function isPlain(text: string): boolean {
  return text !== "" && !/[\s()"',\u201c\u201d]|\.\.|&&|\|\|/.test(text) && !isConnective(text);
}

/** A text between quotes. */
export function quoted(text: string): string {
  return `"${text.replace(/[\\"]/g, "\\$&")}"`;
}
