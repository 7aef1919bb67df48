import type { Role } from "../contract/record/kinds.ts";
import { CONTEXT_HEADER, sealContext } from "../contract/request/context.ts";
import { MAX_CLAIM_LIFETIME, signRequest, WEB_SERVICE } from "../contract/request/signed-request.ts";
import type { Clock } from "../kit/clock.ts";
import { randomUuid } from "../kit/id.ts";
import { currentRequest } from "../observe/request-scope.ts";
import { CoreUnavailable } from "./errors.ts";
import { timedBody } from "./timed-body.ts";

/** Limits for the core's answers, in milliseconds. */
export interface CoreTimeouts {
  /** Until it starts to answer a person's request. The dashboard waits for 30 s. */
  answerMs: number;
  /** Until it starts to answer a request of the web layer itself. */
  serviceMs: number;
  /** Between two chunks of an answer; a stream's heartbeat arrives within 15 s. */
  gapMs: number;
}

const TIMEOUTS: CoreTimeouts = { answerMs: 28_000, serviceMs: 20_000, gapMs: 30_000 };

/** The person on whose behalf a request is made. */
interface SignedFor {
  tenantId: string;
  subject: string;
  roles: readonly Role[];
}

interface CoreRequest {
  method: string;
  /** Percent-encoded path with its query. */
  target: string;
  body?: Uint8Array<ArrayBuffer>;
  headers?: Record<string, string>;
  /** Absent for a request of the web layer itself. */
  signedFor?: SignedFor;
  /** Aborts the request, for example when the browser has gone. */
  signal?: AbortSignal;
}

/** Signs requests and sends them to the core. */
export class CoreClient {
  readonly #coreUrl: string;
  readonly #serviceKey: Uint8Array | string;
  readonly #clock: Clock;
  readonly #timeouts: CoreTimeouts;

  constructor(
    options: { coreUrl: string; serviceKey: Uint8Array | string; clock: Clock; timeouts?: CoreTimeouts },
  ) {
    this.#coreUrl = options.coreUrl;
    this.#serviceKey = options.serviceKey;
    this.#clock = options.clock;
    this.#timeouts = options.timeouts ?? TIMEOUTS;
  }

  /**
   * Sends one request and returns the core's answer, whatever its status. Throws CoreUnavailable if there is
   * none. A broken connection is retried once if a second try cannot double the effect.
   */
  async send(request: CoreRequest): Promise<Response> {
    const again = request.method === "GET" || request.method === "HEAD" ||
      request.headers?.["idempotency-key"] !== undefined;
    try {
      return await this.#sendOnce(request);
    } catch (error) {
      if (!again || request.signal?.aborted || isTimeout(error)) {
        throw new CoreUnavailable("no answer", { cause: error });
      }
    }
    try {
      return await this.#sendOnce(request);
    } catch (error) {
      throw new CoreUnavailable("no answer", { cause: error });
    }
  }

  async #sendOnce(request: CoreRequest): Promise<Response> {
    const url = new URL(request.target, this.#coreUrl);
    // A retry is signed again and is still the same request.
    const context = currentRequest();
    const sealed = context === null ? null : await sealContext(context);
    const issuedAt = Math.floor(this.#clock.now() / 1000) * 1000;
    const signed = await signRequest(this.#serviceKey, {
      method: request.method,
      pathname: url.pathname,
      search: url.search,
      body: request.body ?? new Uint8Array(0),
    }, {
      service: WEB_SERVICE,
      tenantId: request.signedFor?.tenantId ?? null,
      subject: request.signedFor?.subject ?? WEB_SERVICE,
      roles: request.signedFor?.roles ?? [],
      issuedAt,
      expiresAt: issuedAt + MAX_CLAIM_LIFETIME,
      nonce: sealed?.nonce ?? randomUuid(),
    });

    // Runs until the headers arrive; a stream may last longer as long as it continues.
    const timeout = new AbortController();
    const late = Promise.withResolvers<never>();
    // After the headers nothing waits for it.
    late.promise.catch(() => {});
    const abandon = () => {
      const reason = new DOMException("no answer in time", "TimeoutError");
      timeout.abort(reason);
      late.reject(reason);
    };
    const { answerMs, serviceMs, gapMs } = this.#timeouts;
    const timer = setTimeout(abandon, request.signedFor === undefined ? serviceMs : answerMs);
    try {
      const answer = fetch(url, {
        method: request.method,
        headers: {
          ...request.headers,
          ...signed,
          ...(sealed === null ? {} : { [CONTEXT_HEADER]: sealed.header }),
        },
        body: request.body && request.body.length > 0 ? request.body : undefined,
        redirect: "manual",
        signal: request.signal ? AbortSignal.any([request.signal, timeout.signal]) : timeout.signal,
      });
      return timedBody(await Promise.race([answer, late.promise]), gapMs, abandon);
    } finally {
      clearTimeout(timer);
    }
  }
}

/** A request of the web layer itself that carries JSON. */
export function jsonRequest(method: string, target: string, body: unknown): CoreRequest {
  return {
    method,
    target,
    body: new TextEncoder().encode(JSON.stringify(body)),
    headers: { "content-type": "application/json" },
  };
}

function isTimeout(error: unknown): boolean {
  return error instanceof DOMException && error.name === "TimeoutError";
}
