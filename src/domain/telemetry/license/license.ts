import { hash } from "node:crypto";
import type { LicenseClaims } from "../../../contract/telemetry/license.ts";

/** A licence whose signature and claims were found good. Times in microseconds. */
export interface License {
  plan: LicenseClaims["plan"];
  seats: number;
  keyId: string;
  /** Null where it is for whichever installation has the file. */
  installId: string | null;
  issuedAt: number;
  expiresAt: number;
}

/** What a token came to: a licence, or for an administrator what is wrong with it, such as "is not a signed token". */
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

/** What the heartbeat tells of a licence's key: the first 16 hex characters of a SHA-256 over its identifier. */
export function keyIdHash(keyId: string): string {
  return hash("sha256", keyId, "hex").slice(0, 16);
}
