import { lookup } from "node:dns/promises";
import { mayBeReceiver } from "./receiver-address.ts";
import { parseIp } from "../kit/net/ip.ts";

/** All addresses of a host name, best first; throws if it has none. */
export type Resolve = (host: string) => Promise<string[]>;

/** Resolves a name like every program on the machine: /etc/hosts, then DNS. */
export const systemResolve: Resolve = async (host) => {
  const found = await lookup(host, { all: true, verbatim: true });
  return found.map(({ address }) => address);
};

const REFUSAL = "link-local and cloud metadata addresses are refused";

/** None of a host's addresses may be a receiver. */
export class RefusedAddress extends Error {}

/** The host of a URL without the brackets of an IPv6 address. */
export function bareHost(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, "$1");
}

/**
 * The addresses of a receiver, resolved once, so that a later DNS answer changes nothing. Addresses of cloud
 * metadata services are left out.
 *
 * @throws RefusedAddress if no other address is left
 */
export async function receiverAddresses(host: string, resolve: Resolve): Promise<string[]> {
  const addresses = parseIp(host) === null ? await resolve(host) : [host];
  if (addresses.length === 0) throw new Error("it has no address");
  const allowed = addresses.filter(mayBeReceiver);
  if (allowed.length === 0) {
    throw new RefusedAddress(REFUSAL);
  }
  return allowed;
}

/**
 * Refuses a host of which any address is refused: for clients that resolve the name again themselves. A name
 * that cannot be resolved here is left to them, because a proxy may know it.
 *
 * @throws RefusedAddress
 */
export async function requireReceiver(host: string, resolve: Resolve): Promise<void> {
  const addresses = parseIp(host) === null ? await resolve(host).catch(() => []) : [host];
  if (!addresses.every(mayBeReceiver)) throw new RefusedAddress(REFUSAL);
}
