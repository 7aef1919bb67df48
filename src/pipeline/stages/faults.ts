import { messageOf } from "../../kit/errors.ts";

interface Fault {
  /** What failed: a detector, or a memory. */
  what: string;
  /** The first error's message. */
  message: string;
  count: number;
}

/**
 * Failures of single detectors. A record that one of them stumbles over must not hold up its tenant's pipeline: the others
 * go on, and so does this one with the next record. Told once a round, however many records were so.
 */
export class Faults {
  readonly #faults = new Map<string, Fault>();

  note(what: string, error: unknown): void {
    const known = this.#faults.get(what);
    if (known) known.count++;
    else this.#faults.set(what, { what, message: messageOf(error), count: 1 });
  }

  /** What has been noted since the last time. */
  take(): Fault[] {
    const faults = [...this.#faults.values()];
    this.#faults.clear();
    return faults;
  }
}
