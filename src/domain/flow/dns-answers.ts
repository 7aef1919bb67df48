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

/** A name and the addresses a client received for it. */
interface Resolution {
  name: string;
  addresses: string[];
}

/** NetBIOS, multicast DNS and LLMNR: any host on the link may answer these. */
const LOCAL_PORTS: ReadonlySet<number> = new Set([137, 5353, 5355]);

/**
 * True for a transaction with a resolver. Link-local name services do not count: any host on the link may
 * answer.
 */
export function isResolverTransaction({ facts, src, dst }: Observation): boolean {
  if (facts?.type !== "dns") return false;
  if (LOCAL_PORTS.has(dst.port ?? 0) || LOCAL_PORTS.has(src.port ?? 0)) return false;
  return isHost(dst.ip);
}

/**
 * The resolution in a DNS transaction: the name as queried and every address at the end of the alias chain.
 * Null without an address: a query alone, a failure, another query type. (Suricata before version 5 writes
 * one record per answer; the name is then the last of the chain.)
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

/** False for addresses that name no host or a different one on each host: block lists answer with these. */
function isHost(ip: string): boolean {
  const bytes = parseIp(ip);
  return bytes !== null && !isMulticastIp(bytes) && !isBroadcastIp(bytes) && !isLoopbackIp(bytes) &&
    !isUnspecifiedIp(bytes);
}
