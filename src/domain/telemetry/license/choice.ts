// Which licence is in effect: the administrator's file or its renewal.

import type { License, LicenseReading } from "./license.ts";

/** The licences read from disk; null if the file does not exist. */
export interface LicenseReadings {
  /** license.jwt. */
  file: LicenseReading | null;
  /** The registration server's latest response. */
  renewed: LicenseReading | null;
}

export type LicenseSource = "file" | "renewed";

/** The licence in effect. Without a `license` there is no file, or `fault` says why none is usable. */
export type LicenseChoice =
  | { license: License; source: LicenseSource; fault: string | null }
  | { license: null; source: null; fault: string | null };

/**
 * Selects the licence in effect. Without a file licensing is off, even if a renewal remains: removing the
 * file is the administrator's decision. A renewal counts if it is bound to this installation and has the same
 * licence key; an unusable file does not invalidate it. The better of the two wins.
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
 * Evaluates a token from the registration server: `good` if it replaces the licence in effect, `stale` if
 * that one is at least as good (the daily case), `refused` with the reason if it must not be kept.
 */
export function evaluateRenewal(
  { license, fault }: LicenseReading,
  present: LicenseChoice,
  installId: string | null,
): { verdict: "good" | "stale" } | { verdict: "refused"; fault: string } {
  const refused = (why: string) => ({ verdict: "refused" as const, fault: why });
  if (license === null) return refused(fault);
  if (present.license === null) return refused("does not renew the installed licence");
  if (license.installId === null) return refused("is not bound to an installation");
  const seat = seatFault(license, installId);
  if (seat !== null) return refused(seat);
  if (license.keyId !== present.license.keyId) return refused("has a different licence key");
  return { verdict: isBetter(license, present.license) ? "good" : "stale" };
}

/** The fault of a licence bound to another installation; null if this one may use it. */
function seatFault({ installId: bound }: License, installId: string | null): string | null {
  if (bound === null || bound === installId) return null;
  const mine = installId === null ? "this installation has no identifier yet" : `this one is ${installId}`;
  return `is bound to the installation ${bound}, but ${mine}`;
}

function isRenewalOf(license: License, own: License | null, installId: string | null): boolean {
  return license.installId !== null && license.installId === installId &&
    (own === null || license.keyId === own.keyId);
}

/** The later expiry wins, then the later issue time. */
function isBetter(one: License, other: License): boolean {
  return one.expiresAt > other.expiresAt ||
    (one.expiresAt === other.expiresAt && one.issuedAt > other.issuedAt);
}
