import { Threads } from "../kit/threads.ts";
import type { PendingBatch } from "../store/pending.ts";
import { unpackRecords } from "./packed-records.ts";
import type { PackedUnderstanding } from "./understand-worker.ts";
import type { UnderstoodBatch } from "./understand.ts";

/** Threads that understand batches while this one joins others to flows. */
export class Understanders {
  readonly #threads: Threads<PendingBatch, PackedUnderstanding>;

  constructor(threads: number) {
    const file = import.meta.url.endsWith(".ts") ? "./understand-worker.ts" : "./understand-worker.js";
    this.#threads = new Threads(new URL(file, import.meta.url), threads);
  }

  /** As `understandBatch`. Throws ThreadLost where the thread died. */
  async understand(batch: PendingBatch): Promise<UnderstoodBatch> {
    const { records, samples } = await this.#threads.ask(batch);
    return { records: unpackRecords(records), samples };
  }

  close(): void {
    this.#threads.close();
  }
}
