import { StoreUnavailable } from "../database.ts";
import type { WorkerAnswer, WorkerRequest } from "./pglite-worker.ts";

type Answer = { rows: Record<string, unknown>[]; changed: number };
type Ask = WorkerRequest extends infer R ? R extends { id: number } ? Omit<R, "id"> : never : never;

/** One PGlite in its own worker, from opening until it is ended or crashes. */
export class PgliteInstance {
  readonly #worker: Worker;
  readonly #pending = new Map<
    number,
    { resolve: (answer: Answer) => void; reject: (error: Error) => void }
  >();
  #sequence = 0;
  #over: Error | null = null;

  private constructor() {
    const file = import.meta.url.endsWith(".ts") ? "./pglite-worker.ts" : "./pglite-worker.js";
    this.#worker = new Worker(new URL(file, import.meta.url), { type: "module" });
    this.#worker.onmessage = (event: MessageEvent<WorkerAnswer>) => this.#settle(event.data);
    this.#worker.onerror = (event) => {
      event.preventDefault();
      this.end(new Error(`the embedded database stopped: ${event.message}`));
    };
  }

  /** @throws PGlite's error; the worker is terminated then. */
  static async open(directory: string | null, image: Uint8Array | null): Promise<PgliteInstance> {
    const instance = new PgliteInstance();
    try {
      await instance.ask({ op: "open", directory, image });
      return instance;
    } catch (error) {
      instance.end(new Error("it could not be opened"));
      throw error;
    }
  }

  /** Why the instance can no longer be used; null while it can. */
  get over(): Error | null {
    return this.#over;
  }

  ask(ask: Ask): Promise<Answer> {
    if (this.#over) return Promise.reject(new StoreUnavailable(this.#over));
    const id = ++this.#sequence;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
      this.#worker.postMessage({ ...ask, id });
    });
  }

  /** Terminates the worker immediately, whatever it is doing. */
  end(reason: Error): void {
    if (this.#over) return;
    this.#over = reason;
    this.#worker.terminate();
    for (const { reject } of this.#pending.values()) reject(new StoreUnavailable(reason));
    this.#pending.clear();
  }

  #settle(answer: WorkerAnswer): void {
    const waiting = this.#pending.get(answer.id);
    if ("error" in answer) {
      const error = Object.assign(new Error(answer.error.message), { code: answer.error.code });
      // After a panic, the postmaster would restart PostgreSQL. Here there is none, and continuing with
      // corrupt memory hangs or writes it to disk.
      if (answer.error.broken) return this.end(error);
      waiting?.reject(error);
    } else waiting?.resolve(answer);
    this.#pending.delete(answer.id);
  }
}
