// What connectors have in common: their states, failure classes and counters, in the words of the interface document.

/** Connectors that an instance may name as its `id`. */
export const CONNECTOR_IDS = ["webhook"] as const;
export type ConnectorId = (typeof CONNECTOR_IDS)[number];

export const CONNECTOR_STATES = [
  "unknown",
  "ok",
  "stale",
  "error",
  "degraded",
  "disabled",
  "unlicensed",
] as const;
export type ConnectorStateName = (typeof CONNECTOR_STATES)[number];

/**
 * The transitions of an instance. `stale`, `degraded` and `unlicensed` are of the framework's vocabulary for connectors
 * that fetch; a webhook is never put into them.
 *
 * | from                | when                                                                            | to       |
 * |---------------------|---------------------------------------------------------------------------------|----------|
 * | (none), disabled    | the core starts with the instance enabled and NDR_CONNECTORS_ENABLED=true       | unknown  |
 * | any                 | the core starts without the one or the other                                    | disabled |
 * | unknown             | nothing is pending                                                              | ok       |
 * | unknown, ok, error  | an event was acknowledged                                                       | ok       |
 * | unknown, ok, error  | a delivery round was not acknowledged, whether the event is held or was rejected | error    |
 * | error               | the held event is no longer kept and nothing else is pending                     | ok       |
 *
 * A restart of the core changes neither `ok` nor `error`.
 */
export const CONNECTOR_STATE_CONDITIONS: Readonly<Record<ConnectorStateName, string>> = {
  unknown: "switched on, and has neither delivered nor found that there is nothing to deliver",
  ok: "the last event was acknowledged, or nothing is pending",
  stale: "has not fetched for too long; never a webhook",
  error: "the last delivery round was not acknowledged; the failure class says why",
  degraded: "works in part; never a webhook",
  disabled: "its `enabled` is false, or NDR_CONNECTORS_ENABLED is not true",
  unlicensed: "the licence does not cover it; never a webhook",
};

/** Why an attempt was not acknowledged. */
export const FAILURE_CLASSES = [
  "auth",
  "forbidden",
  "tls",
  "unreachable",
  "timeout",
  "rate_limited",
  "rejected",
  "unexpected_shape",
] as const;
export type FailureClass = (typeof FAILURE_CLASSES)[number];

/**
 * Of the process that serves the instance, from 0 at its start. `delivered`: acknowledged. `failed`: delivery rounds (of up
 * to three requests) that were not acknowledged and whose event is held. `rejected`: events that the receiver refused for
 * good. `dropped`: events that were given up unsent, beyond `max_pending` or gone from the log. `pending`: events kept for
 * delivery now.
 */
export const CONNECTOR_COUNTERS = ["delivered", "failed", "rejected", "dropped", "pending"] as const;
export type ConnectorCounter = (typeof CONNECTOR_COUNTERS)[number];

/** Id of an instance's health component. */
export function connectorComponent(instance: string): string {
  return `connector:${instance}`;
}

/** Why the last round failed, and what an admin can do about it. */
export const FAILURE_ADVICE: Readonly<Record<FailureClass, string>> = {
  auth:
    "the receiver does not accept the signature (401): check that it has this instance's secret, and that both clocks agree",
  forbidden:
    "the receiver or a proxy before it forbids the request (403): allow this appliance's address and path",
  tls:
    "the receiver's certificate is not trusted: install its authority in the system's store, or correct tls_fingerprint_sha256",
  unreachable:
    "no connection, or the receiver is out of service (5xx): check host name, port, firewall and the receiver",
  timeout: "no answer in time: check the receiver's load and the network, or raise `timeout`",
  rate_limited: "the receiver asks to be called later (408, 425, 429): raise its limit for this appliance",
  rejected:
    "the receiver refuses the event for good (4xx): check the path of `url` and what the receiver accepts",
  unexpected_shape:
    "the answer is not the one of a webhook receiver (a redirect, or no HTTP): check scheme, port and path of `url`",
};
