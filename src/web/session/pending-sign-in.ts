import { z } from "@hono/zod-openapi";
import { EncryptJWT, jwtDecrypt } from "jose";
import { derivedKey } from "../../kit/hash.ts";
import type { Clock } from "../../kit/clock.ts";

/** How long a person may take at the identity provider, in seconds. */
export const PENDING_LIFETIME = 600;

const Pending = z.object({
  state: z.string(),
  nonce: z.string(),
  code_verifier: z.string(),
  return_to: z.string(),
  /** SHA-256 of the session cookie that this sign-in replaces. */
  replaces: z.string().nullable(),
});
type PendingSignIn = z.infer<typeof Pending>;

/**
 * Keeps a sign-in's state between start and callback in the browser, encrypted: the web process has no store,
 * and any of its instances may answer the callback.
 */
export class PendingSignIns {
  readonly #key: Uint8Array;
  readonly #clock: Clock;

  constructor(serviceKey: Uint8Array | string, clock: Clock) {
    this.#key = derivedKey(serviceKey, "ndr pending sign-in v1");
    this.#clock = clock;
  }

  async seal(pending: PendingSignIn): Promise<string> {
    const now = Math.floor(this.#clock.now() / 1e6);
    return await new EncryptJWT(pending)
      .setProtectedHeader({ alg: "dir", enc: "A256GCM" })
      .setIssuedAt(now)
      .setExpirationTime(now + PENDING_LIFETIME)
      .encrypt(this.#key);
  }

  /** Null if absent, forged or expired. */
  async open(sealed: string | undefined): Promise<PendingSignIn | null> {
    if (sealed === undefined) return null;
    try {
      const { payload } = await jwtDecrypt(sealed, this.#key, {
        keyManagementAlgorithms: ["dir"],
        contentEncryptionAlgorithms: ["A256GCM"],
        currentDate: new Date(this.#clock.now() / 1000),
        requiredClaims: ["exp"],
      });
      return Pending.parse(payload);
    } catch {
      return null;
    }
  }
}
