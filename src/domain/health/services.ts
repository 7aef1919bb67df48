import type { HealthComponent } from "../../contract/health/health.ts";
import type { ComponentKind } from "../../contract/health/conditions.ts";
import type { HealthStatus } from "../../contract/record/kinds.ts";
import type { LicenseState } from "../../contract/health/metrics.ts";
import type { Release } from "../../contract/telemetry/registration.ts";
import { type Part, part, seenAt } from "./component.ts";
import type { Verdict } from "./room.ts";

/** What is known of the licence. Times in microseconds; null where there is none. */
export interface LicenseFacts {
  state: LicenseState;
  expiresAt: number | null;
  graceUntil: number | null;
  seats: number | null;
  /** For administrators. */
  message: string | null;
}

/** What is known of the daily heartbeat. */
interface TelemetryFacts {
  enabled: boolean;
  /** Receipt of the newest answer that was a success. */
  lastSentAt: number | null;
  /** Why the newest send failed; null where it did not. For administrators. */
  failure: string | null;
  /** What was sent, or would have been, the last time. */
  lastPayload: Record<string, unknown> | null;
}

/** What is known of newer releases. */
export interface UpdateFacts {
  enabled: boolean;
  /** A newer release is known, */
  available: boolean;
  /** which closes a security hole, */
  availableSecurity: boolean;
  /** or which this installation cannot take. */
  blocked: boolean;
  /** The newer release; null where none is known. */
  release: Release | null;
  lastCheckAt: number | null;
  /** Why the newest look failed; null where it did not. For administrators. */
  failure: string | null;
}

/** The services around the appliance: whatever becomes of them, it does its work. */
export interface ServiceFacts {
  license: LicenseFacts;
  telemetry: TelemetryFacts;
  update: UpdateFacts;
}

/** Licensing is off; nothing is sent and nothing looked for. */
export const NO_SERVICES: ServiceFacts = {
  license: { state: "off", expiresAt: null, graceUntil: null, seats: null, message: null },
  telemetry: { enabled: false, lastSentAt: null, failure: null, lastPayload: null },
  update: {
    enabled: false,
    available: false,
    availableSecurity: false,
    blocked: false,
    release: null,
    lastCheckAt: null,
    failure: null,
  },
};

const STATUS_OF_LICENSE: Readonly<Record<LicenseState, HealthStatus>> = {
  off: "ok",
  valid: "ok",
  grace: "degraded",
  expired: "unavailable",
  invalid: "unavailable",
};

/** What is switched off says so to everybody, by one of these words. */
export const DISABLED = "disabled";
export const LICENSE_OFF = "off";

export function serviceParts({ license, telemetry, update }: ServiceFacts, now: number): Part[] {
  const { state, message } = license;
  return [
    part("license", "license", {
      status: STATUS_OF_LICENSE[state],
      message: state === "off" ? LICENSE_OFF : message,
    }),
    part("telemetry", "telemetry", remote(telemetry), seenAt(telemetry.lastSentAt, now)),
    part("update", "update", remote(update), seenAt(update.lastCheckAt, now)),
  ];
}

/** The telemetry component again, with what was sent. */
export function telemetryView(
  parts: readonly Part[],
  { telemetry: { lastPayload } }: ServiceFacts,
): HealthComponent & { last_payload: Record<string, unknown> | null } {
  return { ...componentOf(parts, "telemetry"), last_payload: lastPayload };
}

/** The update component again, with the release that it tells of. */
export function updateView(
  parts: readonly Part[],
  { update: { release } }: ServiceFacts,
): HealthComponent & { release: Release | null } {
  return { ...componentOf(parts, "update"), release };
}

function componentOf(parts: readonly Part[], kind: ComponentKind): HealthComponent {
  return parts.find(({ component }) => component.kind === kind)!.component;
}

function remote({ enabled, failure }: { enabled: boolean; failure: string | null }): Verdict {
  if (!enabled) return { status: "unavailable", message: DISABLED };
  return { status: failure === null ? "ok" : "degraded", message: failure };
}
