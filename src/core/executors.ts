import type { Hono } from "hono";
import type { RegisteredExecutor } from "../config/response.ts";
import { Id } from "../contract/request/common.ts";
import { dataEnvelope, errorResponse, jsonResponse } from "../contract/request/envelope.ts";
import { ApiError } from "../contract/request/errors.ts";
import { readIdempotencyKey, readJsonBody } from "../contract/request/parts.ts";
import { MAX_OUTCOME_BYTES, OutcomeReport, OUTCOMES_PATH } from "../contract/review/response-outcome.ts";
import type { Clock } from "../kit/clock.ts";
import { readBody } from "../kit/net/read-body.ts";
import { TokenTable } from "../kit/net/token-table.ts";
import type { Logger } from "../observe/log.ts";
import { currentRequestId } from "../observe/request-scope.ts";
import type { Database } from "../store/engine/database.ts";
import { toApiError } from "./api-error.ts";
import { isId } from "./handlers/params.ts";
import { recordOutcome } from "./record-outcome.ts";

/** Whoever has shown a token: the tenant is the token's, never the request's. */
export type Executor = Pick<RegisteredExecutor, "executorId" | "tenantId">;

/** The executors of this installation, which may change while it runs. */
export class Executors {
  #table = new TokenTable<Executor>([]);

  constructor(executors: readonly RegisteredExecutor[]) {
    this.replace(executors);
  }

  replace(executors: readonly RegisteredExecutor[]): void {
    this.#table = new TokenTable(executors.map(({ executorId, tenantId, token }) => ({
      token: token.reveal(),
      holder: { executorId, tenantId },
    })));
  }

  get size(): number {
    return this.#table.size;
  }

  /** @throws ApiError unauthenticated, whatever is wrong */
  require(authorization: string | null): Executor {
    const executor = this.#table.find(authorization);
    if (executor === null) throw new ApiError("unauthenticated", "Send a valid executor token.");
    return executor;
  }
}

/** Where executors outside of this service report. Without any executor the route does not exist. */
export function addExecutorRoutes(
  app: Hono,
  options: { db: Database; clock: Clock; log: Logger; executors: Executors },
): void {
  app.all(OUTCOMES_PATH, async (c) => {
    try {
      return await answer(c.req.raw, c.req.param("action_id") ?? "", options);
    } catch (error) {
      const refused = toApiError(error, currentRequestId(), options.log);
      const response = errorResponse(refused, currentRequestId());
      if (refused.status === 401) response.headers.set("WWW-Authenticate", 'Bearer realm="ndr executor"');
      if (refused.status === 405) response.headers.set("Allow", "POST");
      return response;
    }
  });
}

async function answer(
  request: Request,
  actionId: string,
  { db, clock, executors }: { db: Database; clock: Clock; executors: Executors },
): Promise<Response> {
  if (executors.size === 0) throw new ApiError("not_found", "There is no such route.");
  if (request.method !== "POST") {
    throw new ApiError("invalid_request", "Only POST here.", { allow: ["POST"] }, 405);
  }
  const executor = executors.require(request.headers.get("authorization"));
  const key = readIdempotencyKey(request.headers.get("idempotency-key"));
  const body = await readBody(request, MAX_OUTCOME_BYTES);
  if (body === null) throw new ApiError("payload_too_large", undefined, { max_bytes: MAX_OUTCOME_BYTES });
  const report = readJsonBody(OutcomeReport, request.headers.get("content-type"), body);
  if (!Id.safeParse(actionId).success || !isId(actionId)) throw new ApiError("not_found");
  const now = clock.now();
  const data = await db.tenant(
    executor.tenantId,
    (tx) => recordOutcome(tx, executor, { actionId, key, report, now }),
  );
  return jsonResponse(dataEnvelope(data, currentRequestId(), now), 200);
}
