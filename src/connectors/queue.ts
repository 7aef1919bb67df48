import { SEVERITIES } from "../contract/record/kinds.ts";
import type { NumberedHead } from "../store/connector/connectors.ts";
import { OTHER_EVENTS } from "../store/connector/event-log.ts";

/** One read of the log. */
export interface LogPage {
  /** In order, after the previous page. */
  heads: readonly NumberedHead[];
  /** Everything up to this number was read with this page, kept or not. */
  end: number;
  /** Nothing follows yet. */
  isLast: boolean;
}

interface Pending {
  eventNo: number;
  /** Index in `SEVERITIES`. */
  rank: number;
}

/** Numbers of the events that an instance has yet to deliver, oldest first, up to its bound. */
export class PendingQueue {
  #pending: Pending[] = [];
  #read: number;

  constructor(
    bookmark: number,
    private readonly most: number,
    private readonly wants: (head: NumberedHead) => boolean,
  ) {
    this.#read = bookmark;
  }

  /** The number up to which the log was read. */
  get read(): number {
    return this.#read;
  }

  get length(): number {
    return this.#pending.length;
  }

  get first(): number | undefined {
    return this.#pending[0]?.eventNo;
  }

  has(eventNo: number): boolean {
    return this.#pending.some((one) => one.eventNo === eventNo);
  }

  /** Everything up to this number is settled. */
  get done(): number {
    return this.#pending.length === 0 ? this.#read : this.#pending[0]!.eventNo - 1;
  }

  shift(): void {
    this.#pending.shift();
  }

  /**
   * Adds a page; returns how many events were lost: numbers that the log no longer has, and those beyond
   * the bound: the oldest of the lowest severity, so that lower ones never displace a higher one.
   */
  take({ heads, end }: Omit<LogPage, "isLast">): number {
    let lost = 0;
    for (const head of heads) {
      lost += head.eventNo - this.#read - 1;
      this.#read = head.eventNo;
      if (!this.wants(head)) continue;
      const rank = SEVERITIES.indexOf(head.severity ?? OTHER_EVENTS);
      this.#pending.push({ eventNo: head.eventNo, rank });
    }
    lost += Math.max(0, end - this.#read);
    this.#read = Math.max(this.#read, end);
    return lost + this.#dropExcess();
  }

  #dropExcess(): number {
    const excess = Math.max(0, this.#pending.length - this.most);
    let left = excess;
    for (let rank = 0; left > 0; rank++) {
      this.#pending = this.#pending.filter((one) => left === 0 || one.rank !== rank || left-- === 0);
    }
    return excess;
  }
}
