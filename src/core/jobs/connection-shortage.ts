import type { Clock } from "../../kit/clock.ts";
import type { ConnectionFacts } from "../../domain/health/connections.ts";
import { CONNECTION_SHORTAGE_SECONDS } from "../../contract/health/conditions.ts";

/** More say nothing more. */
const MOST = 1000;

/** Connections that the database refused of late. */
export class ConnectionShortage {
  /** Times in microseconds, the newest last. */
  #times: number[] = [];
  #reason = "";

  constructor(private readonly clock: Clock, private readonly needed: number) {}

  refused(reason: string): void {
    this.#reason = reason;
    this.#times = [...this.#recent(), this.clock.now()];
  }

  /** Null without a refusal. */
  facts(): ConnectionFacts | null {
    this.#times = this.#recent();
    return this.#times.length === 0
      ? null
      : { refused: this.#times.length, reason: this.#reason, needed: this.needed };
  }

  #recent(): number[] {
    const from = this.clock.now() - CONNECTION_SHORTAGE_SECONDS * 1_000_000;
    return this.#times.filter((at) => at >= from).slice(-MOST);
  }
}
