import type { Source } from "../config/sources.ts";
import { ApiError } from "../contract/errors.ts";
import { ThreadLost, Threads } from "../kit/threads.ts";
import type { PackedBatch } from "../store/packed-batch.ts";
import type { ReadAnswer, ReadRequest } from "./read-worker.ts";

/** Threads that read ingest bodies. */
export class BodyReaders {
  readonly #threads: Threads<ReadRequest, ReadAnswer>;

  constructor(threads: number) {
    const file = import.meta.url.endsWith(".ts") ? "./read-worker.ts" : "./read-worker.js";
    this.#threads = new Threads(new URL(file, import.meta.url), threads);
  }

  /**
   * Reads a body of at most 1,000 lines. The body's memory goes with it.
   *
   * @throws ApiError as `readBatch` does, and 503 where the thread died.
   */
  async read(body: Uint8Array, source: Source): Promise<PackedBatch> {
    const own = owned(body);
    const answer = await this.#threads.ask({ body: own, source }, [own.buffer]).catch((error: unknown) => {
      throw error instanceof ThreadLost ? readerLost() : error;
    });
    if ("batch" in answer) return answer.batch;
    const { code, message, details, status } = answer.refused;
    throw new ApiError(code, message, details, status);
  }

  /** Ends the threads; what they were reading is answered with 503. */
  close(): void {
    this.#threads.close();
  }
}

/** With a buffer of its own: a view of a larger one would take all of that along. */
function owned(body: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer, byteLength } = body;
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) return new Uint8Array(buffer);
  return new Uint8Array(body);
}

function readerLost(): ApiError {
  const message = "The records could not be read now; try again.";
  return new ApiError("source_unavailable", message, { reason: "reader" }, 503, 1);
}
