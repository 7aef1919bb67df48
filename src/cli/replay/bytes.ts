// Reads the bytes of a recorded file, decompressed.

import { createReadStream } from "node:fs";
import { Buffer } from "node:buffer";
import { createGunzip, type Gunzip } from "node:zlib";
import { messageOf } from "../../kit/errors.ts";

// Small, because a piece of gzip may expand a thousandfold.
const READ_SIZE = 64 * 1024;

export interface Piece {
  data: Uint8Array;
  /** Bytes of the file on disk read so far, this piece included. */
  offset: number;
}

/** The file is truncated or unreadable from some point; everything before it is intact. */
export class DamagedFileError extends Error {
  override name = "DamagedFileError";
}

/**
 * The content of a file, decompressed if it starts as gzip (concatenated members are one content). Throws
 * DamagedFileError if reading or decompressing fails, after yielding everything readable.
 */
export async function* readPieces(path: string): AsyncGenerator<Piece, void, void> {
  const file = createReadStream(path, { highWaterMark: READ_SIZE });
  try {
    let offset = 0;
    let gunzip: GunzipPump | null = null;
    for await (const chunk of file as AsyncIterable<Buffer>) {
      if (offset === 0 && chunk[0] === 0x1f && chunk[1] === 0x8b) gunzip = new GunzipPump();
      offset += chunk.length;
      if (gunzip === null) yield { data: chunk, offset };
      else for (const data of await gunzip.write(chunk)) yield { data, offset };
      if (gunzip?.failure) throw new DamagedFileError(`broken gzip: ${gunzip.failure}`);
    }
    if (gunzip !== null) {
      for (const data of await gunzip.end()) yield { data, offset };
      if (gunzip.failure) throw new DamagedFileError(`broken gzip: ${gunzip.failure}`);
    }
  } catch (error) {
    if (error instanceof DamagedFileError) throw error;
    throw new DamagedFileError(messageOf(error));
  } finally {
    file.destroy();
  }
}

/** Decompresses chunk by chunk. Iterating the stream would lose its buffered content on an error. */
class GunzipPump {
  failure: string | null = null;
  readonly #gunzip: Gunzip = createGunzip();
  readonly #ended: Promise<void>;
  #out: Uint8Array[] = [];

  constructor() {
    this.#gunzip.on("data", (data: Buffer) => this.#out.push(data));
    this.#ended = new Promise((resolve) => {
      this.#gunzip.on("error", (error) => {
        this.failure = messageOf(error);
        resolve();
      });
      this.#gunzip.on("end", resolve);
    });
  }

  async write(chunk: Uint8Array): Promise<Uint8Array[]> {
    const written = new Promise<void>((resolve) => this.#gunzip.write(chunk, () => resolve()));
    await Promise.race([written, this.#ended]);
    return this.#take();
  }

  async end(): Promise<Uint8Array[]> {
    if (this.failure === null) this.#gunzip.end();
    await this.#ended;
    return this.#take();
  }

  #take(): Uint8Array[] {
    const out = this.#out;
    this.#out = [];
    return out;
  }
}
