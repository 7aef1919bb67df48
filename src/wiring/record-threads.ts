import type { Source } from "../config/sources.ts";
import { BodyReaders } from "../ingest/readers.ts";
import { Threads } from "../kit/threads/threads.ts";
import type { PackedBatch } from "../store/record/packed-batch.ts";
import type { PendingBatch } from "../store/record/pending.ts";
import type { RecordAnswer, RecordQuestion } from "./record-worker.ts";

/** Threads that read ingest bodies and understand stored batches, while the main one waits for neither. */
export class RecordThreads {
  readonly #threads: Threads<RecordQuestion, RecordAnswer>;
  readonly #readers: BodyReaders;

  constructor(threads: number) {
    const file = import.meta.url.endsWith(".ts") ? "./record-worker.ts" : "./record-worker.js";
    this.#threads = new Threads(new URL(file, import.meta.url), threads);
    this.#readers = new BodyReaders(async (question, transfer) => {
      const answer = await this.#threads.ask({ read: question }, transfer);
      if ("read" in answer) return answer.read;
      throw new TypeError("a thread answered another question");
    });
  }

  /** As `BodyReaders.read`. */
  read(body: Uint8Array, source: Source, understand = false): Promise<PackedBatch> {
    return this.#readers.read(body, source, understand);
  }

  /** As `understandBatch`. Throws ThreadLost where the thread died. */
  async understand(batch: PendingBatch): Promise<Uint8Array> {
    const answer = await this.#threads.ask({ understand: batch });
    if (!("understood" in answer)) throw new TypeError("a thread answered another question");
    return answer.understood;
  }

  /** Ends the threads; what they were reading is answered with 503. */
  close(): void {
    this.#threads.close();
  }
}
