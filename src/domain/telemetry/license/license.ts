import { sha256Hex } from "../../../kit/hash.ts";
import type { LicenseClaims } from "../../../contract/telemetry/license.ts";

/** A licence with a valid signature and valid claims. Times in microseconds. */
export interface License {
  plan: LicenseClaims["plan"];
  seats: number;
  keyId: string;
  /** Null if any installation may use it. */
  installId: string | null;
  issuedAt: number;
  expiresAt: number;
}

/**
 * A token as read: a licence, or for the administrator what is wrong with it, such as "is not a signed
 * token".
 */
export type LicenseReading = { license: License; fault: null } | { license: null; fault: string };

export function licenseOf({ plan, seats, key_id, install_id, iat, exp }: LicenseClaims): License {
  return {
    plan,
    seats,
    keyId: key_id,
    installId: install_id ?? null,
    issuedAt: iat * 1e6,
    expiresAt: exp * 1e6,
  };
}

/** The licence key's hash in the heartbeat: the first 16 hex characters of the SHA-256 of its identifier. */
export function keyIdHash(keyId: string): string {
  return sha256Hex(keyId).slice(0, 16);
}
