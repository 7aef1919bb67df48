import { lookup } from "node:dns/promises";
import { mayBeReceiver } from "../../config/receiver-address.ts";
import { parseIp } from "../../kit/net/ip.ts";

/** All addresses of a host name, best first; throws where it has none. */
export type Resolve = (host: string) => Promise<string[]>;

/** As every program on the machine resolves names: /etc/hosts, then DNS. */
export const systemResolve: Resolve = async (host) => {
  const found = await lookup(host, { all: true, verbatim: true });
  return found.map(({ address }) => address);
};

/** None of the addresses of a host may be a receiver's. */
export class RefusedAddress extends Error {}

/** The host of a URL without the brackets of an IPv6 address. */
export function bareHost(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, "$1");
}

/**
 * The addresses of a receiver to connect to, looked up once: whoever answers the next look-up otherwise changes nothing.
 * Those of cloud metadata services are left out.
 *
 * @throws RefusedAddress where no other is left
 */
export async function receiverAddresses(host: string, resolve: Resolve): Promise<string[]> {
  const addresses = parseIp(host) === null ? await resolve(host) : [host];
  if (addresses.length === 0) throw new Error("it has no address");
  const allowed = addresses.filter(mayBeReceiver);
  if (allowed.length === 0) {
    throw new RefusedAddress("link-local and cloud metadata addresses are refused");
  }
  return allowed;
}
