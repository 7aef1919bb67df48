import type { HeartbeatField } from "../../../contract/telemetry/heartbeat.ts";
import { isJsonObject, type JsonObject } from "./json.ts";
import { patternViolations } from "./patterns.ts";
import { fieldViolations } from "./whitelist.ts";

/** Why a payload must not be sent. It never holds what was found. */
export interface Violation {
  /** `form`: not the plain text of one payload; `fields`: the whitelist; `patterns`: what nothing may look like. */
  guard: "form" | "fields" | "patterns";
  /** The field that it stands in; null where it is in none of the table. */
  field: HeartbeatField | null;
  /** For an administrator. */
  reason: string;
}

/** Several times the longest payload that the table allows. */
const MAX_LENGTH = 4096;

/**
 * Both guards, over the text that would be sent. Any violation means that nothing is sent: the payload is not trimmed
 * until it fits. Takes whatever text there is, and never throws.
 */
export function checkHeartbeat(text: string): Violation[] {
  // Not looked at any further: no pattern should have to work through megabytes.
  if (text.length > MAX_LENGTH) return [form(`expected at most ${MAX_LENGTH} characters`)];
  const payload = parsed(text);
  if (payload === null) return [form("expected one JSON object"), ...patternViolations(text, {})];
  return [...formViolations(text, payload), ...fieldViolations(payload), ...patternViolations(text, payload)];
}

/** One line for an administrator. */
export function violationText({ field, reason }: Violation): string {
  return field === null ? `the payload: ${reason}` : `${field}: ${reason}`;
}

/**
 * A text that says more than what is read back from it: a key twice (the first is lost), escapes that hide a character
 * from the patterns, white space.
 */
function formViolations(text: string, payload: JsonObject): Violation[] {
  const violations: Violation[] = [];
  if (JSON.stringify(payload) !== text) violations.push(form("expected the shortest text of the object"));
  if (!/^[\x20-\x7e]*$/.test(text)) violations.push(form("expected printable ASCII characters only"));
  return violations;
}

function form(reason: string): Violation {
  return { guard: "form", field: null, reason };
}

function parsed(text: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : null;
  } catch {
    return null;
  }
}
