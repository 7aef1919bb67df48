import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { clearInterval, setInterval } from "node:timers";

interface Held {
  /** Unfinished answers; more than one with pipelined requests. */
  answers: Set<ServerResponse>;
  /** Bytes that the peer has taken, and when those were last enough or nothing was pending. */
  taken: number;
  takenAt: number;
}

/** Bytes per second: slower than any real link, and fast enough that a client does not hold a place for long. */
const LEAST_RATE = 1024;

/**
 * The open connections of a listener, at most `max`: a further one replaces the connection that has been idle
 * longest, so that silent and slow clients cannot keep others out. A peer that reads its answer too
 * slowly is cut off.
 */
export class Connections {
  readonly #max: number;
  readonly #stallMs: number;
  readonly #sweep: ReturnType<typeof setInterval>;
  /** In the order in which they became idle: the first one without an answer under way has waited longest. */
  readonly #held = new Map<Socket, Held>();

  /** `stallMs`: how long a peer may take less than `LEAST_RATE` of a pending answer. */
  constructor(options: { max: number; stallMs: number }) {
    this.#max = options.max;
    this.#stallMs = options.stallMs;
    this.#sweep = setInterval(() => this.#cutStalled(), Math.min(2_000, Math.ceil(options.stallMs / 4)));
    this.#sweep.unref();
  }

  /** Adds a new connection; false if requests under way hold all places. */
  add(socket: Socket): boolean {
    if (this.#held.size >= this.#max && !this.#evictIdle()) return false;
    this.#held.set(socket, { answers: new Set(), taken: 0, takenAt: 0 });
    socket.once("close", () => this.#held.delete(socket));
    return true;
  }

  /** A request has arrived; its answer is under way until it is finished or the connection ends. */
  begin(response: ServerResponse): void {
    const socket = response.socket;
    const held = socket === null ? undefined : this.#held.get(socket);
    if (socket === null || held === undefined) return;
    held.answers.add(response);
    held.taken = takenOf(socket);
    held.takenAt = performance.now();
    response.once("close", () => {
      held.answers.delete(response);
      if (held.answers.size > 0 || !this.#held.delete(socket)) return;
      this.#held.set(socket, held);
    });
  }

  /** Whether part of an answer has been sent, so that nothing else may be written. */
  hasBegunAnswer(socket: Socket): boolean {
    return [...this.#held.get(socket)?.answers ?? []].some((response) => response.headersSent);
  }

  stop(): void {
    clearInterval(this.#sweep);
  }

  #evictIdle(): boolean {
    for (const [socket, { answers }] of this.#held) {
      if (answers.size > 0) continue;
      this.#held.delete(socket);
      socket.destroy();
      return true;
    }
    return false;
  }

  #cutStalled(): void {
    const now = performance.now();
    for (const [socket, held] of this.#held) {
      const taken = takenOf(socket);
      const least = LEAST_RATE * this.#stallMs / 1000;
      if (socket.writableLength === 0 || taken - held.taken >= least) {
        held.taken = taken;
        held.takenAt = now;
      } else if (held.answers.size > 0 && now - held.takenAt > this.#stallMs) socket.destroy();
    }
  }
}

function takenOf(socket: Socket): number {
  return socket.bytesWritten - socket.writableLength;
}
