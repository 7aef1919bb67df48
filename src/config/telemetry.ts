import type { Environment } from "./environment.ts";
import type { Faults } from "./yaml/faults.ts";
import type { ConfigInput } from "./yaml/input.ts";
import { Variables } from "./variables.ts";

/**
 * In production the registration server must have a certificate; plain http to this machine is for `ndr up`.
 */
export function requireSecureTelemetry(
  input: ConfigInput,
  { configDir, telemetryUrl }: Pick<Environment, "configDir" | "telemetryUrl">,
  faults: Faults,
): void {
  if (telemetryUrl === null || telemetryUrl.startsWith("https:")) return;
  new Variables(input, faults, `${configDir}/ndr.env`).fault(
    "NDR_TELEMETRY_URL",
    "expected an https origin such as https://registration.example (plain http is for ndr up)",
  );
}
