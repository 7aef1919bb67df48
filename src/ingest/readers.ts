import type { Source } from "../config/sources.ts";
import { ApiError } from "../contract/request/errors.ts";
import { ThreadLost } from "../kit/threads/threads.ts";
import type { PackedBatch } from "../store/record/packed-batch.ts";
import type { ReadAnswer, ReadQuestion } from "./read-answer.ts";

/**
 * Sends a request to another thread and transfers ownership of `transfer`. Throws ThreadLost if the thread
 * died.
 */
type AskReader = (question: ReadQuestion, transfer: Transferable[]) => Promise<ReadAnswer>;

/** Reads ingest bodies in other threads. */
export class BodyReaders {
  constructor(private readonly ask: AskReader) {}

  /**
   * Reads a body of at most 1,000 lines and transfers its memory.
   *
   * @throws ApiError as `readBatch` does, and 503 if the thread died
   */
  async read(body: Uint8Array, source: Source, parse = false): Promise<PackedBatch> {
    const own = owned(body);
    const answer = await this.ask({ body: own, source, parse }, [own.buffer]).catch((error: unknown) => {
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
