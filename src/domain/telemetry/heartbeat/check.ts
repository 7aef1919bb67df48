import { isJsonObject, type JsonObject } from "./json.ts";
import { patternViolations } from "./patterns.ts";
import type { Violation } from "./violation.ts";
import { fieldViolations } from "./whitelist.ts";

/** Several times the longest legal payload. */
const MAX_LENGTH = 4096;

/**
 * Runs both guards over the text to be sent. Any violation means that nothing is sent; the payload is never
 * trimmed to fit. Accepts any text and never throws.
 */
export function checkHeartbeat(text: string): Violation[] {
  // Checked first so that no pattern has to scan megabytes.
  if (text.length > MAX_LENGTH) return [form(`expected at most ${MAX_LENGTH} characters`)];
  const payload = parsed(text);
  if (payload === null) return [form("expected one JSON object"), ...patternViolations(text, {})];
  return [...formViolations(text, payload), ...fieldViolations(payload), ...patternViolations(text, payload)];
}

/** One line for the administrator. */
export function violationText({ field, reason }: Violation): string {
  return field === null ? `the payload: ${reason}` : `${field}: ${reason}`;
}

/**
 * Text that carries more than its parsed value: duplicate keys (the first is lost), escapes that hide
 * characters from the patterns, white space.
 */
function formViolations(text: string, payload: JsonObject): Violation[] {
  const violations: Violation[] = [];
  if (JSON.stringify(payload) !== text) violations.push(form("expected the object's shortest serialisation"));
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
