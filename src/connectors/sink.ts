import type { FailureClass } from "../contract/connector/connector.ts";
import type { Severity } from "../contract/record/kinds.ts";
import type { NumberedEvent } from "../store/connector/event-log.ts";

/** What one attempt to deliver an event came to. */
export type Attempt =
  | { kind: "acknowledged"; status: number }
  | {
    /** `held`: the same event again later. `rejected`: refused for good, the next one is its turn. */
    kind: "held" | "rejected";
    failure: FailureClass;
    /** Of the answer; null where none came. */
    status: number | null;
    /** For an admin; names the receiver by host and port, never more of its URL. */
    message: string;
    /** What the receiver asked for, in seconds; null where it did not. */
    retryAfterSeconds: number | null;
    /** Whether the same round may try again soon. */
    again: boolean;
  };

/** What is known of an event before it is read whole. */
export interface EventHead {
  type: string;
  /** Of its incident; null where it has none. */
  severity: Severity | null;
}

/** The outside that one instance delivers to; each sort of connector is one. */
export interface Sink {
  /** Before the second attempt of a round, in milliseconds; twice that before the third. */
  readonly retryDelayMs: number;
  /** Events kept for delivery; beyond that the oldest are dropped. */
  readonly maxPending: number;
  /** False for what the instance holds back: it is passed over and not counted. */
  wants(event: EventHead): boolean;
  /**
   * Makes one attempt for one event, with the names that its devices have now. Resolves whatever the outside does; throws
   * only what `signal` was aborted with.
   */
  deliver(event: NumberedEvent, names: ReadonlyMap<string, string>, signal: AbortSignal): Promise<Attempt>;
}
