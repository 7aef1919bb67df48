import type { ConfiguredConnector } from "../../config/connectors.ts";
import { SEVERITIES, type Severity } from "../../contract/record/kinds.ts";
import type { Clock } from "../../kit/clock.ts";
import type { NumberedEvent } from "../../store/connector/event-log.ts";
import type { Attempt, EventHead, Sink } from "../sink.ts";
import type { Resolve } from "../../config/resolve-receiver.ts";
import { attemptDelivery, type WebhookTarget } from "./attempt.ts";
import { envelopeOf, type Sender } from "./envelope.ts";

interface WebhookDeps {
  clock: Clock;
  /** Version of the product. */
  version: string;
  resolve?: Resolve;
  roots?: readonly string[];
}

/** The receiver of an instance. */
export function targetOf({ webhook }: ConfiguredConnector): WebhookTarget {
  const { url, fingerprint, timeoutMs, key } = webhook;
  return { url, fingerprint, timeoutMs, key: key.reveal() };
}

/** How an instance identifies itself. */
export function senderOf({ tenantId, instance, webhook }: ConfiguredConnector, version: string): Sender {
  return { tenantId, instance, version, publicUrl: webhook.publicUrl };
}

export class WebhookSink implements Sink {
  readonly retryDelayMs: number;
  readonly maxPending: number;

  constructor(private readonly connector: ConfiguredConnector, private readonly deps: WebhookDeps) {
    this.retryDelayMs = connector.webhook.retryDelayMs;
    this.maxPending = connector.webhook.maxPending;
  }

  wants({ type, severity }: EventHead): boolean {
    const { events, minSeverity } = this.connector.webhook;
    if (events !== null && ![...events].some((known) => known === type)) return false;
    return minSeverity === null || severity === null || rank(severity) >= rank(minSeverity);
  }

  async deliver(
    event: NumberedEvent,
    names: ReadonlyMap<string, string>,
    signal: AbortSignal,
  ): Promise<Attempt> {
    const envelope = envelopeOf(event, names, senderOf(this.connector, this.deps.version));
    if (envelope === null) {
      // Holding it would hold all later events.
      return {
        kind: "rejected",
        failure: "unexpected_shape",
        status: null,
        message: `event ${event.eventNo} of the log cannot be read`,
        retryAfterSeconds: null,
        again: false,
      };
    }
    return await attemptDelivery(targetOf(this.connector), envelope, { ...this.deps, signal });
  }
}

function rank(severity: Severity): number {
  return SEVERITIES.indexOf(severity);
}
