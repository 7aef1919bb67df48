/** Work that callers share: while that of a key is under way, further callers of the key wait for its result. */
export class SingleFlight<T> {
  readonly #running = new Map<string, Promise<T>>();

  /** Starts `work` unless it is under way; settles as it does. */
  run(work: () => Promise<T>, key = ""): Promise<T> {
    let running = this.#running.get(key);
    if (running === undefined) {
      running = work().finally(() => this.#running.delete(key));
      this.#running.set(key, running);
    }
    return running;
  }
}
