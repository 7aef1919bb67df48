import type { IncomingMessage } from "node:http";

/** Limits for draining an unread body, so that the sender gets to read the answer. */
export const LINGER_BYTES = 8 * 1024 * 1024;
export const LINGER_MS = 2_000;

/** Whether a part of the body has not arrived: the connection then cannot serve a further request. */
export function isUnread({ complete, headers }: IncomingMessage): boolean {
  return !complete &&
    (headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0);
}

/**
 * The answer to a request whose body is not read to its end, with `Connection: close`. Closing with unread bytes
 * resets the connection and the sender may never see the answer, so a bounded part of the rest is drained first.
 */
export async function closingResponse(
  response: Response,
  unread: ReadableStream<Uint8Array> | null,
): Promise<Response> {
  const body = await response.bytes();
  const headers = new Headers(response.headers);
  headers.set("Connection", "close");
  headers.set("Content-Length", String(body.length));
  const closing = new ReadableStream<Uint8Array<ArrayBuffer>>({
    async start(controller) {
      controller.enqueue(body);
      if (unread !== null && !unread.locked) await drain(unread);
      controller.close();
    },
  });
  return new Response(closing, { status: response.status, headers });
}

async function drain(unread: ReadableStream<Uint8Array>): Promise<void> {
  const reader = unread.getReader();
  const timer = setTimeout(() => void reader.cancel().catch(() => {}), LINGER_MS);
  try {
    for (let left = LINGER_BYTES; left > 0;) {
      const { done, value } = await reader.read();
      if (done) return;
      left -= value.length;
    }
  } catch {
    // The sender has closed the connection.
  } finally {
    clearTimeout(timer);
  }
}
