// Licences whose seats a registration server binds. The appliance verifies the licences it receives; here
// they are the operator's own files and are only read.

import { decodeJwt, importJWK, SignJWT } from "jose";
import { z } from "@hono/zod-openapi";
import {
  LICENSE_ALGORITHM,
  LICENSE_TYPE,
  LicenseClaims,
  MAX_LICENSE_LENGTH,
} from "../../../../src/contract/telemetry/license.ts";
import { keyIdHash } from "../../../../src/domain/telemetry/license/license.ts";

/** An active licence. */
export interface ActiveLicense {
  seats: number;
  /** The token for an installation with a seat; null if none can be issued. */
  tokenFor(installId: string): Promise<string | null>;
}

/** The signer: a private Ed25519 key as a JWK with its key id. */
const SigningKey = z.object({
  kty: z.literal("OKP"),
  crv: z.literal("Ed25519"),
  kid: z.string().min(1).max(64),
  x: z.string(),
  d: z.string(),
});
export type SigningKey = z.infer<typeof SigningKey>;

interface Held {
  token: string;
  claims: LicenseClaims;
}

/**
 * Tokens in the `*.jwt` files of a folder. A token that names an installation is given to that one only; for
 * other tokens seats are counted and, given a signing key, a token with the same expiry is signed for each
 * installation that has a seat.
 */
export class Licenses {
  #held: Held[] = [];

  private constructor(private readonly folder: string | null, private readonly key: SigningKey | null) {}

  /** Throws if the key file is invalid; skips files in the folder that are not licences. */
  static async open(folder: string | null, keyFile: string | null): Promise<Licenses> {
    const key = keyFile === null ? null : SigningKey.parse(JSON.parse(await Deno.readTextFile(keyFile)));
    const licenses = new Licenses(folder, key);
    await licenses.reload();
    return licenses;
  }

  /** Re-reads the folder. */
  async reload(): Promise<void> {
    if (this.folder === null) return;
    const held: Held[] = [];
    for await (const { name, isFile } of Deno.readDir(this.folder)) {
      if (!isFile || !name.endsWith(".jwt")) continue;
      const read = readToken(await Deno.readTextFile(`${this.folder}/${name}`));
      if (read !== null) held.push(read);
    }
    this.#held = held;
  }

  /** The unexpired licence with this hash of its key identifier. `now` in microseconds. */
  active(hash: string, now: number): ActiveLicense | null {
    const held = this.#held.filter(({ claims }) =>
      keyIdHash(claims.key_id) === hash && claims.exp * 1e6 > now
    )
      .sort((one, other) => other.claims.exp - one.claims.exp || other.claims.iat - one.claims.iat);
    const [newest] = held;
    if (newest === undefined) return null;
    return {
      seats: newest.claims.seats,
      tokenFor: async (installId) => {
        const own = held.find(({ claims }) => claims.install_id === installId);
        if (own !== undefined) return own.token;
        const shared = held.find(({ claims }) => claims.install_id === undefined);
        return shared === undefined || this.key === null
          ? null
          : await issue(this.key, shared.claims, installId);
      },
    };
  }
}

function readToken(text: string): Held | null {
  const token = text.trim();
  if (token.length > MAX_LICENSE_LENGTH) return null;
  try {
    return { token, claims: LicenseClaims.parse(decodeJwt(token)) };
  } catch {
    return null;
  }
}

/** Deterministic, so that an installation can detect a new licence. */
export async function issue(key: SigningKey, claims: LicenseClaims, installId?: string): Promise<string> {
  return await new SignJWT({ ...claims, ...installId === undefined ? {} : { install_id: installId } })
    .setProtectedHeader({ alg: LICENSE_ALGORITHM, typ: LICENSE_TYPE, kid: key.kid })
    .sign(await importJWK(key, LICENSE_ALGORITHM));
}
