import { understood, type UnderstoodBatch } from "../store/understood.ts";
import { Threads } from "../kit/threads.ts";
import { unpackRead } from "../store/packed-records.ts";
import type { PendingBatch } from "../store/pending.ts";
import { headOf } from "./understand.ts";

/** Threads that understand stored batches while this one joins others to flows. */
export class Understanders {
  readonly #threads: Threads<PendingBatch, Uint8Array>;

  constructor(threads: number) {
    const file = import.meta.url.endsWith(".ts") ? "./understand-worker.ts" : "./understand-worker.js";
    this.#threads = new Threads(new URL(file, import.meta.url), threads);
  }

  /** As `understandBatch`. Throws ThreadLost where the thread died. */
  async understand(batch: PendingBatch): Promise<UnderstoodBatch> {
    return understood(headOf(batch), unpackRead(await this.#threads.ask(batch)));
  }

  close(): void {
    this.#threads.close();
  }
}
