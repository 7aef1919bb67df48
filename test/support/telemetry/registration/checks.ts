import { Registration } from "../../../../src/contract/telemetry/registration.ts";
import type { Violation } from "../../../../src/domain/telemetry/heartbeat/violation.ts";
import { isJsonObject } from "../../../../src/domain/telemetry/heartbeat/json.ts";
import { patternViolations } from "../../../../src/domain/telemetry/heartbeat/patterns.ts";

/**
 * Like `checkHeartbeat` for a heartbeat: accepts any text without throwing; violations never contain the
 * offending value.
 */
export function checkRegistration(text: string): Violation[] {
  const payload = parsed(text);
  if (!isJsonObject(payload)) return [form("expected one JSON object")];
  // A duplicate key, an escape that hides a character, white space: the text holds more than what is parsed.
  if (JSON.stringify(payload) !== text || !/^[\x20-\x7e]*$/.test(text)) {
    return [form("expected the shortest text of the object, in printable ASCII")];
  }
  const { success, data, error } = Registration.safeParse(payload);
  const fields = success ? [] : error.issues.map(({ path: [key] }): Violation => ({
    guard: "fields",
    field: Registration.keyof().safeParse(key).data ?? null,
    reason: "expected a value that the protocol's table allows",
  }));
  if (success && data.plan === "free" && data.license_key_id_hash !== null) {
    fields.push({ guard: "fields", field: "license_key_id_hash", reason: "expected null on the free plan" });
  }
  return [...fields, ...patternViolations(text, payload)];
}

function form(reason: string): Violation {
  return { guard: "form", field: null, reason };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
