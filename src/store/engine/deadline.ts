import { StoreUnavailable } from "./database.ts";
import type { Limits } from "./limits.ts";
import { errorCode } from "./retry.ts";

/** `lock_not_available`: a lock was not to be had in time. */
const LOCK_TIMEOUT = "55P03";

/** Keeps one transaction to its limits on this side, whatever the engine does. */
export class Deadline {
  readonly #limits: Limits;
  #begun = false;
  #over: StoreUnavailable | null = null;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /** The transaction has got its turn. Throws where that came too late. */
  begin(): void {
    this.check();
    this.#begun = true;
  }

  /** @throws StoreUnavailable when the time is over: nobody waits for the result any more. */
  check(): void {
    if (this.#over !== null) throw this.#over;
  }

  /**
   * The result, or StoreUnavailable where it does not come in time; `onOver` then ends what is still under way.
   * A lock that was not to be had in time is the same to whoever asked.
   */
  async bound<T>(result: Promise<T>, onOver: () => void): Promise<T> {
    const { waitMs, answerMs } = this.#limits;
    const late = Promise.withResolvers<never>();
    const stop = (reason: string) => {
      this.#over ??= new StoreUnavailable(new Error(reason));
      onOver();
      late.reject(this.#over);
    };
    const turn = setTimeout(() => this.#begun || stop(`no turn within ${waitMs} ms`), waitMs);
    const end = setTimeout(() => stop(`no result within ${answerMs} ms`), answerMs);
    // What comes of it later is nobody's any more.
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
