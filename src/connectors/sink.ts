import type { FailureClass } from "../contract/connector/connector.ts";
import type { Severity } from "../contract/record/kinds.ts";
import type { NumberedEvent } from "../store/connector/event-log.ts";

/** The outcome of one attempt to deliver an event. */
export type Attempt =
  | { kind: "acknowledged"; status: number }
  | {
    /** `held`: the same event is retried later. `rejected`: refused permanently, the next event follows. */
    kind: "held" | "rejected";
    failure: FailureClass;
    /** Of the answer; null without one. */
    status: number | null;
    /** For an administrator; names the receiver by host and port, never more of its URL. */
    message: string;
    /** What the receiver asked for, in seconds; null if it did not. */
    retryAfterSeconds: number | null;
    /** Whether the same round may retry soon. */
    again: boolean;
  };

/** What is known of an event without its body. */
export interface EventHead {
  type: string;
  /** Of its incident; null without one. */
  severity: Severity | null;
}

/** The receiver of one instance; each connector type implements it. */
export interface Sink {
  /** Wait before the second attempt of a round, in milliseconds; doubled before the third. */
  readonly retryDelayMs: number;
  /** Events kept for delivery; beyond this the oldest are dropped. */
  readonly maxPending: number;
  /** False for events that the instance filters out: they are skipped and not counted. */
  wants(event: EventHead): boolean;
  /**
   * Makes one attempt for one event, with the current names of its devices. Resolves whatever the receiver
   * does; throws only the reason of `signal`.
   */
  deliver(event: NumberedEvent, names: ReadonlyMap<string, string>, signal: AbortSignal): Promise<Attempt>;
}
