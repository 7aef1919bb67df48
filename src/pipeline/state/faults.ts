import { messageOf } from "../../kit/errors.ts";

interface Fault {
  /** What failed: a detector or a state type. */
  what: string;
  /** Message of the first error. */
  message: string;
  count: number;
}

/**
 * Failures of single detectors. A record that makes a detector throw must not stop its tenant's pipeline: the other
 * detectors continue, and this one continues with the next record. Faults are logged once per round.
 */
export class Faults {
  readonly #faults = new Map<string, Fault>();

  note(what: string, error: unknown): void {
    const known = this.#faults.get(what);
    if (known) known.count++;
    else this.#faults.set(what, { what, message: messageOf(error), count: 1 });
  }

  /** Returns and clears the faults noted since the last call. */
  take(): Fault[] {
    const faults = [...this.#faults.values()];
    this.#faults.clear();
    return faults;
  }
}
