/** Waits that can be ended early. */
export class Wake {
  #isDue = false;
  #cut: AbortController | null = null;

  /** Ends the current wait, or the next one at once. */
  now(): void {
    this.#isDue = true;
    this.#cut?.abort();
  }

  /** Whether it was woken since the last call. */
  taken(): boolean {
    const isDue = this.#isDue;
    this.#isDue = false;
    return isDue;
  }

  async rest(sleep: (signal: AbortSignal) => Promise<void>): Promise<void> {
    if (this.#isDue) return;
    this.#cut = new AbortController();
    await sleep(this.#cut.signal);
    this.#cut = null;
  }
}
