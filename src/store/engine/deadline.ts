import { StoreUnavailable } from "./database.ts";
import type { Limits } from "./limits.ts";
import { errorCode } from "./retry.ts";

/** `lock_not_available`: a lock wait timed out. */
const LOCK_TIMEOUT = "55P03";

/** Enforces one transaction's limits on the client side, whatever the engine does. */
export class Deadline {
  readonly #limits: Limits;
  #begun = false;
  #over: StoreUnavailable | null = null;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /** Marks that the transaction has a connection. @throws StoreUnavailable if that came too late. */
  begin(): void {
    this.check();
    this.#begun = true;
  }

  /** @throws StoreUnavailable when the time is over: the caller no longer waits for the result. */
  check(): void {
    if (this.#over !== null) throw this.#over;
  }

  /**
   * The result, or StoreUnavailable if it does not arrive in time, or a lock wait timed out; `onOver` then
   * ends the work in progress.
   */
  async bound<T>(result: Promise<T>, onOver: () => void): Promise<T> {
    const { waitMs, answerMs } = this.#limits;
    const late = Promise.withResolvers<never>();
    const stop = (reason: string) => {
      this.#over ??= new StoreUnavailable(new Error(reason));
      onOver();
      late.reject(this.#over);
    };
    const turn = setTimeout(() => this.#begun || stop(`no connection within ${waitMs} ms`), waitMs);
    const end = setTimeout(() => stop(`no result within ${answerMs} ms`), answerMs);
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
    }
  }
}
