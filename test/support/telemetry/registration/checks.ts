import { Registration } from "../../../../src/contract/telemetry/registration.ts";
import type { Violation } from "../../../../src/domain/telemetry/heartbeat/violation.ts";
import { isJsonObject } from "../../../../src/domain/telemetry/heartbeat/json.ts";
import { patternViolations } from "../../../../src/domain/telemetry/heartbeat/patterns.ts";

/** As `checkHeartbeat` of a heartbeat: whatever text there is, without a throw; a violation never holds what was found. */
export function checkRegistration(text: string): Violation[] {
  const payload = parsed(text);
  if (!isJsonObject(payload)) return [form("expected one JSON object")];
  // A key twice, an escape that hides a character, white space: the text says more than what is read.
  if (JSON.stringify(payload) !== text || !/^[\x20-\x7e]*$/.test(text)) {
    return [form("expected the shortest text of the object, in printable ASCII")];
  }
  const { success, data, error } = Registration.safeParse(payload);
  const fields = success ? [] : error.issues.map(({ path: [key] }): Violation => ({
    guard: "fields",
    field: Registration.keyof().safeParse(key).data ?? null,
    reason: "expected what the table of the protocol allows",
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
