import type { ConfiguredConnector } from "../../config/connectors.ts";
import type { Attempt } from "../../connectors/sink.ts";
import { attemptDelivery } from "../../connectors/webhook/attempt.ts";
import { testEnvelope } from "../../connectors/webhook/envelope.ts";
import { senderOf, targetOf } from "../../connectors/webhook/sink.ts";
import { FAILURE_ADVICE, type FailureClass } from "../../contract/connector/connector.ts";
import { systemClock } from "../../kit/clock.ts";
import { printable } from "../table.ts";

/** What `ndr connectors test --live --json` adds under `live`. */
interface LiveResult {
  acknowledged: boolean;
  /** Of the answer; null without one. */
  status: number | null;
  failure_class: FailureClass | null;
  message: string | null;
  advice: string | null;
  /** In seconds, if the receiver asked for a wait. */
  retry_after: number | null;
}

/** Sends the receiver one `test` event, once. It ends within the instance's timeout. */
export async function sendTest(connector: ConfiguredConnector, version: string): Promise<Attempt> {
  const envelope = testEnvelope(senderOf(connector, version), systemClock.now());
  return await attemptDelivery(targetOf(connector), envelope, { clock: systemClock });
}

export function liveResult(attempt: Attempt): LiveResult {
  if (attempt.kind === "acknowledged") {
    return {
      acknowledged: true,
      status: attempt.status,
      failure_class: null,
      message: null,
      advice: null,
      retry_after: null,
    };
  }
  return {
    acknowledged: false,
    status: attempt.status,
    failure_class: attempt.failure,
    message: attempt.message,
    advice: FAILURE_ADVICE[attempt.failure],
    retry_after: attempt.retryAfterSeconds,
  };
}

/** Lines for people: the failure class first, then what happened and the next step. */
export function liveLines(instance: string, result: LiveResult): string[] {
  if (result.acknowledged) {
    return [`${instance}: the receiver acknowledged the test event (${result.status})`];
  }
  const wait = result.retry_after === null ? "" : `; it asks for a wait of ${result.retry_after} s`;
  return [
    `${instance}: ${result.failure_class}`,
    `  ${printable(result.message ?? "")}${wait}`,
    `  Next step: ${result.advice}`,
  ];
}
