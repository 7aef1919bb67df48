import type { NumberedHead } from "../store/connector/connectors.ts";

/** One read of the log. */
export interface LogPage {
  /** In order, after the previous page. */
  heads: readonly NumberedHead[];
  /** Everything up to this number was read with this page, kept or not. */
  end: number;
  /** Nothing follows yet. */
  isLast: boolean;
}

/** Numbers of the events that an instance has yet to deliver, oldest first, up to its bound. */
export class PendingQueue {
  #numbers: number[] = [];
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
    return this.#numbers.length;
  }

  get first(): number | undefined {
    return this.#numbers[0];
  }

  has(eventNo: number): boolean {
    return this.#numbers.includes(eventNo);
  }

  /** Everything up to this number is settled. */
  get done(): number {
    return this.#numbers.length === 0 ? this.#read : this.#numbers[0]! - 1;
  }

  shift(): void {
    this.#numbers.shift();
  }

  /**
   * Adds a page; returns how many events were lost: numbers that the log no longer has, and the oldest beyond
   * the bound.
   */
  take({ heads, end }: Omit<LogPage, "isLast">): number {
    let lost = 0;
    for (const head of heads) {
      lost += head.eventNo - this.#read - 1;
      this.#read = head.eventNo;
      if (this.wants(head)) this.#numbers.push(head.eventNo);
    }
    lost += Math.max(0, end - this.#read);
    this.#read = Math.max(this.#read, end);
    const over = Math.max(0, this.#numbers.length - this.most);
    this.#numbers.splice(0, over);
    return lost + over;
  }
}
