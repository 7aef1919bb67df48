import { type PreparedHeartbeat, prepareHeartbeat } from "../../domain/telemetry/heartbeat/build.ts";
import { violationText } from "../../domain/telemetry/heartbeat/check.ts";
import type { PlanFacts, TenantFacts } from "../../domain/telemetry/heartbeat/facts.ts";
import { slotMinute } from "../../domain/telemetry/heartbeat/schedule.ts";
import { DEFAULT_REGISTRATION_ORIGIN } from "../../contract/telemetry/registration.ts";
import { readInstallId } from "../../telemetry/install-id.ts";
import { machineFacts } from "../../telemetry/machine.ts";
import type { Build } from "../../config/build.ts";
import type { DryRun } from "../../telemetry/desk.ts";
import type { TelemetryInstallation } from "./installation.ts";

/** Placeholder in a payload for the identifier that the service creates at its first start. */
const NO_INSTALL_ID = `ins_${"0".repeat(32)}`;

/** No payload can be built; the message is for the user. */
class TelemetryInputError extends Error {
  override readonly name = "TelemetryInputError";
}

/** The heartbeat that would be sent next, and what happens to it. */
export interface NextHeartbeat extends PreparedHeartbeat {
  /** Null before the service has created it. */
  installId: string | null;
  license: PlanFacts;
  /** The registration server; null if nothing is sent. */
  origin: string | null;
  /** Notes for the reader. */
  notes: string[];
}

/**
 * Builds and checks the payload. Opens no connection and writes nothing.
 *
 * @param tenants counts of each configured tenant
 * @param now microseconds
 * @throws TelemetryInputError if the installation identifier cannot be used: then nothing would be sent
 */
export async function nextHeartbeat(
  { environment, recordKinds }: TelemetryInstallation,
  tenants: readonly TenantFacts[],
  { version, bundleVersion }: Build,
  license: PlanFacts,
  now: number,
): Promise<NextHeartbeat> {
  const { configDir, telemetry: enabled, telemetryUrl } = environment;
  // The service checks the owner: this may be another user.
  const { id, problem } = await readInstallId({ directory: configDir, owner: null });
  if (id === null && problem !== null) throw new TelemetryInputError(`nothing would be sent: ${problem}`);
  const prepared = prepareHeartbeat({
    installId: id ?? NO_INSTALL_ID,
    productVersion: version,
    bundleVersion,
    machine: await machineFacts(),
    license,
    recordKinds,
    tenants,
    now,
  });
  const origin = enabled ? telemetryUrl ?? DEFAULT_REGISTRATION_ORIGIN : null;
  const notes = [whereTo(enabled, origin, id)];
  if (id === null) {
    notes.push("install-id is created when the service starts with a server; zeros replace it here");
  }
  if (problem !== null) notes.push(problem);
  return { ...prepared, installId: id, license, origin, notes };
}

function whereTo(enabled: boolean, origin: string | null, id: string | null): string {
  if (!enabled) return "NDR_TELEMETRY is off: nothing is sent; this is the payload otherwise";
  if (origin === null) {
    return "NDR_TELEMETRY_URL names no registration server: nothing is sent; this is the payload otherwise";
  }
  return `the service sends it to ${origin} once a day${
    id === null ? "" : `, at ${timeOf(slotMinute(id))} UTC`
  }`;
}

function timeOf(minute: number): string {
  return [minute / 60, minute % 60].map((part) => String(Math.floor(part)).padStart(2, "0")).join(":");
}

/**
 * Why there is nothing to record: an installation that sends nothing keeps no log. Null if there is
 * something.
 */
export function unrecorded({ installId, origin }: NextHeartbeat): string | null {
  if (origin === null) return "nothing is sent, so there is no record of it";
  return installId === null ? "the service has never been started with this server" : null;
}

/** What a dry run records: never a payload that a guard refuses. */
export function dryRunOf({ text, violations }: NextHeartbeat): DryRun {
  return violations.length === 0
    ? { text, failure: null }
    : { text: null, failure: `not sent: ${violations.map(violationText).join("; ")}` };
}
