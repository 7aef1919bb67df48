import { pause } from "./pause.ts";

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

  /** Waits for so many milliseconds, unless it is woken or was since the last call of `taken`. */
  async wait(milliseconds: number, sleep: typeof pause = pause): Promise<void> {
    if (this.#isDue || milliseconds <= 0) return;
    this.#cut = new AbortController();
    await sleep(milliseconds, this.#cut.signal);
    this.#cut = null;
  }
}
