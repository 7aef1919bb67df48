/// <reference lib="dom" />
// Follows the delta stream. `fetch` in place of EventSource: an EventSource hides the status and `Retry-After` of a
// refusal, and after a 429 it never tries again.
import type { GraphDelta, GraphHeartbeat, GraphResync } from "../../../contract/graph/graph.ts";
import { pause } from "../../../kit/threads/pause.ts";
import { eventParser, type ServerEvent } from "./sse.ts";

export type StreamStatus =
  | { state: "connecting" }
  | { state: "live" }
  /** The connection is lost; `since` is when it was lost. */
  | { state: "reconnecting"; since: number }
  /** All streams are in use; `until` is the time of the next attempt. */
  | { state: "busy"; until: number }
  /** The stream was refused, for example because the session has ended; it is asked for again. */
  | { state: "refused"; message: string };

interface StreamHandler {
  onStatus(status: StreamStatus): void;
  onDelta(delta: GraphDelta): void;
  onHeartbeat(heartbeat: GraphHeartbeat): void;
  /** The stream cannot continue from the cursor: the snapshot has to be read again. */
  onResync(reason: GraphResync["reason"] | "invalid_cursor"): void;
}

export interface StreamTimes {
  /** The server sends a heartbeat at least every 15 s. */
  silence: number;
  firstRetry: number;
  longestRetry: number;
}

const TIMES: StreamTimes = { silence: 40_000, firstRetry: 1000, longestRetry: 30_000 };

type End = "lease" | "resync" | "lost" | "refused" | { retryAfter: number };

/** Reads the stream until `signal` aborts or a resynchronisation is needed. */
export async function followGraph(
  addressFrom: (since: string) => string,
  cursor: string,
  handler: StreamHandler,
  signal: AbortSignal,
  times: StreamTimes = TIMES,
): Promise<void> {
  let since = cursor;
  let failures = 0;
  let lostAt: number | null = null;
  handler.onStatus({ state: "connecting" });
  while (!signal.aborted) {
    const end = await connection();
    if (signal.aborted || end === "resync") return;
    if (end === "lease") {
      // The routine end of a lease: nothing is lost, and the status stays as it is.
      failures = 0;
      continue;
    }
    let wait = Math.min(times.longestRetry, times.firstRetry * 2 ** failures++);
    if (end === "refused") {
      // Somebody may sign in again in another tab.
      wait = times.longestRetry;
    } else if (end === "lost") {
      lostAt ??= Date.now();
      handler.onStatus({ state: "reconnecting", since: lostAt });
    } else {
      wait = Math.max(wait, end.retryAfter);
      handler.onStatus({ state: "busy", until: Date.now() + wait });
    }
    await pause(wait, signal);
  }

  async function connection(): Promise<End> {
    const attempt = new AbortController();
    const abort = () => attempt.abort();
    signal.addEventListener("abort", abort, { once: true });
    let timer = setTimeout(abort, times.silence);
    try {
      const response = await fetch(addressFrom(since), {
        headers: { accept: "text/event-stream" },
        credentials: "same-origin",
        cache: "no-store",
        signal: attempt.signal,
      });
      if (!response.ok || response.body === null) return await refusal(response);
      lostAt = null;
      handler.onStatus({ state: "live" });
      const opened = Date.now();
      const parse = eventParser();
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
      for (let read = await reader.read(); !read.done; read = await reader.read()) {
        clearTimeout(timer);
        timer = setTimeout(abort, times.silence);
        for (const event of parse(read.value)) if (!dispatch(event)) return "resync";
      }
      // A server that ends every stream at once must not be asked again without a pause.
      return Date.now() - opened >= times.firstRetry ? "lease" : "lost";
    } catch {
      return "lost";
    } finally {
      clearTimeout(timer);
      signal.removeEventListener("abort", abort);
      attempt.abort();
    }
  }

  async function refusal(response: Response): Promise<End> {
    const body = await response.json().catch(() => null) as { error?: { message?: string } } | null;
    if (response.status === 429) {
      const seconds = Number(response.headers.get("retry-after") ?? "1");
      return { retryAfter: Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : 1000 };
    }
    if (response.status === 400) {
      handler.onResync("invalid_cursor");
      return "resync";
    }
    if (response.status < 500) {
      handler.onStatus({
        state: "refused",
        message: body?.error?.message ?? `The server answered ${response.status}.`,
      });
      return "refused";
    }
    return "lost";
  }

  /** Returns whether the stream continues. */
  function dispatch({ event, data }: ServerEvent): boolean {
    if (event === "delta") {
      const delta = JSON.parse(data) as GraphDelta;
      since = delta.cursor;
      handler.onDelta(delta);
    } else if (event === "heartbeat") {
      const heartbeat = JSON.parse(data) as GraphHeartbeat;
      since = heartbeat.cursor;
      handler.onHeartbeat(heartbeat);
    } else if (event === "resync_required") {
      handler.onResync((JSON.parse(data) as GraphResync).reason);
      return false;
    }
    failures = 0;
    return true;
  }
}

/**
 * Reads again, with growing pauses, until it succeeds.
 *
 * @param read Whether it succeeded; must not throw.
 */
export async function readUntilDone(
  read: () => Promise<boolean>,
  signal: AbortSignal,
  { firstRetry, longestRetry }: Omit<StreamTimes, "silence"> = TIMES,
): Promise<void> {
  for (let wait = firstRetry; !signal.aborted && !await read(); wait = Math.min(2 * wait, longestRetry)) {
    await pause(wait, signal);
  }
}
