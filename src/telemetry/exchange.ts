import { receiverAddresses, type Resolve, systemResolve } from "../config/resolve-receiver.ts";
import { exchange as exchangeOnce } from "../kit/net/exchange.ts";
import type { HttpAnswer } from "../kit/net/http-message.ts";
import { isLoopbackIp, parseIp } from "../kit/net/ip.ts";

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
  const { resolve = systemResolve, ...rest } = options;
  return exchangeOnce(url, request, {
    ...rest,
    maxBodyBytes: MAX_BODY_BYTES,
    addressesOf: (host) => receiverAddresses(host, resolve),
    requirePlainAllowed(address) {
      const ip = parseIp(address);
      if (ip === null || !isLoopbackIp(ip)) throw new Error("without TLS it has to be this machine");
    },
  });
}
