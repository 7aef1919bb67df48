// One outgoing HTTP/1.1 exchange over a connection of its own: deadline, choice of address, request and answer. Which
// addresses and certificates are acceptable is the caller's decision.

import { type Connection, TlsFault } from "./outgoing.ts";

/** A deadline passed. */
export class TimedOut extends Error {}

/**
 * The result of `work`, unless `milliseconds` pass or `outer` is aborted first. The signal that `work` gets is aborted then.
 *
 * @throws TimedOut, or the reason of `outer`
 */
export async function withDeadline<T>(
  milliseconds: number,
  outer: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  outer.throwIfAborted();
  const ended = new AbortController();
  const aborted = Promise.withResolvers<never>();
  // Rejects even if it is no longer awaited.
  aborted.promise.catch(() => {});
  const end = (reason: unknown) => {
    ended.abort(reason);
    aborted.reject(reason);
  };
  const forward = () => end(outer.reason);
  const timer = setTimeout(() => end(new TimedOut("it did not answer in time")), milliseconds);
  outer.addEventListener("abort", forward);
  try {
    return await Promise.race([work(ended.signal), aborted.promise]);
  } finally {
    clearTimeout(timer);
    outer.removeEventListener("abort", forward);
  }
}

/**
 * Connects to the first address that accepts. Each but the last gets an equal share of `timeoutMs`; the last is bounded by
 * `signal` alone. A connection that arrives too late is closed.
 *
 * @throws the failure of the last address; TlsFault at once, because another address does not make a wrong certificate good
 */
export async function connectFirst(
  addresses: readonly string[],
  timeoutMs: number,
  signal: AbortSignal,
  connect: (address: string, signal: AbortSignal) => Promise<Connection>,
): Promise<Connection> {
  let failure: unknown = new Error("it has no address");
  for (const [index, address] of addresses.entries()) {
    const isLast = index === addresses.length - 1;
    const attempt = (share: AbortSignal) =>
      connect(address, share).then((connection) => {
        if (share.aborted) connection.close();
        return connection;
      });
    try {
      return isLast
        ? await unlessAborted(attempt(signal), signal)
        : await withDeadline(timeoutMs / addresses.length, signal, attempt);
    } catch (error) {
      if (signal.aborted || error instanceof TlsFault) throw error;
      failure = error;
    }
  }
  throw failure;
}

/** The result of `work`, unless the signal is aborted first. */
export function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}

/**
 * Sends a request and reads until `take` returns a result. `take` gets the bytes as they arrive, and null at the end of the
 * connection. A peer may answer and close before it has read the whole request.
 */
export async function converse<T>(
  connection: Connection,
  request: Uint8Array,
  take: (bytes: Uint8Array | null) => T | null,
): Promise<T> {
  const written = connection.write(request).then(() => null, (error: unknown) => ({ error }));
  for (;;) {
    const bytes = await connection.read().catch(async (error: unknown) => {
      // A failed write explains a failed read.
      throw (await Promise.race([written, null]))?.error ?? error;
    });
    const result = take(bytes);
    if (result !== null) return result;
    if (bytes === null) throw new Error("it closed the connection");
  }
}
