import assert from "node:assert/strict";
import { AnswerHead } from "../../kit/net/http-message.ts";
import { outcomeOf } from "./answer.ts";

function outcome(status: number, retryAfter: string | null = null) {
  const head = new AnswerHead(status, retryAfter === null ? [] : [`Retry-After: ${retryAfter}`]);
  const attempt = outcomeOf(head, "receiver.example");
  return attempt.kind === "acknowledged"
    ? attempt.kind
    : [attempt.kind, attempt.failure, attempt.again, attempt.retryAfterSeconds] as const;
}

Deno.test("each status has the outcome of the table", () => {
  for (let status = 200; status < 1000; status++) {
    const expected = status < 300
      ? "acknowledged"
      : status < 400
      ? ["held", "unexpected_shape", false, null]
      : status === 401
      ? ["held", "auth", false, null]
      : status === 403
      ? ["held", "forbidden", false, null]
      : [408, 425, 429].includes(status)
      ? ["held", "rate_limited", false, null]
      : status < 500
      ? ["rejected", "rejected", false, null]
      : status < 600
      ? ["held", "unreachable", true, null]
      : ["held", "unexpected_shape", true, null];
    assert.deepEqual(outcome(status), expected, String(status));
  }
});

Deno.test("Retry-After counts seconds, up to a day, and for 408, 425 and 429 only", () => {
  const asked = (text: string) => {
    const attempt = outcome(429, text);
    return attempt === "acknowledged" ? null : attempt[3];
  };
  assert.deepEqual(["0", "3601", "86400", "86401", "9".repeat(40)].map(asked), [
    0,
    3601,
    86_400,
    86_400,
    86_400,
  ]);
  const nonsense = ["-1", "1.5", "soon", "", "Fri, 31 Jan 2026 07:15:00 GMT", "1e3", "0x10"];
  assert.deepEqual(nonsense.map(asked), nonsense.map(() => null));
  assert.deepEqual(outcome(503, "120"), ["held", "unreachable", true, null]);
});
