import type { Comparison } from "../../../../contract/filter/tree.ts";
import { comparatorAt } from "./amount.ts";
import { lengthOfOne } from "./context.ts";
import { wordsAt } from "./entity.ts";
import type { Token } from "../words/token.ts";
import { OR_HIGHER, OR_LOWER, SEVERITY_WORDS } from "../words/vocabulary.ts";

/** A condition at a position, with the number of tokens that state it. */
interface FoundCondition {
  condition: Comparison;
  length: number;
  /** What was assumed. */
  note?: string;
}

const TLS_VERSIONS = ["SSL 2.0", "SSL 3.0", "TLS 1.0", "TLS 1.1", "TLS 1.2", "TLS 1.3"];
const OR_OLDER = ["or older", "or lower", "or below", "or earlier", "and below", "and older"];
const OR_NEWER = ["or newer", "or higher", "or above", "or later", "and above", "and newer"];
const OLDER = ["below", "before", "older than", "lower than", "less than", "under", "<"];
const NEWER = ["above", "newer than", "higher than", ">"];

/** `tls 1.0`, `tls version 1.1`, `tlsv1.2`, `ssl 3.0 or older`, `tls below 1.2`, `tls 1.0 or 1.1`. */
export function tlsVersionAt(all: readonly Token[], at: number): FoundCondition | null {
  const [, joined = "", compact] = /^(tls|ssl)(?:v?(\d(?:\.?\d)?))?$/.exec(all[at]?.text ?? "") ?? [];
  const protocol = joined.toUpperCase();
  const version = (text = "") => {
    const [, major, minor = "0"] = /^(\d)(?:\.?(\d))?$/.exec(text) ?? [];
    return TLS_VERSIONS.findIndex((name) => name === `${protocol} ${major}.${minor}`);
  };
  if (protocol === "") return null;
  let end = at + 1;
  if (compact === undefined && all[end]?.text === "version") end++;
  const older = lengthOfOne(all, end, OLDER);
  const newer = lengthOfOne(all, end, NEWER);
  end += compact === undefined ? Math.max(older, newer) : 0;
  // `tls 1` may be the first of something else.
  const number = compact ?? (all[end]?.text.includes(".") ? all[end]!.text : "");
  const first = version(number);
  if (first < 0) return null;
  if (compact === undefined) end++;
  let found = [first];
  if (compact === undefined && older > 0) found = range(0, first);
  else if (compact === undefined && newer > 0) found = range(first + 1, TLS_VERSIONS.length);
  else if (lengthOfOne(all, end, OR_OLDER) > 0) found = range(0, first + 1);
  else if (lengthOfOne(all, end, OR_NEWER) > 0) found = range(first, TLS_VERSIONS.length);
  else {
    while (all[end]?.text === "or" && version(all[end + 1]?.text) >= 0) {
      found.push(version(all[end + 1]!.text));
      end += 2;
    }
  }
  end += lengthOfOne(all, end, [...OR_OLDER, ...OR_NEWER]);
  const value = found.map((index) => TLS_VERSIONS[index]!);
  return {
    condition: { field: "tls.version", op: "matches", value: value.length === 1 ? value[0]! : value },
    length: end - at,
  };
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, index) => from + index);
}

const PRIORITIES = ["critical", "high", "medium", "low"];

/** `high severity`, `of severity high or higher`, `critical incidents`. */
export function severityAt(all: readonly Token[], at: number): FoundCondition | null {
  const priority = /^p([1-4])s?$/.exec(all[at]?.text ?? "")?.[1];
  if (priority !== undefined) {
    const value = PRIORITIES[Number(priority) - 1]!;
    const note = `Read "${all[at]!.typed}" as ${value} severity.`;
    return { condition: { field: "severity", op: "=", value }, length: 1, note };
  }
  let bound = comparatorAt(all, at);
  let length = bound?.length ?? 0;
  if (/^(?:severity|priority|level)$/.test(wordsAt(all, at + length, 1)[0] ?? "")) length++;
  // `severity at least high`, `severity is high`.
  if (length === 1 && bound === null) {
    const noun = at + 1 + lengthOfOne(all, at + 1, ["is", "of", "=", "level"]);
    bound = comparatorAt(all, noun);
    length = noun - at + (bound?.length ?? 0);
  }
  const named = all[at + length]?.singular ?? "";
  const value = SEVERITY_WORDS[named.replace(/\+$/, "")];
  if (value === undefined) return null;
  length++;
  if (/^(?:severity|priority)$/.test(wordsAt(all, at + length, 1)[0] ?? "")) length++;
  const lower = lengthOfOne(all, at + length, OR_LOWER);
  const higher = lengthOfOne(all, at + length, OR_HIGHER);
  const joint = all[at + length]?.text;
  const second = SEVERITY_WORDS[all[at + length + 1]?.text ?? ""];
  if (
    higher === 0 && lower === 0 && bound === null && (joint === "or" || joint === "and") &&
    second !== undefined
  ) {
    length += 2;
    if (/^(?:severity|priority)$/.test(wordsAt(all, at + length, 1)[0] ?? "")) length++;
    return { condition: { field: "severity", op: "matches", value: [value, second] }, length };
  }
  // `medium or higher severity`.
  if (higher > 0 && wordsAt(all, at + length + higher, 1)[0] === "severity") length++;
  const plus = all[at + length]?.text === "+" ? 1 : 0;
  const isUp = higher + plus > 0 || named.endsWith("+");
  // `only high`, `high only`.
  const only = all[at + length]?.text === "only" ? 1 : 0;
  const isOnly = only > 0 || all[at - 1]?.text === "only";
  const isHigh = value === "high" && bound === null && !isUp && lower === 0 && !isOnly;
  const op = bound?.op ?? (lower > 0 ? "<=" : isUp || isHigh ? ">=" : "=");
  return {
    condition: { field: "severity", op, value },
    length: length + higher + plus + lower + only,
    ...isHigh ? { note: '"High" includes critical.' } : {},
  };
}
