// Guard 1: every key of the serialised payload, parsed back, must be in the table, and every value must match
// its rule.

import { Heartbeat, HEARTBEAT_FIELDS, type HeartbeatField } from "../../../contract/telemetry/heartbeat.ts";
import type { JsonObject } from "./json.ts";
import type { Violation } from "./violation.ts";

const FIELDS = Object.keys(HEARTBEAT_FIELDS) as HeartbeatField[];

export function fieldViolations(payload: JsonObject): Violation[] {
  const violations: Violation[] = [];
  const unknown = Object.keys(payload).filter((key) => !isField(key)).length;
  // Do not name the keys: a name may itself be private.
  if (unknown > 0) violations.push(violation(null, `keys that are not in the table: ${unknown}`));
  for (const field of FIELDS) {
    if (!Object.hasOwn(payload, field)) violations.push(violation(field, "is missing"));
    else if (!matches(field, payload[field])) {
      violations.push(violation(field, `expected ${HEARTBEAT_FIELDS[field].rule}, within its bounds`));
    }
  }
  if (payload.plan === "free" && typeof payload.license_key_id_hash === "string") {
    violations.push(violation("license_key_id_hash", "expected null on the free plan"));
  }
  return violations;
}

export function isField(key: string): key is HeartbeatField {
  return Object.hasOwn(HEARTBEAT_FIELDS, key);
}

/** Compares the parsed value because a rule may ignore part of its input (a `__proto__` key). */
function matches(field: HeartbeatField, value: unknown): boolean {
  const result = Heartbeat.shape[field].safeParse(value);
  return result.success && JSON.stringify(result.data) === JSON.stringify(value);
}

function violation(field: HeartbeatField | null, reason: string): Violation {
  return { guard: "fields", field, reason };
}
