import type { MiddlewareHandler } from "hono";
import { operationName } from "../contract/router.ts";
import { inRequest, newRequest } from "../observe/request-scope.ts";
import { tracedRequest } from "../observe/tracing.ts";

/**
 * Every request is one of its own until the web layer's signature vouches for what it is a part of; the answer says in
 * `X-Request-Id` which.
 */
export function requestScope(): MiddlewareHandler {
  return (c, next) => {
    const context = newRequest();
    const serve = async () => {
      await next();
      c.res.headers.set("X-Request-Id", context.requestId);
    };
    const end = () => ({
      name: operationName(c),
      status: c.res.status,
      attributes: { "ndr.request_id": context.requestId },
    });
    const traceparent = c.req.header("traceparent") ?? null;
    return inRequest(context, () => tracedRequest("ndr.core", traceparent, serve, end));
  };
}
