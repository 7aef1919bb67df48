import type { HealthComponent } from "../../contract/health/health.ts";
import type { ComponentKind } from "../../contract/health/conditions.ts";
import type { HealthStatus } from "../../contract/record/kinds.ts";
import type { LicenseState } from "../../contract/health/metrics.ts";
import type { Release } from "../../contract/telemetry/registration.ts";
import { type Part, part, seenAt } from "./component.ts";
import type { Verdict } from "./room.ts";

/** State of the licence. Times in microseconds; null without a licence. */
export interface LicenseFacts {
  state: LicenseState;
  expiresAt: number | null;
  graceUntil: number | null;
  seats: number | null;
  /** For administrators. */
  message: string | null;
}

/** State of the daily heartbeat. */
interface TelemetryFacts {
  enabled: boolean;
  /** When the newest successful response arrived. */
  lastSentAt: number | null;
  /** Why the newest send failed; null if it succeeded. For administrators. */
  failure: string | null;
  /** The last payload that was sent, or would have been. */
  lastPayload: Record<string, unknown> | null;
}

/** State of the update check. */
export interface UpdateFacts {
  enabled: boolean;
  /** A newer release exists. */
  available: boolean;
  /** The newer release fixes a security issue. */
  availableSecurity: boolean;
  /** The newer release cannot be installed here. */
  blocked: boolean;
  /** The newer release; null if none is known. */
  release: Release | null;
  lastCheckAt: number | null;
  /** Why the newest check failed; null if it succeeded. For administrators. */
  failure: string | null;
}

/** External services: the appliance works without them. */
export interface ServiceFacts {
  license: LicenseFacts;
  telemetry: TelemetryFacts;
  update: UpdateFacts;
}

/** Licensing off, telemetry and update checks disabled. */
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

/** Public messages of disabled services. */
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

/** The telemetry component plus the last payload. */
export function telemetryView(
  parts: readonly Part[],
  { telemetry: { lastPayload } }: ServiceFacts,
): HealthComponent & { last_payload: Record<string, unknown> | null } {
  return { ...componentOf(parts, "telemetry"), last_payload: lastPayload };
}

/** The update component plus the release. */
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
