import type { Context, MiddlewareHandler } from "hono";
import { MAX_USER_AGENT } from "../contract/request/context.ts";
import { operationName } from "../contract/request/router.ts";
import { inRequest, newRequest } from "./request-scope.ts";
import { tracedRequest } from "./tracing.ts";

interface RequestScopeOptions {
  /** What traces call the one who answers. */
  tracer: "ndr.web" | "ndr.core";
  /** Where the request comes from. */
  addressOf: (c: Context) => string | null;
  /** Whether whoever sends it says which trace it is a part of. */
  continued: boolean;
}

/**
 * Gives each request its identifier, which goes into the logs, into the envelope and into `X-Request-Id` of the answer.
 * One that a client sends is not taken over: the outside does not name what our logs and the audit tell apart.
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
