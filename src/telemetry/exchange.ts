import { bareHost, receiverAddresses, type Resolve, systemResolve } from "../config/resolve-receiver.ts";
import { connectFirst, converse, unlessAborted, withDeadline } from "../kit/net/http-client.ts";
import { AnswerReader, type HttpAnswer } from "../kit/net/http-message.ts";
import { isLoopbackIp, parseIp } from "../kit/net/ip.ts";
import { connectPlain, connectVerified } from "../kit/net/outgoing.ts";

/** Several times the longest answer of the protocol. */
export const MAX_BODY_BYTES = 64 * 1024;

interface ExchangeOptions {
  /** Milliseconds for the whole exchange, from name resolution to the end of the answer. */
  timeoutMs: number;
  /** Further trusted certificate authorities, PEM. */
  roots: readonly string[];
  /** Resolves the host's name; default: like every program on the machine. */
  resolve?: Resolve;
  /** Aborts the exchange, which then throws the signal's reason. */
  signal: AbortSignal;
}

/**
 * Sends a request to the host of `url` and reads the answer, over a connection of its own: TLS with a certificate for that
 * host, or plain http to this machine. Addresses that no receiver may have are refused. Redirects and proxy variables are not followed.
 */
export function exchange(url: URL, request: Uint8Array, options: ExchangeOptions): Promise<HttpAnswer> {
  const { timeoutMs, roots, resolve = systemResolve } = options;
  return withDeadline(timeoutMs, options.signal, async (signal) => {
    const host = bareHost(url);
    const plain = url.protocol === "http:";
    const port = Number(url.port) || (plain ? 80 : 443);
    const addresses = await unlessAborted(receiverAddresses(host, resolve), signal);
    const connection = await connectFirst(addresses, timeoutMs, signal, async (address, share) => {
      const place = { address, port, host };
      if (!plain) return await connectVerified(place, roots, share);
      if (!isLoopback(address)) throw new Error("without TLS it has to be this machine");
      return await connectPlain(place, share);
    });
    signal.addEventListener("abort", connection.close);
    try {
      const reader = new AnswerReader(MAX_BODY_BYTES);
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

function isLoopback(address: string): boolean {
  const ip = parseIp(address);
  return ip !== null && isLoopbackIp(ip);
}
