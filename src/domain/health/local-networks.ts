// Networks that look like the site's own although they are not configured: the appliance knows no devices in them,
// so most detectors cannot see them. Health suggests them for sites.yaml.
//
// Only traffic without a configured end counts, since a remote network that the site's devices use, or that uses
// their services, is no part of it. A network looks local if
//
// - several of its addresses send what no router forwards (link-scope multicast, broadcast, neighbour discovery),
//   receive leases, or exchange traffic with each other within the network, or
// - it has answered connections with many providers: a remote network is seen with the site's own networks only,
//   which share a provider.
import {
  type Cidr,
  cidrContains,
  formatIp,
  isOneHost,
  isPrivateIp,
  parseCidr,
  parseIp,
} from "../../kit/net/ip.ts";
import { countOf, type Party, type Sighting } from "../detect/kernel/detector.ts";
import { Distinct, distinct } from "../detect/kernel/state/distinct.ts";
import { defineState, list, mapped, record, text, varint } from "../detect/kernel/state/schema.ts";
import { leasedAddress } from "../device/lease.ts";
import type { Observation } from "../record/observation.ts";

/** Networks watched at a time per tenant; beyond it the one with the least evidence is dropped. */
const MAX_NETWORKS = 64;
/** Addresses with traffic on the local link that make a network look local. */
export const MIN_LINKED = 3;
/** Providers on the other side of answered connections that make a network look local. */
export const MIN_PROVIDERS = 8;
/** Addresses that a public IPv4 network needs in addition: a single one is the site's own in a network of its provider. */
export const MIN_PUBLIC_V4_ADDRESSES = 3;
/** Addresses that are counted exactly, beyond which the count is an estimate. */
const COUNTED_ADDRESSES = 16;
/** A network that was last seen this long before the newest one has been given up, such as a prefix of the provider. */
const FADE_DAYS = 7;
/** Hexadecimal digits of an IPv6 /64. */
const MAX_KEY = 16;
const DAY = 86_400_000_000;

interface SeenNetwork {
  /** Addresses with answered connections, or with traffic on the local link. */
  addresses: Distinct;
  /** Of these, addresses with traffic on the local link. */
  linked: Distinct;
  /** Providers (an IPv6 /32, an IPv4 /16) on the other side of answered connections. */
  providers: Distinct;
  /** The latest day (since the Unix epoch, UTC) of source time on which it was seen. */
  day: number;
}

export interface SeenNetworks {
  /** By the hexadecimal prefix: six digits of an IPv4 /24, 16 of an IPv6 /64. */
  networks: Map<string, SeenNetwork>;
}

export const SEEN_NETWORKS = defineState<SeenNetworks>({
  id: 4,
  name: "unconfigured networks",
  keepDays: 30,
  readElsewhere: true,
  version: 1,
  empty: () => ({ networks: new Map() }),
  fields: record<SeenNetworks>({
    networks: mapped(
      list(
        record<SeenNetwork & { network: string }>({
          network: text(MAX_KEY),
          addresses: distinct(COUNTED_ADDRESSES),
          linked: distinct(MIN_LINKED),
          providers: distinct(MIN_PROVIDERS),
          day: varint,
        }),
        MAX_NETWORKS,
      ),
      (networks) => Array.from(networks, ([network, seen]) => ({ network, ...seen })),
      (entries) => new Map(entries.map(({ network, ...seen }) => [network, seen])),
    ),
  }),
});

type NetworkSighting = Pick<Sighting, "observation" | "src" | "dst" | "connection" | "site">;

/** Adds what an observation shows of unconfigured networks; returns whether the state changed. */
export function noteNetworks(state: SeenNetworks, sighting: NetworkSighting): boolean {
  const { observation, src, dst, connection } = sighting;
  if (observation.facts?.type === "dhcp") return noteLease(state, sighting);
  if (src.internal || dst.internal || !isOneHost(src.ip)) return false;
  const day = dayOf(observation);
  if (isLinkScope(dst.ip)) return noteLinked(state, rangeOf(src.ip), src.ip, day);
  if (!isOneHost(dst.ip)) return false;
  const isDiscovery = isNeighbourDiscovery(observation);
  const answered = isAnswered(connection);
  const isBroadcast = dst.ip.endsWith(".255");
  if (!answered && !isDiscovery && !isBroadcast) return false;
  const [from, to] = [rangeOf(src.ip), rangeOf(dst.ip)];
  if (from.network !== to.network) return answered && noteExchange(state, { src, dst, from, to, day });
  if (isBroadcast) return noteLinked(state, from, src.ip, day);
  // In a public /24 of a provider, its router and servers are neighbours of the site's only address.
  if (from.isPublicV4) return false;
  const one = noteLinked(state, from, src.ip, day);
  const other = noteLinked(state, to, dst.ip, day);
  return one || other;
}

/** A lease proves that the client's address is in use on a network of the site. */
function noteLease(state: SeenNetworks, { observation, site }: NetworkSighting): boolean {
  const ip = leasedAddress(observation);
  if (ip === null || !isOneHost(ip) || site.isInternal(ip)) return false;
  return noteLinked(state, rangeOf(ip), ip, dayOf(observation));
}

function noteLinked(state: SeenNetworks, { network }: Range, ip: string, day: number): boolean {
  const seen = seenOf(state, network, day);
  const isNew = seen.addresses.add(ip);
  const isLinked = seen.linked.add(ip);
  return noteDay(seen, day) || isNew || isLinked;
}

/** An answered connection between two networks. */
interface Exchange {
  src: Party;
  dst: Party;
  from: Range;
  to: Range;
  day: number;
}

function noteExchange(state: SeenNetworks, { src, dst, from, to, day }: Exchange): boolean {
  const one = noteEnd(state, src.ip, { own: from, other: to, day });
  const other = noteEnd(state, dst.ip, { own: to, other: from, day });
  return one || other;
}

function noteEnd(
  state: SeenNetworks,
  ip: string,
  { own, other, day }: { own: Range; other: Range; day: number },
) {
  const seen = seenOf(state, own.network, day);
  // A site may have many private networks, which all use the same servers outside.
  const isNewProvider = (own.isPrivate || !other.isPrivate) && seen.providers.add(other.provider);
  const isNew = seen.addresses.add(ip);
  return noteDay(seen, day) || isNew || isNewProvider;
}

function noteDay(seen: SeenNetwork, day: number): boolean {
  if (day <= seen.day) return false;
  seen.day = day;
  return true;
}

function dayOf({ start }: Observation): number {
  return Math.max(0, Math.floor(start / DAY));
}

function seenOf({ networks }: SeenNetworks, network: string, day: number): SeenNetwork {
  const known = networks.get(network);
  if (known !== undefined) return known;
  if (networks.size >= MAX_NETWORKS) networks.delete(weakest(networks));
  const fresh = {
    addresses: new Distinct(COUNTED_ADDRESSES),
    linked: new Distinct(MIN_LINKED),
    providers: new Distinct(MIN_PROVIDERS),
    day,
  };
  networks.set(network, fresh);
  return fresh;
}

/**
 * The network with the least evidence; of equal ones the one known longest. Most networks are remote ones with a single
 * provider, and the first of these is taken at once.
 */
function weakest(networks: ReadonlyMap<string, SeenNetwork>): string {
  let least: { network: string; evidence: number } | null = null;
  for (const [network, { linked, providers }] of networks) {
    const evidence = linked.count * MIN_PROVIDERS + providers.count * MIN_LINKED;
    if (evidence <= MIN_LINKED) return network;
    if (least === null || evidence < least.evidence) least = { network, evidence };
  }
  return least!.network;
}

function isAnswered(connection: NetworkSighting["connection"]): boolean {
  return connection !== null && (countOf(connection.packetsIn) > 0 || countOf(connection.bytesIn) > 0);
}

/** Router and neighbour solicitations, advertisements and redirects, which routers never forward (RFC 4861). */
function isNeighbourDiscovery({ icmp, proto }: Observation): boolean {
  return proto === "ipv6-icmp" && icmp !== null && icmp.type >= 133 && icmp.type <= 137;
}

/** Whether no router forwards packets to this address: 224.0.0.0/24, 255.255.255.255, ff01::/16 and ff02::/16. */
function isLinkScope(ip: string): boolean {
  const bytes = parseIp(ip);
  if (bytes === null) return false;
  if (bytes.length === 16) return bytes[0] === 0xff && ((bytes[1]! & 0x0f) === 1 || (bytes[1]! & 0x0f) === 2);
  return (bytes[0] === 224 && bytes[1] === 0 && bytes[2] === 0) || ip === "255.255.255.255";
}

interface Range {
  /** The key of its network. */
  network: string;
  provider: string;
  isPrivate: boolean;
  isPublicV4: boolean;
}

/** Addresses are cut as bytes: their text takes ten times as long. */
function rangeOf(ip: string): Range {
  const bytes = parseIp(ip)!;
  const isPrivate = isPrivateIp(bytes);
  const isV4 = bytes.length === 4;
  return {
    network: bytes.subarray(0, isV4 ? 3 : 8).toHex(),
    provider: bytes.subarray(0, isV4 ? 2 : 4).toHex(),
    isPrivate,
    isPublicV4: isV4 && !isPrivate,
  };
}

/** The network of a key: `203.0.113.0/24`, `2001:db8:1::/64`. */
function networkOf(key: string): Cidr {
  const prefix = Uint8Array.fromHex(key);
  const first = new Uint8Array(prefix.length === 3 ? 4 : 16);
  first.set(prefix);
  return parseCidr(`${formatIp(first)}/${8 * prefix.length}`)!;
}

/** A network to suggest. */
export interface LocalNetwork {
  network: string;
  addresses: number;
  /** Whether `addresses` is exact; otherwise it is an estimate. */
  exact: boolean;
}

/** The seen networks that look local and are not configured, those with the most addresses first. */
export function localNetworks({ networks }: SeenNetworks, configured: readonly Cidr[]): LocalNetwork[] {
  const newest = Math.max(...[...networks.values()].map(({ day }) => day));
  return [...networks]
    .map(([key, seen]) => ({ range: networkOf(key), seen }))
    .filter(({ range, seen }) =>
      looksLocal(range, seen) && seen.day > newest - FADE_DAYS &&
      !configured.some((cidr) => cidrContains(cidr, range.first))
    )
    .map(({ range: { first, prefix }, seen }) => ({
      network: `${formatIp(first)}/${prefix}`,
      addresses: seen.addresses.count,
      exact: seen.addresses.exact,
    }))
    .sort((a, b) => b.addresses - a.addresses || (a.network < b.network ? -1 : 1));
}

function looksLocal({ first }: Cidr, { addresses, linked, providers }: SeenNetwork): boolean {
  if (linked.count >= MIN_LINKED) return true;
  const isPublicV4 = first.length === 4 && !isPrivateIp(first);
  return providers.count >= MIN_PROVIDERS && addresses.count >= (isPublicV4 ? MIN_PUBLIC_V4_ADDRESSES : 1);
}
