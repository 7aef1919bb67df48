// Licences for tests, signed by a generated key; also usable with the product's key:
//
//   deno run -A test/support/telemetry/licenses.ts KEY.jwk seats=5 days=365 key_id=lic-0001 [install_id=ins_…] >license.jwt

import { CompactSign, type CryptoKey, exportJWK, generateKeyPair, importJWK, type JWK } from "jose";
import {
  LICENSE_ALGORITHM,
  LICENSE_AUDIENCE,
  LICENSE_ISSUER,
  LICENSE_TYPE,
  LicenseClaims,
} from "../../../src/contract/telemetry/license.ts";
import type { LicenseKeys } from "../../../src/telemetry/license-keys.ts";

const SECOND = 1_000_000;

/** Licence claims in the program's own units. Times in microseconds. */
export interface LicenseWish {
  issuedAt: number;
  expiresAt: number;
  seats?: number;
  keyId?: string;
  installId?: string | null;
}

/** Signs licences with one Ed25519 key. */
export class LicenseSigner {
  private constructor(private readonly key: CryptoKey | Uint8Array, readonly kid: string, x: string) {
    this.keys = { [kid]: x };
  }

  /** The public keys for the program that verifies the licences. */
  readonly keys: LicenseKeys;

  static async generate(kid = "test-1"): Promise<LicenseSigner> {
    const { publicKey, privateKey } = await generateKeyPair(LICENSE_ALGORITHM, { crv: "Ed25519" });
    return new LicenseSigner(privateKey, kid, (await exportJWK(publicKey)).x!);
  }

  static async of(jwk: JWK): Promise<LicenseSigner> {
    return new LicenseSigner(await importJWK(jwk, LICENSE_ALGORITHM), jwk.kid!, jwk.x!);
  }

  /** A valid licence. `kid`: key id in the header. */
  license(wish: LicenseWish, kid = this.kid): Promise<string> {
    return this.sign(claimsOf(wish), { kid });
  }

  /** Signs arbitrary claims. */
  sign(claims: unknown, header: Record<string, unknown> = {}): Promise<string> {
    return new CompactSign(new TextEncoder().encode(JSON.stringify(claims)))
      .setProtectedHeader({ alg: LICENSE_ALGORITHM, typ: LICENSE_TYPE, kid: this.kid, ...header })
      .sign(this.key);
  }
}

export function claimsOf(wish: LicenseWish): LicenseClaims {
  const { issuedAt, expiresAt, seats = 5, keyId = "lic-0001", installId = null } = wish;
  return LicenseClaims.parse({
    iss: LICENSE_ISSUER,
    aud: LICENSE_AUDIENCE,
    iat: Math.floor(issuedAt / SECOND),
    exp: Math.floor(expiresAt / SECOND),
    plan: "pro",
    seats,
    key_id: keyId,
    ...installId === null ? {} : { install_id: installId },
  });
}

if (import.meta.main) {
  const [file, ...wishes] = Deno.args;
  const { seats, days, key_id, install_id } = Object.fromEntries(wishes.map((wish) => wish.split("=")));
  const now = Date.now() * 1000;
  const signer = await LicenseSigner.of(JSON.parse(await Deno.readTextFile(file!)));
  console.log(
    await signer.license({
      issuedAt: now,
      expiresAt: now + Number(days) * 86_400 * SECOND,
      seats: Number(seats),
      keyId: key_id,
      installId: install_id,
    }),
  );
}
