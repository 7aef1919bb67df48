// A whole outgoing HTTP exchange on a connection of its own. Redirects and proxy variables are not followed.

import { connectFirst, converse, unlessAborted, withDeadline } from "./http-client.ts";
import { AnswerReader, type HttpAnswer } from "./http-message.ts";
import { connectPlain, connectVerified } from "./outgoing.ts";

export interface ExchangeOptions {
  /** Milliseconds for the whole exchange, from name resolution to the end of the answer. */
  timeoutMs: number;
  /** Further trusted certificate authorities, PEM. */
  roots: readonly string[];
  /** The addresses to which the exchange may connect, best first. */
  addressesOf(host: string): Promise<string[]>;
  /** Throws if http may not be used to this address. */
  requirePlainAllowed(address: string): void;
  /** A longer answer is a BadAnswer. */
  maxBodyBytes: number;
  /** Called before the first byte of the request is sent: the peer may have acted on it from then on. */
  onSend?(): void;
  /** Aborts the exchange, which then throws the signal's reason. */
  signal: AbortSignal;
}

/**
 * Sends a request to the host of `url` and reads the answer: TLS with a certificate for that host, or plain http where the
 * caller allows it.
 *
 * @throws TimedOut, TlsFault, BadAnswer, or the failure of the connection
 */
export function exchange(url: URL, request: Uint8Array, options: ExchangeOptions): Promise<HttpAnswer> {
  const { timeoutMs, roots } = options;
  return withDeadline(timeoutMs, options.signal, async (signal) => {
    const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
    const plain = url.protocol === "http:";
    const port = Number(url.port) || (plain ? 80 : 443);
    const addresses = await unlessAborted(options.addressesOf(host), signal);
    const connection = await connectFirst(addresses, timeoutMs, signal, async (address, share) => {
      const place = { address, port, host };
      if (!plain) return await connectVerified(place, roots, share);
      options.requirePlainAllowed(address);
      return await connectPlain(place, share);
    });
    signal.addEventListener("abort", connection.close);
    try {
      signal.throwIfAborted();
      options.onSend?.();
      const reader = new AnswerReader(options.maxBodyBytes);
      return await converse(
        connection,
        request,
        (bytes) => bytes === null ? reader.end() : reader.take(bytes),
      );
    } finally {
      signal.removeEventListener("abort", connection.close);
      connection.close();
    }
  });
}
