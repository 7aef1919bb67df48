import { CallerGone, StoreUnavailable, TooLate } from "./database.ts";
import type { Limits } from "./limits.ts";
import { errorCode } from "./retry.ts";

/** `lock_not_available`: a lock wait timed out. */
const LOCK_TIMEOUT = "55P03";

/** Enforces one transaction's limits on the client side, whatever the engine does. */
export class Deadline {
  readonly #limits: Limits;
  #begun = false;
  #over: Error | null = null;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /** Marks that the transaction has a connection. @throws as `check`, if that came too late. */
  begin(): void {
    this.check();
    this.#begun = true;
  }

  /** @throws StoreUnavailable when the time is over, or CallerGone: the caller no longer waits for the result. */
  check(): void {
    if (this.#over !== null) throw this.#over;
  }

  /**
   * The result; StoreUnavailable if it does not arrive in time or a lock wait timed out; CallerGone if the signal aborts.
   * `onOver` then ends the work in progress.
   */
  async bound<T>(result: Promise<T>, onOver: () => void): Promise<T> {
    const { waitMs, answerMs, signal } = this.#limits;
    const late = Promise.withResolvers<never>();
    const stop = (reason: Error) => {
      if (this.#over !== null) return;
      this.#over = reason;
      onOver();
      late.reject(reason);
    };
    const noConnection = () => new StoreUnavailable(new Error(`no connection within ${waitMs} ms`));
    const turn = setTimeout(() => this.#begun || stop(noConnection()), waitMs);
    const end = setTimeout(() => stop(new TooLate(answerMs)), answerMs);
    const onAbort = () => stop(new CallerGone());
    signal?.addEventListener("abort", onAbort);
    if (signal?.aborted) onAbort();
    // A later failure has no receiver.
    result.catch(() => {});
    try {
      return await Promise.race([result, late.promise]);
    } catch (error) {
      if (errorCode(error) === LOCK_TIMEOUT) throw new StoreUnavailable(error);
      throw error;
    } finally {
      clearTimeout(turn);
      clearTimeout(end);
      signal?.removeEventListener("abort", onAbort);
    }
  }
}
