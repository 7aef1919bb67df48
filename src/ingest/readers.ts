import type { Source } from "../config/sources.ts";
import { ApiError } from "../contract/errors.ts";
import type { PackedBatch } from "../store/packed-batch.ts";
import type { ReadAnswer, ReadRequest } from "./read-worker.ts";

interface Waiting {
  resolve: (batch: PackedBatch) => void;
  reject: (error: unknown) => void;
}

/** Threads that read ingest bodies; started with the first body. */
export class BodyReaders {
  readonly #readers: Reader[];

  constructor(threads: number) {
    this.#readers = Array.from({ length: threads }, () => new Reader());
  }

  /**
   * Reads a body of at most 1,000 lines in the thread that has least to do. The body's memory goes with it.
   *
   * @throws ApiError as `readBatch` does, and 503 where the thread died.
   */
  read(body: Uint8Array, source: Source): Promise<PackedBatch> {
    const idlest = this.#readers.reduce((best, reader) => reader.waiting < best.waiting ? reader : best);
    return idlest.read(body, source);
  }

  /** Ends the threads; what they were reading is answered with 503. */
  close(): void {
    for (const reader of this.#readers) reader.close();
  }
}

class Reader {
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | null = null;
  #sequence = 0;

  get waiting(): number {
    return this.#waiting.size;
  }

  read(body: Uint8Array, source: Source): Promise<PackedBatch> {
    const worker = this.#worker ??= this.#start();
    const id = ++this.#sequence;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      const own = owned(body);
      worker.postMessage({ id, body: own, source } satisfies ReadRequest, [own.buffer]);
    });
  }

  close(): void {
    this.#worker?.terminate();
    this.#worker = null;
    for (const { reject } of this.#waiting.values()) reject(readerLost());
    this.#waiting.clear();
  }

  #start(): Worker {
    const file = import.meta.url.endsWith(".ts") ? "./read-worker.ts" : "./read-worker.js";
    const worker = new Worker(new URL(file, import.meta.url), { type: "module" });
    worker.onmessage = (event: MessageEvent<ReadAnswer>) => this.#settle(event.data);
    worker.onerror = (event) => {
      // The next body starts another thread.
      event.preventDefault();
      this.close();
    };
    return worker;
  }

  #settle(answer: ReadAnswer): void {
    const waiting = this.#waiting.get(answer.id);
    this.#waiting.delete(answer.id);
    if ("batch" in answer) waiting?.resolve(answer.batch);
    else if ("failed" in answer) waiting?.reject(answer.failed);
    else {
      const { code, message, details, status } = answer.refused;
      waiting?.reject(new ApiError(code, message, details, status));
    }
  }
}

/** With a buffer of its own: a view of a larger one would take all of that along. */
function owned(body: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer, byteLength } = body;
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) return new Uint8Array(buffer);
  return new Uint8Array(body);
}

function readerLost(): ApiError {
  return new ApiError(
    "source_unavailable",
    "The records could not be read now; try again.",
    { reason: "reader" },
    503,
    1,
  );
}
