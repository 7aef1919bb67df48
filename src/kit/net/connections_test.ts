import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { Connections } from "./connections.ts";

const STALL = 200;

/** A connection on which an answer of a megabyte waits, whose peer takes `bytes` every 20 ms; whether it was cut off. */
async function isCut(bytes: number): Promise<boolean> {
  const connections = new Connections({ max: 1, stallMs: STALL });
  let cut = false;
  const socket = Object.assign(new EventEmitter(), {
    bytesWritten: 1_000_000,
    writableLength: 1_000_000,
    destroy: () => cut = true,
  });
  connections.add(socket as unknown as Socket);
  connections.begin(Object.assign(new EventEmitter(), { socket }) as unknown as ServerResponse);
  const reading = setInterval(() => socket.writableLength -= bytes, 20);
  await new Promise((resolve) => setTimeout(resolve, 4 * STALL));
  clearInterval(reading);
  connections.stop();
  return cut;
}

Deno.test("connections: a peer that takes almost nothing of its answer is cut off, a slow one is not", async () => {
  // Of 1,024 bytes a second.
  assert.deepEqual(await Promise.all([0, 1, 100].map(isCut)), [true, true, false]);
});
