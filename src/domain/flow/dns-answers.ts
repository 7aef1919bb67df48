import {
  canonicalIp,
  isBroadcastIp,
  isLoopbackIp,
  isMulticastIp,
  isUnspecifiedIp,
  parseIp,
} from "../../kit/net/ip.ts";
import type { Observation } from "../record/observation.ts";
import { isHostText } from "./server-name.ts";

/** A name and the addresses that a client was told for it. */
interface Resolution {
  name: string;
  addresses: string[];
}

/** NetBIOS, multicast DNS and LLMNR: their answers come from whoever claims a name on the link. */
const LOCAL_PORTS: ReadonlySet<number> = new Set([137, 5353, 5355]);

/**
 * True for a transaction with a resolver, which is what leads a client to a server. Names that hosts of one link give
 * each other do not count: anybody there may answer.
 */
export function isResolverTransaction({ facts, src, dst }: Observation): boolean {
  if (facts?.type !== "dns") return false;
  if (LOCAL_PORTS.has(dst.port ?? 0) || LOCAL_PORTS.has(src.port ?? 0)) return false;
  return isHost(dst.ip);
}

/**
 * What a client learned from a DNS transaction: the name as it asked for it, and every address at the end of the chain
 * of aliases. Null where it learned no address: a question alone, a failure, another type of record. (Suricata before
 * version 5 writes one record for each answer; there the name is the last of the chain.)
 */
export function resolutionOf(observation: Observation): Resolution | null {
  const { facts, src } = observation;
  if (facts?.type !== "dns" || !facts.answered || facts.query === null) return null;
  if (facts.qtype !== "A" && facts.qtype !== "AAAA") return null;
  if (facts.rcode !== null && facts.rcode !== "NOERROR") return null;
  if (!isHostText(facts.query) || !isResolverTransaction(observation) || !isHost(src.ip)) return null;
  const addresses = new Set<string>();
  for (const answer of facts.answers) {
    const ip = canonicalIp(answer);
    if (ip !== null && isHost(ip)) addresses.add(ip);
  }
  return addresses.size === 0 ? null : { name: facts.query, addresses: [...addresses] };
}

/** False for addresses that mean no host, or another one on each host: block lists answer with such. */
function isHost(ip: string): boolean {
  const bytes = parseIp(ip);
  return bytes !== null && !isMulticastIp(bytes) && !isBroadcastIp(bytes) && !isLoopbackIp(bytes) &&
    !isUnspecifiedIp(bytes);
}
