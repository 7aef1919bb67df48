import type { Context, MiddlewareHandler } from "hono";
import { MAX_USER_AGENT } from "../contract/request/context.ts";
import { operationName } from "../contract/request/router.ts";
import { inRequest, newRequest } from "./request-scope.ts";
import { tracedRequest } from "./tracing.ts";

interface RequestScopeOptions {
  /** Name of the serving layer in traces. */
  tracer: "ndr.web" | "ndr.core";
  /** Returns the client address. */
  addressOf: (c: Context) => string | null;
  /** Whether to continue the client's trace (`traceparent`). */
  continued: boolean;
}

/**
 * Assigns each request its id, which appears in logs, envelopes and the `X-Request-Id` header of the
 * response. An id sent by the client is ignored: clients must not choose the ids that distinguish entries in
 * our logs and audit.
 */
export function requestScope({ tracer, addressOf, continued }: RequestScopeOptions): MiddlewareHandler {
  return (c, next) => {
    const context = newRequest({
      clientAddress: addressOf(c),
      userAgent: c.req.header("user-agent")?.slice(0, MAX_USER_AGENT).toWellFormed() ?? null,
    });
    const serve = async () => {
      await next();
      c.res.headers.set("X-Request-Id", context.requestId);
    };
    const end = () => ({
      name: operationName(c),
      status: c.res.status,
      attributes: { "ndr.request_id": context.requestId },
    });
    const traceparent = continued ? c.req.header("traceparent") ?? null : null;
    return inRequest(context, () => tracedRequest(tracer, traceparent, serve, end));
  };
}
