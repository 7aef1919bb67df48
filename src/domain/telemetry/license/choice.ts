// Which of the licences that are here counts: the one in the administrator's file, or its renewal.

import type { License, LicenseReading } from "./license.ts";

/** What was read from the disk; null where there is no such file. */
export interface LicenseReadings {
  /** license.jwt. */
  file: LicenseReading | null;
  /** What the registration server answered last. */
  renewed: LicenseReading | null;
}

export type LicenseSource = "file" | "renewed";

/** What counts. Without a `license` there is no file, or `fault` says why nothing here can be used. */
export type LicenseChoice =
  | { license: License; source: LicenseSource; fault: string | null }
  | { license: null; source: null; fault: string | null };

/**
 * Without a file licensing is off, whatever is left of a renewal: removing it is the administrator's word. A renewal counts
 * where it is bound to this installation and of the same licence key; a file that cannot be used does not take it away. Of
 * both the better one counts.
 */
export function chooseLicense({ file, renewed }: LicenseReadings, installId: string | null): LicenseChoice {
  if (file === null) return { license: null, source: null, fault: null };
  const fault = file.fault ?? seatFault(file.license, installId);
  const own = fault === null ? file.license : null;
  const other = renewed?.license ?? null;
  if (other !== null && isRenewalOf(other, own, installId) && (own === null || isBetter(other, own))) {
    return { license: other, source: "renewed", fault };
  }
  return own === null
    ? { license: null, source: null, fault }
    : { license: own, source: "file", fault: null };
}

/**
 * Why a token from the registration server is not to be kept. `good` where it takes the place of what counts now; `stale`
 * where that is at least as good, which happens every day.
 */
export function judgeRenewal(
  { license, fault }: LicenseReading,
  present: LicenseChoice,
  installId: string | null,
): { verdict: "good" | "stale" } | { verdict: "refused"; fault: string } {
  const refused = (why: string) => ({ verdict: "refused" as const, fault: why });
  if (license === null) return refused(fault);
  if (present.license === null) return refused("renews nothing that is here");
  if (license.installId === null) return refused("is not bound to an installation");
  const seat = seatFault(license, installId);
  if (seat !== null) return refused(seat);
  if (license.keyId !== present.license.keyId) return refused("is of another licence key");
  return { verdict: isBetter(license, present.license) ? "good" : "stale" };
}

/** Of another installation's licence, null where this one may use it. */
function seatFault({ installId: bound }: License, installId: string | null): string | null {
  if (bound === null || bound === installId) return null;
  const mine = installId === null ? "which has no identifier yet" : `which is ${installId}`;
  return `is bound to the installation ${bound}, not to this one, ${mine}`;
}

function isRenewalOf(license: License, own: License | null, installId: string | null): boolean {
  return license.installId !== null && license.installId === installId &&
    (own === null || license.keyId === own.keyId);
}

/** The later end counts; of the same end, what was issued later. */
function isBetter(one: License, other: License): boolean {
  return one.expiresAt > other.expiresAt ||
    (one.expiresAt === other.expiresAt && one.issuedAt > other.issuedAt);
}
