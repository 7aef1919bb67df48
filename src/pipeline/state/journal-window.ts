/** Rows at most, however small: a start reads them all. */
const MAX_ROWS = 2000;
/** Trimmed to so much of either bound: as much work, in fewer statements. */
const KEPT_SHARE = 3 / 4;

/** The rows of a tenant's journal, oldest first, and which of them go. */
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

  /** The newest batch of the rows that go now, which are never all of them; null where none goes. */
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
