import type { Context } from "hono";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import { digestHex } from "../kit/web-crypto.ts";

/**
 * Sign-ins that one browser may have in progress. Together with the bound of `return_to` this keeps the Cookie
 * header below 8 KiB, the limit of common reverse proxies for one header.
 */
const MAX_PENDING = 4;

/**
 * The cookies of this service: one for the session, one for each sign-in in progress. On https they carry the `__Host-` prefix, which no other host or path can
 * forge; plain http (loopback only) does not support it.
 */
export class Cookies {
  readonly #secure: boolean;

  constructor(publicUrl: string) {
    this.#secure = publicUrl.startsWith("https:");
  }

  session(c: Context): string | undefined {
    return getCookie(c, this.#name("ndr-session"));
  }

  /** Strict: the dashboard's own requests carry it, requests started by other sites do not. */
  setSession(c: Context, token: string, maxAgeSeconds: number): void {
    setCookie(c, this.#name("ndr-session"), token, this.#attributes("Strict", maxAgeSeconds));
  }

  clearSession(c: Context): void {
    deleteCookie(c, this.#name("ndr-session"), this.#attributes("Strict"));
  }

  /** The sealed sign-in that was started with this `state`. */
  async pending(c: Context, state: string): Promise<string | undefined> {
    return getCookie(c, await this.#pendingName(state));
  }

  /**
   * Lax: it must return with the redirect from the identity provider. Each sign-in has a cookie of its own, so
   * that several tabs can sign in at once; beyond MAX_PENDING the oldest are dropped.
   */
  async setPending(c: Context, state: string, sealed: string, maxAgeSeconds: number): Promise<void> {
    const prefix = this.#name("ndr-sign-in-");
    // Browsers send cookies of equal path in the order of their creation (RFC 6265, section 5.4).
    const pending = Object.keys(getCookie(c)).filter((name) => name.startsWith(prefix));
    for (const name of pending.slice(0, Math.max(0, pending.length - MAX_PENDING + 1))) {
      deleteCookie(c, name, this.#attributes("Lax"));
    }
    setCookie(c, await this.#pendingName(state), sealed, this.#attributes("Lax", maxAgeSeconds));
  }

  async clearPending(c: Context, state: string): Promise<void> {
    deleteCookie(c, await this.#pendingName(state), this.#attributes("Lax"));
  }

  /** Derived from the state: a cookie's name must not reveal it, and the state of a callback may be any text. */
  async #pendingName(state: string): Promise<string> {
    return this.#name(`ndr-sign-in-${(await digestHex(state)).slice(0, 16)}`);
  }

  #name(name: string): string {
    return this.#secure ? `__Host-${name}` : name;
  }

  #attributes(sameSite: "Strict" | "Lax", maxAge?: number) {
    return { path: "/", httpOnly: true, secure: this.#secure, sameSite, ...(maxAge ? { maxAge } : {}) };
  }
}
