import { hash, timingSafeEqual } from "node:crypto";

/** Holders of bearer tokens, found by token; stores only digests. */
export class TokenTable<T> {
  readonly #entries: { digest: Uint8Array; holder: T }[];

  constructor(holders: readonly { token: string; holder: T }[]) {
    this.#entries = holders.map(({ token, holder }) => ({ digest: sha256(token), holder }));
  }

  get size(): number {
    return this.#entries.length;
  }

  /**
   * The holder of the token in an `Authorization: Bearer …` header. Compares with every digest without
   * stopping early, so that the time reveals nothing.
   */
  find(authorization: string | null): T | null {
    const match = /^bearer +([\x21-\x7e]+) *$/i.exec(authorization ?? "");
    const digest = sha256(match?.[1] ?? "");
    let found: T | null = null;
    for (const entry of this.#entries) {
      const equal = timingSafeEqual(entry.digest, digest);
      found = equal ? entry.holder : found;
    }
    return match === null ? null : found;
  }
}

function sha256(text: string): Uint8Array {
  return hash("sha256", text, "buffer");
}
