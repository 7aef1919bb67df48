import type { Context, MiddlewareHandler } from "hono";
import { errorResponse, EVENT_STREAM_TYPE } from "../contract/request/envelope.ts";
import { ApiError } from "../contract/request/errors.ts";
import type { Clock } from "../kit/clock.ts";
import { peerOf } from "../kit/net/listen.ts";
import { type Rate, RateLimiter } from "../kit/net/rate-limiter.ts";
import type { Logger } from "../observe/log.ts";
import { currentRequestId } from "../observe/request-scope.ts";
import { addressKey, clientAddress } from "./client-address.ts";
import type { Cookies } from "./cookies.ts";
import { pageResponse } from "./pages.ts";
import { hashOfToken } from "./session/sessions.ts";

export interface WebLimits {
  /** Requests of one address (IPv6: one /64) to the API and the sign-in. */
  address: Rate;
  /** Requests of one session. */
  session: Rate;
  /** Requests of one address to the sign-in. */
  signIn: Rate;
  /** Concurrent requests of one session, of one address, and in total. */
  requestsPerSession: number;
  requestsPerAddress: number;
  requests: number;
  /** Most bytes of all request bodies under way. */
  bodyBytes: number;
}

/** Burst in seconds' worth of requests: a page sends many requests, then none. */
const BURST_SECONDS = 20;

/** Limits for the given rates, in requests per second. */
export function webLimits(rates: { address: number; session: number; signIn: number }): WebLimits {
  const rate = (perSecond: number): Rate => ({ perSecond, burst: perSecond * BURST_SECONDS });
  return {
    address: rate(rates.address),
    session: rate(rates.session),
    signIn: rate(rates.signIn),
    // A browser opens six connections, or up to 100 streams of HTTP/2 to the proxy, and needs far fewer.
    requestsPerSession: 32,
    requestsPerAddress: 256,
    requests: 512,
    bodyBytes: 32 * 1024 * 1024,
  };
}

export const DEFAULT_RATES = { address: 300, session: 100, signIn: 20 };

/**
 * The dashboard's files are exempt: they come from memory, and a page that cannot load cannot explain why.
 */
const LIMITED = /^\/(api|auth|internal|metrics)(\/|$)/;
const SIGN_IN = /^\/auth(\/|$)/;
const WARN_EVERY = 60_000_000;

type Scope = "address" | "session" | "sign_in";
const WHOSE: Readonly<Record<Scope, string>> = {
  address: "from your address",
  session: "in this session",
  sign_in: "to sign in from your address",
};

interface LimitOptions {
  limits: WebLimits;
  /** Whether a reverse proxy is in front, whose X-Forwarded-For counts. */
  proxied: boolean;
  cookies: Cookies;
  clock: Clock;
  log: Logger;
  /**
   * Requests that are always admitted: a scrape with its token, so that an overload does not blind
   * monitoring.
   */
  exempt?: (c: Context) => boolean | Promise<boolean>;
}

/** Refuses requests beyond the limits with 429 and `Retry-After`, before the core is asked. */
export function rateLimits(options: LimitOptions): MiddlewareHandler {
  const { limits, proxied, cookies, clock, exempt = () => false } = options;
  const now = () => clock.now();
  const addresses = new RateLimiter(limits.address, now);
  const signIns = new RateLimiter(limits.signIn, now);
  const sessions = new RateLimiter(limits.session, now);
  const bySessions = new Occupancy(limits.requestsPerSession);
  const byAddresses = new Occupancy(limits.requestsPerAddress);
  const warn = rarely(options);

  return async (c, next) => {
    if (!LIMITED.test(c.req.path) || await exempt(c)) return await next();
    const key = addressKey(clientAddress(c, proxied));
    const refuse = (scope: Scope, seconds: number) => {
      warn(scope, key);
      return tooMany(c, scope, seconds);
    };
    const signingIn = SIGN_IN.test(c.req.path);
    const token = signingIn ? undefined : cookies.session(c);
    // In this order, so that what one session is refused does not count against others at its address.
    const session = token === undefined ? null : await hashOfToken(token);
    const bySession = session === null ? 0 : sessions.take(session);
    if (bySession > 0) return refuse("session", bySession);
    const bySignIn = signingIn ? signIns.take(key) : 0;
    if (bySignIn > 0) return refuse("sign_in", bySignIn);
    const byAddress = addresses.take(key);
    if (byAddress > 0) return refuse("address", byAddress);

    // One session must leave places to the others behind its address, which may be a proxy's.
    if (session !== null && !bySessions.enter(session)) return refuse("session", 1);
    if (!byAddresses.enter(key)) {
      if (session !== null) bySessions.leave(session);
      return refuse("address", 1);
    }
    let isIn = true;
    const leave = () => {
      if (!isIn) return;
      isIn = false;
      if (session !== null) bySessions.leave(session);
      byAddresses.leave(key);
    };
    const peer = peerOf(c.env);
    peer?.onEnd(leave);
    try {
      await next();
    } finally {
      // Streams stay open; the core limits their number.
      if (peer === null || c.res.headers.get("content-type") === EVENT_STREAM_TYPE) leave();
    }
  };
}

/** Counts the requests under way by key, at most `max` each. */
class Occupancy {
  readonly #counts = new Map<string, number>();

  constructor(private readonly max: number) {}

  /** Takes a place; false if all of the key's are taken. */
  enter(key: string): boolean {
    const count = this.#counts.get(key) ?? 0;
    if (count >= this.max) return false;
    this.#counts.set(key, count + 1);
    return true;
  }

  leave(key: string): void {
    const left = this.#counts.get(key)! - 1;
    if (left > 0) this.#counts.set(key, left);
    else this.#counts.delete(key);
  }
}

function tooMany(c: Context, scope: Scope, seconds: number): Response {
  const wait = Math.max(1, Math.ceil(seconds));
  const message = `Too many requests ${WHOSE[scope]}; try again in ${wait} s.`;
  if (scope === "sign_in" && c.req.method === "GET") {
    const page = pageResponse({
      status: 429,
      title: "Too many sign-ins",
      paragraphs: [message],
      action: { href: "/auth/login", label: "Try again" },
    });
    page.headers.set("Retry-After", String(wait));
    return page;
  }
  const error = new ApiError("source_unavailable", message, { reason: "rate_limit", scope }, 429, wait);
  return errorResponse(error, currentRequestId());
}

/** Logs refusals once a minute: an attack must not fill the log as well. */
function rarely({ clock, log }: LimitOptions): (scope: Scope, key: string) => void {
  let lastAt = -Infinity;
  let unsaid = 0;
  return (scope, address) => {
    unsaid++;
    const now = clock.now();
    if (Math.abs(now - lastAt) < WARN_EVERY) return;
    log.warn("requests beyond the rate limit refused", { scope, address, refused: unsaid });
    lastAt = now;
    unsaid = 0;
  };
}
