import { compactVerify, errors, importJWK } from "jose";
import {
  LICENSE_ALGORITHM,
  LicenseClaims,
  LicenseHeader,
  MAX_LICENSE_LENGTH,
} from "../contract/telemetry/license.ts";
import { licenseOf, type LicenseReading } from "../domain/telemetry/license/license.ts";
import type { LicenseKeys } from "./license-keys.ts";

const TOKEN = /^([\w-]+)\.[\w-]+\.[\w-]+$/;

/**
 * Verifies a licence. It never throws, whatever the token holds, and the reported fault contains no text of
 * the token.
 *
 * The algorithm is ours, never the header's: a token that names another one, none, or its own key is refused
 * before anything is computed.
 */
export async function readLicense(token: string, keys: LicenseKeys): Promise<LicenseReading> {
  if (token.length > MAX_LICENSE_LENGTH) return fault(`is longer than ${MAX_LICENSE_LENGTH} characters`);
  const parts = TOKEN.exec(token);
  if (parts === null) return fault("is not a signed token (three base64url parts separated by dots)");
  const header = LicenseHeader.safeParse(jsonOf(bytesOf(parts[1]!)));
  if (!header.success) return fault(`has a wrong header: ${fieldOf(header.error.issues[0]?.path)}`);
  const { kid } = header.data;
  if (!Object.hasOwn(keys, kid)) return fault("is signed with a key that this release does not know");
  const key = await importJWK({ kty: "OKP", crv: "Ed25519", x: keys[kid]! }, LICENSE_ALGORITHM);
  let payload: Uint8Array;
  try {
    ({ payload } = await compactVerify(token, key, { algorithms: [LICENSE_ALGORITHM] }));
  } catch (error) {
    if (!(error instanceof errors.JOSEError)) throw error;
    return fault("has an invalid signature");
  }
  const claims = LicenseClaims.safeParse(jsonOf(payload));
  if (!claims.success) return fault(`has a wrong claim: ${fieldOf(claims.error.issues[0]?.path)}`);
  return { license: licenseOf(claims.data), fault: null };
}

function fault(text: string): LicenseReading {
  return { license: null, fault: text };
}

/** Undefined if it is not base64url, */
function bytesOf(text: string): Uint8Array | undefined {
  try {
    return Uint8Array.fromBase64(text, { alphabet: "base64url" });
  } catch {
    return undefined;
  }
}

/** or not JSON. */
function jsonOf(bytes: Uint8Array | undefined): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes ?? new Uint8Array()));
  } catch {
    return undefined;
  }
}

/** A name from the token is not repeated. */
function fieldOf(path: readonly PropertyKey[] = []): string {
  const [name] = path;
  const known = { ...LicenseHeader.shape, ...LicenseClaims.shape };
  return typeof name === "string" && Object.hasOwn(known, name) ? name : "its fields";
}
