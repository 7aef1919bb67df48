/** Maximum number of rows, however small: a start reads all of them. */
const MAX_ROWS = 2000;
/** Fraction of either bound that is left after trimming: trimming in larger steps takes fewer statements. */
const KEPT_SHARE = 3 / 4;

/** The rows of a tenant's journal, oldest first, within a bound. */
export class JournalWindow {
  readonly #maxBytes: number;
  #rows: { batchNo: number; bytes: number }[] = [];
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  add(batchNo: number, bytes: number): void {
    this.#rows.push({ batchNo, bytes });
    this.#bytes += bytes;
  }

  /** Drops the oldest rows, never all; returns the last batch of the dropped rows, null if none is dropped. */
  trim(): number | null {
    if (this.#bytes <= this.#maxBytes && this.#rows.length <= MAX_ROWS) return null;
    let count = 0;
    while (count < this.#rows.length - 1 && !this.#fits(count)) this.#bytes -= this.#rows[count++]!.bytes;
    if (count === 0) return null;
    const { batchNo } = this.#rows[count - 1]!;
    this.#rows = this.#rows.slice(count);
    return batchNo;
  }

  #fits(dropped: number): boolean {
    return this.#bytes <= this.#maxBytes * KEPT_SHARE && this.#rows.length - dropped <= MAX_ROWS * KEPT_SHARE;
  }
}
