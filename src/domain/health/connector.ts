import { connectorComponent, type ConnectorStateName } from "../../contract/connector/connector.ts";
import type { ConnectorHealth } from "../../contract/health/health.ts";
import type { HealthStatus } from "../../contract/record/kinds.ts";
import { formatMillis } from "../../kit/time.ts";
import { type Part, part, seenAt } from "./component.ts";

/** State of a connector instance. Times in microseconds. */
export interface ConnectorFacts {
  instance: string;
  connector: string;
  state: ConnectorStateName;
  failureClass: ConnectorHealth["failure_class"];
  message: string | null;
  since: number;
  lastSuccessAt: number | null;
  consecutiveFailures: number;
  delivered: number;
  failed: number;
  rejected: number;
  dropped: number;
  pending: number;
}

/**
 * `unknown` counts as `ok`: every instance starts in it after a restart, before it knows whether it has
 * anything to deliver, and a restart must not be reported as a change.
 */
export const STATUS_OF_STATE: Readonly<Record<ConnectorStateName, HealthStatus>> = {
  unknown: "ok",
  ok: "ok",
  stale: "stale",
  degraded: "degraded",
  error: "unavailable",
  disabled: "unavailable",
  unlicensed: "unavailable",
};

/** Deliberate states: the message is public, and they do not affect the overall status. */
export const CHOSEN_STATES: readonly ConnectorStateName[] = ["disabled", "unlicensed"];

export function connectorPart(facts: ConnectorFacts, now: number): Part {
  const { instance, connector, state, failureClass, consecutiveFailures } = facts;
  const { delivered, failed, rejected, dropped, pending } = facts;
  const chosen = CHOSEN_STATES.includes(state);
  const verdict = { status: STATUS_OF_STATE[state], message: chosen ? state : messageOf(facts) };
  const health: ConnectorHealth = {
    connector,
    state,
    failure_class: failureClass,
    consecutive_failures: consecutiveFailures,
    counters: { delivered, failed, rejected, dropped, pending },
  };
  return part("connector", connectorComponent(instance), verdict, {
    ...seenAt(facts.lastSuccessAt, now),
    since: formatMillis(facts.since),
    connector: health,
  }, !chosen);
}

function messageOf({ failureClass, message }: ConnectorFacts): string | null {
  return [failureClass, message].filter((one) => one !== null).join(": ") || null;
}
