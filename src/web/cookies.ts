import type { Context } from "hono";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";

/**
 * The two cookies of this service. On https they carry the `__Host-` prefix, which no other host or path can
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

  pending(c: Context): string | undefined {
    return getCookie(c, this.#name("ndr-sign-in"));
  }

  /** Lax: it must return with the redirect from the identity provider. */
  setPending(c: Context, sealed: string, maxAgeSeconds: number): void {
    setCookie(c, this.#name("ndr-sign-in"), sealed, this.#attributes("Lax", maxAgeSeconds));
  }

  clearPending(c: Context): void {
    deleteCookie(c, this.#name("ndr-sign-in"), this.#attributes("Lax"));
  }

  #name(name: string): string {
    return this.#secure ? `__Host-${name}` : name;
  }

  #attributes(sameSite: "Strict" | "Lax", maxAge?: number) {
    return { path: "/", httpOnly: true, secure: this.#secure, sameSite, ...(maxAge ? { maxAge } : {}) };
  }
}
