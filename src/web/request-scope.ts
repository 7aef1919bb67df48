import type { Context, MiddlewareHandler } from "hono";
import { MAX_USER_AGENT } from "../contract/request-context.ts";
import { operationName } from "../contract/router.ts";
import { inRequest, newRequest } from "../observe/request-scope.ts";
import { tracedRequest } from "../observe/tracing.ts";

/**
 * Gives each request of a browser its identifier, which goes with it to the core, into the logs of both, into the
 * envelope and into `X-Request-Id` of the answer. An `X-Request-Id` or `traceparent` that a client sends is not taken
 * over: the outside does not name what our logs and the audit tell apart.
 */
export function requestScope(addressOf: (c: Context) => string | null): MiddlewareHandler {
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
    return inRequest(context, () => tracedRequest("ndr.web", null, serve, end));
  };
}
