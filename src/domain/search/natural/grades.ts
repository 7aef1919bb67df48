import type { Comparison } from "../../../contract/filter/tree.ts";
import { comparatorAt } from "./amount.ts";
import { lengthOfOne } from "./context.ts";
import { wordsAt } from "./entity.ts";
import type { Token } from "./token.ts";
import { OR_HIGHER, SEVERITY_WORDS } from "./vocabulary.ts";

/** A condition at a position, with the number of tokens that state it. */
export interface FoundCondition {
  condition: Comparison;
  length: number;
  /** What was assumed. */
  note?: string;
}

const TLS_VERSIONS = ["SSL 2.0", "SSL 3.0", "TLS 1.0", "TLS 1.1", "TLS 1.2", "TLS 1.3"];
const OR_OLDER = ["or older", "or lower", "or below", "or earlier", "and below", "and older"];

/** `tls 1.0`, `tls version 1.1`, `ssl 3.0 or older`. */
export function tlsVersionAt(all: readonly Token[], at: number): FoundCondition | null {
  const [protocol, second] = wordsAt(all, at, 2);
  if (protocol !== "tls" && protocol !== "ssl") return null;
  const skip = second === "version" ? 2 : 1;
  const number = all[at + skip];
  if (number?.kind !== "number" || !/^[123]\.[0-3]$/.test(number.text)) return null;
  const name = `${protocol.toUpperCase()} ${number.text}`;
  const more = lengthOfOne(all, at + skip + 1, OR_OLDER);
  const isRange = more > 0 && TLS_VERSIONS.includes(name);
  const value = isRange ? TLS_VERSIONS.slice(0, TLS_VERSIONS.indexOf(name) + 1) : name;
  return { condition: { field: "tls.version", op: "matches", value }, length: skip + 1 + more };
}

/** `high severity`, `of severity high or higher`, `critical incidents`. */
export function severityAt(all: readonly Token[], at: number): FoundCondition | null {
  const bound = comparatorAt(all, at);
  let length = bound?.length ?? 0;
  if (wordsAt(all, at + length, 1)[0] === "severity") length++;
  const value = SEVERITY_WORDS[all[at + length]?.text ?? ""];
  if (value === undefined) return null;
  length++;
  if (wordsAt(all, at + length, 1)[0] === "severity") length++;
  const higher = lengthOfOne(all, at + length, OR_HIGHER);
  const joint = all[at + length]?.text;
  const second = SEVERITY_WORDS[all[at + length + 1]?.text ?? ""];
  if (higher === 0 && bound === null && (joint === "or" || joint === "and") && second !== undefined) {
    return { condition: { field: "severity", op: "matches", value: [value, second] }, length: length + 2 };
  }
  // `medium or higher severity`.
  if (higher > 0 && wordsAt(all, at + length + higher, 1)[0] === "severity") length++;
  const plus = all[at + length]?.text === "+" ? 1 : 0;
  const isHigh = value === "high" && bound === null && higher + plus === 0;
  const op = bound?.op ?? (higher + plus > 0 || isHigh ? ">=" : "=");
  return {
    condition: { field: "severity", op, value },
    length: length + higher + plus,
    ...isHigh ? { note: '"High" includes critical.' } : {},
  };
}
