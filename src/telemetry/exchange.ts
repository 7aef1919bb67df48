import { lookup } from "node:dns/promises";
import { isLoopbackIp, parseIp } from "../kit/net/ip.ts";
import { type Connection, connectPlain, connectVerified, TlsFault } from "../kit/net/outgoing.ts";
import { AnswerReader, type HttpAnswer } from "./http.ts";

interface ExchangeOptions {
  /** Milliseconds for all of it, from the look-up of the name to the end of the answer. */
  timeoutMs: number;
  /** Certificate authorities to trust besides the system's, PEM. */
  roots: readonly string[];
  /** Ends it early; it then throws the signal's reason. */
  signal: AbortSignal;
}

class TimedOut extends Error {}

/**
 * Sends a request to the host of `url` and reads the answer, over a connection of its own: TLS with a certificate for that
 * host, or plain http to this machine. No redirect is followed, and no proxy of the environment used.
 */
export async function exchange(url: URL, request: Uint8Array, options: ExchangeOptions): Promise<HttpAnswer> {
  options.signal.throwIfAborted();
  return await within(options.timeoutMs, options.signal, async (signal) => {
    const opening = open(url, { ...options, signal });
    // However late it comes.
    const close = () => void opening.then((connection) => connection.close(), () => {});
    signal.addEventListener("abort", close);
    try {
      return await converse(await opening, request);
    } finally {
      signal.removeEventListener("abort", close);
      close();
    }
  });
}

/** To the first address that takes a connection; each has its share of the time. */
async function open(url: URL, { timeoutMs, roots, signal }: ExchangeOptions): Promise<Connection> {
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
  const plain = url.protocol === "http:";
  const port = Number(url.port) || (plain ? 80 : 443);
  const addresses = await addressesOf(host);
  let failure: unknown = new Error("it has no address");
  for (const address of addresses) {
    signal.throwIfAborted();
    const place = { address, port, host };
    try {
      if (plain && !isLoopback(address)) throw new Error("without TLS it has to be this machine");
      return await within(timeoutMs / addresses.length, signal, (share) => {
        const opening = plain ? connectPlain(place, share) : connectVerified(place, roots, share);
        return opening.then((connection) => {
          if (share.aborted) connection.close();
          return connection;
        });
      });
    } catch (error) {
      // A wrong certificate at one address is not made good by another.
      if (error instanceof TlsFault) throw error;
      failure = error;
    }
  }
  throw failure;
}

/** What `work` gives within so many milliseconds and before the signal; its own signal is aborted at whichever comes first. */
async function within<T>(
  milliseconds: number,
  outer: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const ended = new AbortController();
  const aborted = Promise.withResolvers<never>();
  const end = (reason: unknown) => {
    ended.abort(reason);
    aborted.reject(reason);
  };
  const give = () => end(outer.reason);
  const timer = setTimeout(() => end(new TimedOut("it did not answer in time")), milliseconds);
  outer.addEventListener("abort", give);
  try {
    return await Promise.race([work(ended.signal), aborted.promise]);
  } finally {
    clearTimeout(timer);
    outer.removeEventListener("abort", give);
  }
}

/** As every program on the machine resolves names: /etc/hosts, then DNS. */
async function addressesOf(host: string): Promise<string[]> {
  if (parseIp(host) !== null) return [host];
  const found = await lookup(host, { all: true, verbatim: true });
  return found.map(({ address }) => address);
}

function isLoopback(address: string): boolean {
  const ip = parseIp(address);
  return ip !== null && isLoopbackIp(ip);
}

async function converse(connection: Connection, request: Uint8Array): Promise<HttpAnswer> {
  // A server may answer, and close, before it has taken all of it.
  const written = connection.write(request).then(() => null, (error: unknown) => ({ error }));
  const reader = new AnswerReader();
  for (;;) {
    const bytes = await connection.read().catch(async (error: unknown) => {
      throw (await Promise.race([written, null]))?.error ?? error;
    });
    const answer = bytes === null ? reader.end() : reader.take(bytes);
    if (answer !== null) return answer;
  }
}
