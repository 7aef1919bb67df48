import { HEARTBEAT_SCHEMA_VERSION } from "../../../contract/telemetry/heartbeat.ts";
import { Registration } from "../../../contract/telemetry/registration.ts";
import type { Violation } from "./violation.ts";
import type { HeartbeatFacts } from "./facts.ts";
import { isJsonObject } from "./json.ts";
import { patternViolations } from "./patterns.ts";

/** A registration: the only text that may be sent, and the violations that forbid it. */
interface PreparedRegistration {
  text: string;
  violations: Violation[];
}

/** Five of the heartbeat's fields, under the same guards. */
export function prepareRegistration(
  { installId, productVersion, license }: Pick<HeartbeatFacts, "installId" | "productVersion" | "license">,
): PreparedRegistration {
  const registration: Registration = {
    schema_version: HEARTBEAT_SCHEMA_VERSION,
    install_id: installId,
    product_version: productVersion,
    plan: license.plan,
    license_key_id_hash: license.plan === "pro" ? license.keyIdHash : null,
  };
  const text = JSON.stringify(registration);
  return { text, violations: checkRegistration(text) };
}

/** Runs both guards over the serialised text. */
function checkRegistration(text: string): Violation[] {
  const read: unknown = JSON.parse(text);
  const { success, error } = Registration.safeParse(read);
  const fields = success ? [] : error.issues.map(({ path: [key] }): Violation => ({
    guard: "fields",
    field: Registration.keyof().safeParse(key).data ?? null,
    reason: "expected a value allowed by the heartbeat's table",
  }));
  return [...fields, ...patternViolations(text, isJsonObject(read) ? read : {})];
}
