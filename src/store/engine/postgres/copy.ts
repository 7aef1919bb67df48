// COPY over a connection. The driver hands the messages of the protocol to the object that it was given as a query.

import { Buffer } from "node:buffer";
import type pg from "pg";
import { messageOf } from "../../../kit/errors.ts";

/** The server sends a message for each row; this many bytes are handed on at a time. */
const PIECE_BYTES = 256 * 1024;

/** What the type definitions omit of the driver's connection. */
interface Wire {
  stream: {
    pause(): void;
    resume(): void;
    destroy(): void;
    writableNeedDrain: boolean;
    once(event: "drain" | "close", listener: () => void): void;
    off(event: "drain" | "close", listener: () => void): void;
  };
  query(text: string): void;
  sendCopyFromChunk(chunk: Buffer): void;
  sendCopyFail(reason: string): void;
  endCopyFrom(): void;
}

/** One statement from submission to the server's readiness for the next. */
abstract class Copy {
  readonly done = Promise.withResolvers<void>();
  #failure: unknown = null;

  constructor(private readonly text: string) {}

  submit(wire: Wire): void {
    wire.query(this.text);
  }

  protected fail(error: unknown): void {
    this.#failure ??= error;
  }

  protected get failed(): boolean {
    return this.#failure !== null;
  }

  handleError(error: Error): void {
    this.fail(error);
    this.done.reject(this.#failure);
  }

  handleReadyForQuery(): void {
    if (this.failed) this.done.reject(this.#failure);
    else this.done.resolve();
  }

  handleCommandComplete(): void {}
  handleRowDescription(): void {}
  handleDataRow(): void {}
}

class CopyOut extends Copy {
  #pieces: Buffer[] = [];
  #bytes = 0;
  #taken: Promise<void> = Promise.resolve();

  constructor(text: string, private readonly take: (piece: Uint8Array) => Promise<void>) {
    super(text);
  }

  handleCopyData({ chunk }: { chunk: Buffer }, wire: Wire): void {
    if (this.failed) return;
    // The driver reuses its buffer.
    this.#pieces.push(Buffer.from(chunk));
    this.#bytes += chunk.length;
    if (this.#bytes >= PIECE_BYTES) this.#handOn(wire);
  }

  override handleReadyForQuery(): void {
    if (this.#bytes > 0) this.#handOn(null);
    this.#taken.then(() => super.handleReadyForQuery());
  }

  #handOn(wire: Wire | null): void {
    const piece = Buffer.concat(this.#pieces);
    this.#pieces = [];
    this.#bytes = 0;
    wire?.stream.pause();
    this.#taken = this.#taken.then(() => this.take(piece)).then(() => wire?.stream.resume(), (error) => {
      this.fail(error);
      // Instead of reading the rest of the table.
      wire?.stream.destroy();
    });
  }
}

class CopyIn extends Copy {
  #isOver = false;

  constructor(text: string, private readonly pieces: AsyncIterable<Uint8Array>) {
    super(text);
  }

  handleCopyInResponse(wire: Wire): void {
    this.#send(wire).catch((error) => {
      this.fail(error);
      wire.sendCopyFail(messageOf(error));
    });
  }

  override handleError(error: Error): void {
    this.#isOver = true;
    super.handleError(error);
  }

  async #send(wire: Wire): Promise<void> {
    for await (const piece of this.pieces) {
      if (this.#isOver) return;
      wire.sendCopyFromChunk(Buffer.from(piece.buffer, piece.byteOffset, piece.length));
      if (wire.stream.writableNeedDrain) await drained(wire);
    }
    if (!this.#isOver) wire.endCopyFrom();
  }
}

async function drained({ stream }: Wire): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  stream.once("drain", resolve);
  stream.once("close", resolve);
  await promise;
  stream.off("drain", resolve);
  stream.off("close", resolve);
}

/** Runs `COPY … TO STDOUT`; reads no more from the server while `take` is busy. */
export function copyOut(
  client: pg.Client,
  text: string,
  take: (piece: Uint8Array) => Promise<void>,
): Promise<void> {
  return run(client, new CopyOut(text, take));
}

/** Runs `COPY … FROM STDIN`. */
export function copyIn(client: pg.Client, text: string, pieces: AsyncIterable<Uint8Array>): Promise<void> {
  return run(client, new CopyIn(text, pieces));
}

async function run(client: pg.Client, copy: Copy): Promise<void> {
  client.query(copy as unknown as pg.Submittable);
  await copy.done.promise;
}
