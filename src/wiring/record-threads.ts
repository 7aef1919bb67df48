import type { Source } from "../config/sources.ts";
import { ApiError } from "../contract/request/errors.ts";
import { FairSlots } from "../kit/threads/fair-slots.ts";
import { ThreadLost, Threads } from "../kit/threads/threads.ts";
import type { PackedBatch } from "../store/record/packed-batch.ts";
import type { PendingBatch } from "../store/record/pending.ts";
import type { RecordAnswer, RecordQuestion } from "./record-worker.ts";

/** Bodies at a thread: the one it reads and the next, so that it does not wait for this thread. */
const BODIES_PER_THREAD = 2;

/** Threads that read ingest bodies, those of different sources in turn, and parse stored batches. */
export class RecordThreads {
  readonly #threads: Threads<RecordQuestion, RecordAnswer>;
  readonly #slots: FairSlots;

  constructor(threads: number) {
    const file = import.meta.url.endsWith(".ts") ? "./record-worker.ts" : "./record-worker.js";
    this.#threads = new Threads(new URL(file, import.meta.url), threads);
    this.#slots = new FairSlots(threads * BODIES_PER_THREAD);
  }

  /**
   * Reads a body of at most 1,000 lines and transfers its memory.
   *
   * @param parse Whether the batch also carries the parsed records.
   * @throws ApiError as `parseBody` does, and 503 if the thread died
   */
  async read(body: Uint8Array, source: Source, parse = false): Promise<PackedBatch> {
    const answer = await this.#slots.run(source.sensorId, () => {
      const own = owned(body);
      return this.#threads.ask({ read: { body: own, source, parse } }, [own.buffer]);
    }).catch((error: unknown) => {
      throw error instanceof ThreadLost ? readerLost() : error;
    });
    if ("batch" in answer) return answer.batch;
    if (!("refused" in answer)) throw new TypeError("expected the answer to a read");
    const { code, message, details, status } = answer.refused;
    throw new ApiError(code, message, details, status);
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

/** Copies a view of a larger buffer, which would otherwise be transferred as a whole. */
function owned(body: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer, byteLength } = body;
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) return new Uint8Array(buffer);
  return new Uint8Array(body);
}

function readerLost(): ApiError {
  const message = "The records could not be read; retry later.";
  return new ApiError("source_unavailable", message, { reason: "reader" }, 503, 1);
}
