import assert from "node:assert/strict";
import { ApiFailure, call, isTransient, retryDelay } from "./api.ts";

async function failureOf(response: Response): Promise<ApiFailure> {
  const real = globalThis.fetch;
  globalThis.fetch = () => Promise.resolve(response);
  try {
    await call("getSite", {});
  } catch (error) {
    assert.ok(error instanceof ApiFailure);
    return error;
  } finally {
    globalThis.fetch = real;
  }
  throw new Error("expected a failure");
}

function refusal(status: number, details: object, headers: Record<string, string> = {}): Response {
  const error = { code: "source_unavailable", message: "Try again in 7 s.", request_id: "r", details };
  return new Response(JSON.stringify({ error }), { status, headers });
}

Deno.test("a rate limit is retried after the time that the server states", async () => {
  const failure = await failureOf(refusal(429, { reason: "rate_limit" }, { "Retry-After": "7" }));
  assert.equal(failure.message, "Try again in 7 s.");
  assert.ok(isTransient(failure));
  assert.equal(retryDelay(0, failure), 7000);
  assert.equal(retryDelay(1, failure), 7000);
});

Deno.test("other failures: an outage is retried, an exhausted budget is not", async () => {
  const outage = await failureOf(refusal(503, { reason: "store" }));
  assert.ok(isTransient(outage));
  assert.deepEqual([0, 1, 9].map((attempt) => retryDelay(attempt, outage)), [1000, 2000, 30_000]);
  assert.equal(isTransient(await failureOf(refusal(429, { reason: "budget" }))), false);
  assert.equal(isTransient(await failureOf(refusal(400, {}))), false);
  const odd = await failureOf(refusal(503, {}, { "Retry-After": "Wed, 21 Oct 2026 07:28:00 GMT" }));
  assert.equal(retryDelay(0, odd), 1000);
});
