// States, failure classes and counters of connectors, with the names of the interface document.

/** Connector types that an instance may have as its `id`. */
export const CONNECTOR_IDS = ["webhook"] as const;
export type ConnectorId = (typeof CONNECTOR_IDS)[number];

/**
 * The transitions of an instance. `stale`, `degraded` and `unlicensed` are for connectors that fetch; a
 * webhook never has them.
 *
 * | from                | when                                                                            | to       |
 * |---------------------|---------------------------------------------------------------------------------|----------|
 * | (none), disabled    | the core starts with the instance enabled and NDR_CONNECTORS_ENABLED=true       | unknown  |
 * | any                 | the core starts without one of these                                            | disabled |
 * | unknown             | nothing is pending                                                              | ok       |
 * | unknown, ok, error  | an event was acknowledged                                                       | ok       |
 * | unknown, ok, error  | a delivery round was not acknowledged; the event is held or was rejected        | error    |
 * | error               | the held event is no longer kept and nothing else is pending                    | ok       |
 *
 * A restart of the core preserves `ok` and `error`.
 */
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

/** Reasons why an attempt was not acknowledged. */
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
 * Counters of the process that serves the instance, starting at 0. `delivered`: acknowledged events.
 * `failed`: delivery rounds (of up to three requests) that were not acknowledged and whose event is held.
 * `rejected`: events that the receiver rejected permanently. `dropped`: events given up unsent, beyond
 * `max_pending` or pruned from the log. `pending`: events currently waiting for delivery.
 */
export const CONNECTOR_COUNTERS = ["delivered", "failed", "rejected", "dropped", "pending"] as const;
export type ConnectorCounter = (typeof CONNECTOR_COUNTERS)[number];

/** The id of an instance's health component. */
export function connectorComponent(instance: string): string {
  return `connector:${instance}`;
}

/** Cause of a failed round and advice for administrators. */
export const FAILURE_ADVICE: Readonly<Record<FailureClass, string>> = {
  auth:
    "the receiver rejects the signature (401): check that it has this instance's secret and that both clocks agree",
  forbidden: "the receiver or a proxy forbids the request (403): allow this appliance's address and path",
  tls:
    "the receiver's certificate is not trusted: install its CA in the system's trust store or correct tls_fingerprint_sha256",
  unreachable:
    "no connection, or the receiver is failing (5xx): check host name, port, firewall and the receiver",
  timeout: "no response in time: check the receiver's load and the network, or raise `timeout`",
  rate_limited: "the receiver limits requests (408, 425, 429): raise its limit for this appliance",
  rejected:
    "the receiver permanently rejects the event (4xx): check the path of `url` and what the receiver accepts",
  unexpected_shape:
    "the response is not that of a webhook receiver (a redirect or not HTTP): check scheme, port and path of `url`",
};
