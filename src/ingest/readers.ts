import type { Source } from "../config/sources.ts";
import { ApiError } from "../contract/request/errors.ts";
import { FairSlots } from "../kit/threads/fair-slots.ts";
import { ThreadLost } from "../kit/threads/threads.ts";
import type { PackedBatch } from "../store/record/packed-batch.ts";
import type { ReadAnswer, ReadQuestion } from "./read-answer.ts";

/**
 * Sends a request to another thread and transfers ownership of `transfer`. Throws ThreadLost if the thread
 * died.
 */
type AskReader = (question: ReadQuestion, transfer: Transferable[]) => Promise<ReadAnswer>;

/** Bodies at a thread: the one it reads and the next, so that it does not wait for this thread. */
const BODIES_PER_THREAD = 2;

/** Reads ingest bodies in other threads, those of different sources in turn. */
export class BodyReaders {
  readonly #ask: AskReader;
  readonly #slots: FairSlots;

  constructor(ask: AskReader, threads: number) {
    this.#ask = ask;
    this.#slots = new FairSlots(threads * BODIES_PER_THREAD);
  }

  /**
   * Reads a body of at most 1,000 lines and transfers its memory.
   *
   * @throws ApiError as `readBatch` does, and 503 if the thread died
   */
  async read(body: Uint8Array, source: Source, parse = false): Promise<PackedBatch> {
    const answer = await this.#slots.run(source.sensorId, () => {
      const own = owned(body);
      return this.#ask({ body: own, source, parse }, [own.buffer]);
    }).catch((error: unknown) => {
      throw error instanceof ThreadLost ? readerLost() : error;
    });
    if ("batch" in answer) return answer.batch;
    const { code, message, details, status } = answer.refused;
    throw new ApiError(code, message, details, status);
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
