// The outcome of a delivery by the receiver's answer.

import type { FailureClass } from "../../contract/connector/connector.ts";
import type { Attempt } from "../sink.ts";
import type { AnswerHead } from "../../kit/net/http-message.ts";

/** Longest `Retry-After` that is honoured, in seconds (a day); a longer one is cut to this. */
const MAX_RETRY_AFTER = 86_400;

/**
 * | answer           | event                | failure class    | again in the same round |
 * |------------------|----------------------|------------------|-------------------------|
 * | 2xx              | acknowledged         |                  |                         |
 * | 401              | held                 | auth             | no                      |
 * | 403              | held                 | forbidden        | no                      |
 * | 408, 425, 429    | held, `Retry-After`  | rate_limited     | no                      |
 * | any other 4xx    | rejected             | rejected         |                         |
 * | 5xx              | held                 | unreachable      | up to three attempts    |
 * | 3xx              | held, not followed   | unexpected_shape | no                      |
 * | anything else    | held                 | unexpected_shape | up to three attempts    |
 */
export function outcomeOf(head: AnswerHead, receiver: string): Attempt {
  const { status } = head;
  const held = (
    failure: FailureClass,
    again: boolean,
    remark = "",
    retryAfterSeconds: number | null = null,
  ) => {
    const message = `${receiver} answered ${status}${remark}`;
    return { kind: "held" as const, failure, status, message, retryAfterSeconds, again };
  };
  if (status >= 200 && status < 300) return { kind: "acknowledged", status };
  if (status === 401) return held("auth", false);
  if (status === 403) return held("forbidden", false);
  if (status === 408 || status === 425 || status === 429) {
    return held("rate_limited", false, "", retryAfter(head.value("retry-after")));
  }
  if (status >= 400 && status < 500) return { ...held("rejected", false), kind: "rejected" };
  if (status >= 500 && status < 600) return held("unreachable", true);
  if (status >= 300 && status < 400) {
    // Held: skipping the event would lose events to a misconfigured proxy.
    return held("unexpected_shape", false, ", a redirect, which is never followed");
  }
  return held("unexpected_shape", true);
}

/** `Retry-After` in seconds. A date depends on the receiver's clock and is ignored. */
function retryAfter(text: string | null): number | null {
  if (text === null || !/^[0-9]+$/.test(text)) return null;
  return Math.min(Number(text), MAX_RETRY_AFTER);
}
