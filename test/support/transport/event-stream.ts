// Reads server-sent events in tests.

import assert from "node:assert/strict";
import { eventParser, type ServerEvent } from "../../../src/dashboard/graph/stream/sse.ts";

/** The text of an answer; of an endless stream what it starts with, up to its first event. */
export async function textOf(response: Response): Promise<string> {
  if (response.headers.get("content-type") !== "text/event-stream") return await response.text();
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  while (!/^data: .*\n\n/m.test(text)) {
    const { done, value } = await reader.read();
    if (done) break;
    text += value;
  }
  await reader.cancel();
  return text;
}

/** The events of an open stream, one after the other. */
export class EventReader {
  readonly #reader: ReadableStreamDefaultReader<string>;
  readonly #parse = eventParser();
  readonly #waiting: ServerEvent[] = [];
  /** The id of the last event that had one. */
  lastId = "";

  constructor(response: Response) {
    assert.equal(response.headers.get("content-type"), "text/event-stream");
    this.#reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  }

  /** The next event; null at the end of the stream. */
  async next(): Promise<ServerEvent | null> {
    while (this.#waiting.length === 0) {
      const { done, value } = await this.#reader.read();
      if (done) return null;
      this.#waiting.push(...this.#parse(value));
    }
    const event = this.#waiting.shift()!;
    this.lastId = event.id ?? this.lastId;
    return event;
  }

  async close(): Promise<void> {
    await this.#reader.cancel();
  }
}
