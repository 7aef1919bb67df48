import type { Hono } from "hono";
import { Id, isId } from "../contract/request/common.ts";
import { dataEnvelope, errorResponse, jsonResponse } from "../contract/request/envelope.ts";
import { ApiError } from "../contract/request/errors.ts";
import { readIdempotencyKey, readJsonBody } from "../contract/request/parts.ts";
import { MAX_OUTCOME_BYTES, OutcomeReport, OUTCOMES_PATH } from "../contract/review/response-outcome.ts";
import type { Clock } from "../kit/clock.ts";
import { readBody } from "../kit/net/read-body.ts";
import type { Logger } from "../observe/log.ts";
import { currentRequestId } from "../observe/request-scope.ts";
import type { Database } from "../store/engine/database.ts";
import { toApiError } from "./api-error.ts";
import type { Executors } from "./executors.ts";
import { recordOutcome } from "./record-outcome.ts";

/**
 * Adds the route on which external executors report outcomes. It answers 404 if no executor is configured.
 */
export function addExecutorRoutes(
  app: Hono,
  options: { db: Database; clock: Clock; log: Logger; executors: Executors },
): void {
  app.all(OUTCOMES_PATH, async (c) => {
    try {
      return await answer(c.req.raw, c.req.param("action_id") ?? "", options);
    } catch (error) {
      const rejection = toApiError(error, currentRequestId(), options.log);
      const response = errorResponse(rejection, currentRequestId());
      if (rejection.status === 401) response.headers.set("WWW-Authenticate", 'Bearer realm="ndr executor"');
      if (rejection.status === 405) response.headers.set("Allow", "POST");
      return response;
    }
  });
}

async function answer(
  request: Request,
  actionId: string,
  { db, clock, executors }: { db: Database; clock: Clock; executors: Executors },
): Promise<Response> {
  if (executors.size === 0) {
    throw new ApiError("not_found", "This route does not exist.", { reason: "no_such_route" });
  }
  if (request.method !== "POST") {
    throw new ApiError("invalid_request", "This route allows only POST.", {
      reason: "method",
      allow: ["POST"],
    }, 405);
  }
  const executor = await executors.require(request.headers.get("authorization"));
  const key = readIdempotencyKey(request.headers.get("idempotency-key"));
  const body = await readBody(request, MAX_OUTCOME_BYTES);
  if (body === null) throw new ApiError("payload_too_large", undefined, { limit_bytes: MAX_OUTCOME_BYTES });
  const report = readJsonBody(OutcomeReport, request.headers.get("content-type"), body);
  if (!Id.safeParse(actionId).success || !isId(actionId)) throw new ApiError("not_found");
  const now = clock.now();
  const data = await db.tenant(
    executor.tenantId,
    (tx) => recordOutcome(tx, executor, { actionId, key, report, now }),
  );
  return jsonResponse(dataEnvelope(data, currentRequestId(), now), 200);
}
