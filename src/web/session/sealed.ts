import type { z } from "@hono/zod-openapi";
import { EncryptJWT, jwtDecrypt } from "jose";
import { derivedKey } from "../../kit/hash.ts";
import type { Clock } from "../../kit/clock.ts";

interface SealedOptions<T> {
  serviceKey: Uint8Array | string;
  /** What the sealed text is for: each purpose has a key of its own. */
  purpose: string;
  schema: z.ZodType<T>;
  /** In seconds. */
  lifetime: number;
  clock: Clock;
}

/**
 * Encrypts what the web layer gives away to be kept: it has no store, and any of its processes may get it back.
 */
export class Sealed<T extends Record<string, unknown>> {
  readonly #options: SealedOptions<T>;
  readonly #key: Uint8Array;

  constructor(options: SealedOptions<T>) {
    this.#options = options;
    this.#key = derivedKey(options.serviceKey, options.purpose);
  }

  async seal(content: T): Promise<string> {
    const now = Math.floor(this.#options.clock.now() / 1e6);
    return await new EncryptJWT(content)
      .setProtectedHeader({ alg: "dir", enc: "A256GCM" })
      .setIssuedAt(now)
      .setExpirationTime(now + this.#options.lifetime)
      .encrypt(this.#key);
  }

  /** Null if absent, forged or expired. */
  async open(sealed: string | undefined): Promise<T | null> {
    if (sealed === undefined) return null;
    try {
      const { payload } = await jwtDecrypt(sealed, this.#key, {
        keyManagementAlgorithms: ["dir"],
        contentEncryptionAlgorithms: ["A256GCM"],
        currentDate: new Date(this.#options.clock.now() / 1000),
        requiredClaims: ["exp"],
      });
      return this.#options.schema.parse(payload);
    } catch {
      return null;
    }
  }
}
