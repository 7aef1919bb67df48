import { canonicalIp } from "../../kit/net/ip.ts";
import { protocolKeyword, protocolNumber } from "../../kit/net/ip-protocol.ts";
import type { JsonValue } from "../../kit/json/json.ts";
import type { Count } from "./observation.ts";

// Readers of single payload values. Payloads are hostile input: every value may have any type and size. A
// reader returns null for anything it cannot use and never throws.

export type Fields = Record<string, JsonValue>;

/** The largest counter stored: a signed 64-bit column. */
const MAX_COUNT = 2n ** 63n - 1n;
const MAX_WARNINGS = 16;

/** Adds a warning once, up to `MAX_WARNINGS` per record. */
export function warn(warnings: string[], warning: string): void {
  if (warnings.length < MAX_WARNINGS && !warnings.includes(warning)) warnings.push(warning);
}

export function asObject(value: JsonValue | undefined): Fields | null {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value : null;
}

export function asList(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}

/** A list; a text is a list of one, as some log shippers write it. Anything else leaves a warning. */
export function listOf(value: JsonValue | undefined, name: string, warnings: string[]): JsonValue[] {
  if (Array.isArray(value)) return value;
  if (typeof value === "string") return value === "" ? [] : [value];
  if (isStated(value)) warn(warnings, `${name}: expected a list`);
  return [];
}

/** The first of these members that is present and not null. */
export function firstOf(
  fields: Fields,
  names: readonly string[],
): { name: string; value: JsonValue } | null {
  for (const name of names) {
    const value = fields[name];
    if (value !== undefined && value !== null) return { name, value };
  }
  return null;
}

/**
 * Text of at most `limit` UTF-16 code units, without NUL characters (PostgreSQL text cannot hold them); null
 * if empty.
 */
export function text(value: JsonValue | undefined, limit: number): string | null {
  if (typeof value !== "string") return null;
  return bounded(value, limit);
}

/** Like `text`, for a string. */
export function bounded(value: string, limit: number): string | null {
  let kept = value.length > limit * 2 ? value.slice(0, limit * 2) : value;
  if (kept.includes("\0")) kept = kept.replaceAll("\0", "");
  if (kept.length > limit) kept = kept.slice(0, limit);
  // Truncation must not split a surrogate pair.
  const last = kept.charCodeAt(kept.length - 1);
  if (last >= 0xd800 && last <= 0xdbff) kept = kept.slice(0, -1);
  return kept === "" ? null : kept;
}

/** The strings of a list, at most `items` of them; other items are skipped. */
export function texts(value: JsonValue | undefined, items: number, limit: number): string[] {
  const kept: string[] = [];
  for (const item of asList(value)) {
    if (kept.length === items) break;
    const one = text(item, limit);
    if (one !== null) kept.push(one);
  }
  return kept;
}

/** An exact integer from a number, a `bigint`, or a string of decimal digits. */
export function whole(value: JsonValue | undefined): bigint | null {
  if (typeof value === "bigint") return value;
  if (typeof value === "number") return Number.isInteger(value) ? BigInt(value) : null;
  if (typeof value === "string" && /^\d{1,20}$/.test(value)) return BigInt(value);
  return null;
}

/** An integer from 0 to `max`. */
export function small(value: JsonValue | undefined, max: number): number | null {
  // Normalises -0, whose sign would not survive storage.
  if (typeof value === "number") {
    return Number.isInteger(value) && value >= 0 && value <= max ? value + 0 : null;
  }
  const exact = whole(value);
  return exact !== null && exact >= 0n && exact <= BigInt(max) ? Number(exact) : null;
}

/** What was read of a member; nothing, although the member has a value, leaves the warning. */
export function orWarn<T>(
  read: T | null,
  value: JsonValue | undefined,
  warning: string,
  warnings: string[],
): T | null {
  if (read === null && isStated(value)) warn(warnings, warning);
  return read;
}

/** Warns about those of these members that have a value other than text, which none of their readers can use. */
export function expectTexts(fields: Fields, names: readonly string[], warnings: string[]): void {
  for (const name of names) {
    const value = fields[name];
    if (value !== undefined && value !== null && typeof value !== "string") {
      warn(warnings, `${name}: expected text`);
    }
  }
}

export function port(value: JsonValue | undefined): number | null {
  return small(value, 0xffff);
}

/** A port. Null if absent; null with a warning if present but invalid, like the -1 of an unset integer. */
export function portOf(value: JsonValue | undefined, name: string, warnings: string[]): number | null {
  const read = port(value);
  if (read === null && isStated(value)) warn(warnings, `${name}: expected a port`);
  return read;
}

/** A VLAN identifier like `vlan`, with a warning if present but invalid, like the 65535 of an unset field. */
export function vlanOf(value: JsonValue | undefined, name: string, warnings: string[]): number | null {
  const outer = outerTag(value);
  if (isStated(outer) && small(outer, 4094) === null) warn(warnings, `${name}: expected a VLAN identifier`);
  return vlan(value);
}

/** Whether a member has a value. Sensors and collectors write an empty text for none. */
export function isStated(value: JsonValue | undefined): boolean {
  return value !== undefined && value !== null && value !== "";
}

/** A VLAN identifier, the outer one of a list; 0 means untagged and gives null. */
export function vlan(value: JsonValue | undefined): number | null {
  const id = small(outerTag(value), 4094);
  return id === 0 ? null : id;
}

/** The outer tag that names a VLAN: a priority tag, 0, may stand before it. */
function outerTag(value: JsonValue | undefined): JsonValue | undefined {
  return Array.isArray(value) ? value.find((tag) => small(tag, 4094) !== 0) ?? value[0] : value;
}

/** A counter. Null if absent; null with a warning if present but invalid. */
export function count(fields: Fields, name: string, warnings: string[]): Count | null {
  const value = fields[name];
  if (value === undefined || value === null) return null;
  if (Number.isSafeInteger(value) && (value as number) >= 0) return value as number;
  const exact = whole(value);
  if (exact === null || exact < 0n) {
    warn(warnings, `${name}: expected a count`);
    return null;
  }
  return countOf(exact, name, warnings);
}

/** An exact value as a counter; null with a warning above 2^63 - 1. */
export function countOf(exact: bigint, name: string, warnings: string[]): Count | null {
  if (exact > MAX_COUNT) {
    warn(warnings, `${name}: above 2^63 - 1`);
    return null;
  }
  return exact <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(exact) : exact;
}

/** An identifier written as a number or a string; keeps every digit. */
export function identifier(value: JsonValue | undefined): string | null {
  if (typeof value === "string") return text(value, 64);
  if (Number.isSafeInteger(value)) return (value as number) >= 0 ? String(value) : null;
  const exact = whole(value);
  // Numeric identifiers have 64 bits; the bound also avoids formatting a number of a million digits.
  return exact !== null && exact >= 0n && exact < 2n ** 64n ? exact.toString() : null;
}

/** Canonical address text. */
export function address(value: JsonValue | undefined): string | null {
  return typeof value === "string" && value.length <= 64 ? canonicalIp(value) : null;
}

/**
 * The lower-case IANA keyword of a protocol name or number, or the number as text. An unknown name is kept in
 * lower case. `ip` is one of the flow's addresses: some sensors write `icmp` for ICMPv6 too.
 */
export function protocol(value: JsonValue | undefined, ip: string): string | null {
  if (typeof value === "number") {
    const number = small(value, 255);
    return number === null ? null : familyOf(protocolKeyword(number), ip);
  }
  if (typeof value !== "string" || !/^[A-Za-z0-9][A-Za-z0-9 ._+-]{0,31}$/.test(value)) return null;
  const number = protocolNumber(value);
  return number === null ? value.toLowerCase() : familyOf(protocolKeyword(number), ip);
}

function familyOf(keyword: string, ip: string): string {
  return keyword === "icmp" && ip.includes(":") ? "ipv6-icmp" : keyword;
}
