import { quickMembers } from "./json-quick.ts";
import { DEFAULT_MAX_DEPTH, JsonScanner } from "./json-scanner.ts";
import type { JsonMember, JsonValue } from "./json-scanner.ts";

export { JsonError } from "./json-error.ts";
export type { JsonMember, JsonValue } from "./json-scanner.ts";

const utf8 = new TextEncoder();

declare global {
  interface JSON {
    /** A standard function that TypeScript's library does not list yet. */
    rawJSON(text: string): unknown;
  }
}

/**
 * Parses one JSON text. Integers beyond ±(2^53 - 1), in any notation, become `bigint`, all other numbers a JS
 * number (`-0` is 0). Throws JsonError for bad grammar, a number that overflows a double (`1e999`) or has an
 * exponent of more than 15 digits, a duplicate key, a lone surrogate, and nesting beyond `maxDepth` (128).
 */
export function parseJson(text: string, limits: { maxDepth?: number } = {}): JsonValue {
  return new JsonScanner(text, limits.maxDepth ?? DEFAULT_MAX_DEPTH).document();
}

/**
 * As `parseJson`, for a text that `parseJson` or `parseMembers` has accepted before: the engine reads most of
 * these several times faster.
 */
export function parseKnownJson(text: string): JsonValue {
  const value: JsonValue = JSON.parse(text);
  return isExact(value) ? value : new JsonScanner(text, DEFAULT_MAX_DEPTH, "allowed").document();
}

/** Whether the engine's parser cannot have rounded: it differs on integers beyond 2^53 and minus zero. */
function isExact(value: JsonValue): boolean {
  if (typeof value === "number") {
    return Number.isInteger(value)
      ? Number.isSafeInteger(value) && !Object.is(value, -0)
      : Number.isFinite(value);
  }
  if (typeof value !== "object" || value === null) return true;
  if (Array.isArray(value)) return value.every(isExact);
  for (const key in value) if (!isExact(value[key]!)) return false;
  return true;
}

/**
 * Parses one JSON object and returns its top-level members with the spans of their source text, and the
 * canonical text of the one named `canonicalOf`. Throws JsonError like `parseJson`, and if the text is not an
 * object, but allows repeated keys: `conflicting` and `repeatedKey` report those with different values.
 *
 * @param bytes The text in UTF-8, if at hand.
 * @returns Members whose canonical text is valid until the next call.
 */
export function parseMembers(
  text: string,
  canonicalOf: string,
  bytes: Uint8Array = utf8.encode(text),
): Map<string, JsonMember> {
  return quickMembers(text, bytes, canonicalOf) ??
    new JsonScanner(text, DEFAULT_MAX_DEPTH, "allowed").members(canonicalOf);
}

/** As `JSON.stringify`, with `bigint` written as an integer literal. Throws a TypeError for `undefined`. */
export function stringifyJson(value: unknown): string {
  const text = plainJson(value) ?? JSON.stringify(value, writeBigInt);
  if (text === undefined) throw new TypeError("expected a JSON value");
  return text;
}

/**
 * For a value without any `bigint`, which `JSON.stringify` alone refuses: a replacer is several times slower,
 * and so would be a check of each value. Undefined if it refused, for any reason.
 */
export function plainJson(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}

function writeBigInt(_key: string, value: unknown): unknown {
  return typeof value === "bigint" ? JSON.rawJSON(value.toString()) : value;
}
