import type { Source } from "../config/sources.ts";
import { BodyReaders } from "../ingest/readers.ts";
import { Threads } from "../kit/threads/threads.ts";
import type { PackedBatch } from "../store/record/packed-batch.ts";
import type { PendingBatch } from "../store/record/pending.ts";
import type { RecordAnswer, RecordQuestion } from "./record-worker.ts";

/** Threads that read ingest bodies and parse stored batches. */
export class RecordThreads {
  readonly #threads: Threads<RecordQuestion, RecordAnswer>;
  readonly #readers: BodyReaders;

  constructor(threads: number) {
    const file = import.meta.url.endsWith(".ts") ? "./record-worker.ts" : "./record-worker.js";
    this.#threads = new Threads(new URL(file, import.meta.url), threads);
    this.#readers = new BodyReaders(async (question, transfer) => {
      const answer = await this.#threads.ask({ read: question }, transfer);
      if ("read" in answer) return answer.read;
      throw new TypeError("expected the answer to a read");
    }, threads);
  }

  /** As `BodyReaders.read`. */
  read(body: Uint8Array, source: Source, parse = false): Promise<PackedBatch> {
    return this.#readers.read(body, source, parse);
  }

  /** As `parseBatch`. Throws ThreadLost if the thread died. */
  async parse(batch: PendingBatch): Promise<Uint8Array> {
    const answer = await this.#threads.ask({ parse: batch });
    if (!("parsed" in answer)) throw new TypeError("expected the answer to a parse");
    return answer.parsed;
  }

  /** Ends the threads; requests whose bodies they were reading are answered with 503. */
  close(): void {
    this.#threads.close();
  }
}
