import type { License, LicenseReading } from "../../../src/domain/telemetry/license/license.ts";

export const HOUR = 3_600_000_000;
export const DAY = 24 * HOUR;
/** 2026-01-31T07:15:00Z */
export const NOW = 1_769_843_700_000_000;
export const INSTALL_ID = `ins_${"0".repeat(24)}000002a5`;
export const OTHER_INSTALL_ID = `ins_${"f".repeat(32)}`;

/** Valid for one year, from 30 days ago. */
export function license(own: Partial<License> = {}): License {
  return {
    plan: "pro",
    seats: 5,
    keyId: "lic-0001",
    installId: null,
    issuedAt: NOW - 30 * DAY,
    expiresAt: NOW + 335 * DAY,
    ...own,
  };
}

export function reading(own: Partial<License> = {}): LicenseReading & { license: License } {
  return { license: license(own), fault: null };
}
