/** Rests that something else may end early. */
export class Wake {
  #isDue = false;
  #cut: AbortController | null = null;

  /** Ends the rest under way, or the next one at once. */
  now(): void {
    this.#isDue = true;
    this.#cut?.abort();
  }

  /** Whether it was woken since it was asked last. */
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
