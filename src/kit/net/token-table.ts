import { digestBytes, equalDigests } from "../web-crypto.ts";

/** Holders of bearer tokens, found by token; stores only digests. */
export class TokenTable<T> {
  readonly #entries: { digest: Promise<Uint8Array>; holder: T }[];

  constructor(holders: readonly { token: string; holder: T }[]) {
    this.#entries = holders.map(({ token, holder }) => ({ digest: digestBytes(token), holder }));
  }

  get size(): number {
    return this.#entries.length;
  }

  /**
   * The holder of the token in an `Authorization: Bearer …` header. Compares with every digest without
   * stopping early, so that the time reveals nothing.
   */
  async find(authorization: string | undefined): Promise<T | null> {
    const match = /^bearer +([\x21-\x7e]+) *$/i.exec(authorization ?? "");
    const digest = await digestBytes(match?.[1] ?? "");
    let found: T | null = null;
    for (const entry of this.#entries) {
      const equal = equalDigests(await entry.digest, digest);
      found = equal ? entry.holder : found;
    }
    return match === null ? null : found;
  }
}
