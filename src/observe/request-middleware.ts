import type { Context, MiddlewareHandler } from "hono";
import { MAX_USER_AGENT } from "../contract/request/context.ts";
import { operationName } from "../contract/request/router.ts";
import { inRequest, newRequest } from "./request-scope.ts";
import { tracedRequest } from "./tracing.ts";

interface RequestScopeOptions {
  /** Instrumentation scope of the answering process. */
  tracer: "ndr.web" | "ndr.core";
  /** Address of the client. */
  addressOf: (c: Context) => string | null;
  /** Whether the caller states which trace the request belongs to. */
  continued: boolean;
}

/**
 * Gives each request its identifier for logs, envelope and the answer's `X-Request-Id`. A client's own is
 * ignored: outsiders must not choose what logs and audit are correlated by.
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
