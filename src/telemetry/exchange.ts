import { lookup } from "node:dns/promises";
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
  /** Aborts the exchange, which then throws the signal's reason. */
  signal: AbortSignal;
}

/**
 * Sends a request to the host of `url` and reads the answer, over a connection of its own: TLS with a certificate for that
 * host, or plain http to this machine. Redirects and proxy variables are not followed.
 */
export function exchange(url: URL, request: Uint8Array, options: ExchangeOptions): Promise<HttpAnswer> {
  const { timeoutMs, roots } = options;
  return withDeadline(timeoutMs, options.signal, async (signal) => {
    const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
    const plain = url.protocol === "http:";
    const port = Number(url.port) || (plain ? 80 : 443);
    const addresses = await unlessAborted(addressesOf(host), signal);
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

/** Resolves a name like every program on the machine: /etc/hosts, then DNS. */
async function addressesOf(host: string): Promise<string[]> {
  if (parseIp(host) !== null) return [host];
  const found = await lookup(host, { all: true, verbatim: true });
  return found.map(({ address }) => address);
}

function isLoopback(address: string): boolean {
  const ip = parseIp(address);
  return ip !== null && isLoopbackIp(ip);
}
