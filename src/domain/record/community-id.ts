import { protocolNumber } from "../../kit/net/ip-protocol.ts";
import { canonicalIp, compareIp, packV4, parseIp } from "../../kit/net/ip.ts";
import { shortSha1, shortSha1Bits } from "../../kit/sha1.ts";
import { icmpPorts } from "./icmp.ts";

/** The two ends of a flow as stated by a record; any member may be missing or invalid. */
export interface Tuple {
  /** IANA keyword or number as text. */
  proto: string;
  srcIp: string;
  dstIp: string;
  srcPort: number | null;
  dstPort: number | null;
  icmp: { type: number; code: number | null } | null;
}

export interface CommunityIdOptions {
  /** 16 bits; must be equal across deployments that compare ids. Default 0. */
  seed?: number;
  /** Digest in base64 (the default) or lower-case hex. */
  base64?: boolean;
}

const ICMP = 1;
const TCP = 6;
const UDP = 17;
const ICMP6 = 58;
const SCTP = 132;

/** A tuple in direction-independent order. */
interface OrderedTuple {
  protocol: number;
  lower: Uint8Array;
  upper: Uint8Array;
  /** The lower end is the tuple's destination. */
  swapped: boolean;
  /** Null for a protocol without ports. */
  ports: { lower: number; upper: number } | null;
}

/** Shared input buffer for the longest tuple: allocating it each time would take a sixth of the time. */
const hashed = new Uint8Array(4 + 2 * 16 + 4);

/**
 * The Community ID, version 1 (https://github.com/corelight/community-id-spec): the same for both directions
 * of a flow, except for ICMP types without a counterpart. Null if an address, the protocol, a port or the
 * ICMP type is missing or invalid, or if the address families differ.
 */
export function communityId(tuple: Tuple, options: CommunityIdOptions = {}): string | null {
  const ordered = orderTuple(tuple);
  if (ordered === null) return null;
  const { lower, upper, ports } = ordered;
  const size = lower.length;
  const seed = options.seed ?? 0;
  hashed[0] = seed >>> 8;
  hashed[1] = seed;
  for (let at = 0; at < size; at++) {
    hashed[2 + at] = lower[at]!;
    hashed[2 + size + at] = upper[at]!;
  }
  let end = 2 + size * 2;
  hashed[end++] = ordered.protocol;
  hashed[end++] = 0;
  if (ports !== null) {
    hashed[end++] = ports.lower >>> 8;
    hashed[end++] = ports.lower;
    hashed[end++] = ports.upper >>> 8;
    hashed[end++] = ports.upper;
  }
  const digest = shortSha1(hashed, end);
  return "1:" + (options.base64 === false ? digest.toHex() : digest.toBase64());
}

/**
 * A readable key of the tuple, direction-independent under the rules of the Community ID and null when that
 * is: `6|10.0.0.1|443|10.0.0.2|51000`.
 */
export function normalisedTuple(tuple: Tuple): string | null {
  const plain = plainTuple(tuple);
  if (plain !== null) return plain;
  const ordered = orderTuple(tuple);
  if (ordered === null) return null;
  const src = canonicalIp(tuple.srcIp)!;
  const dst = canonicalIp(tuple.dstIp)!;
  const [lower, upper] = ordered.swapped ? [dst, src] : [src, dst];
  if (ordered.ports === null) return `${ordered.protocol}|${lower}|${upper}`;
  return `${ordered.protocol}|${lower}|${ordered.ports.lower}|${upper}|${ordered.ports.upper}`;
}

/** Of `communityIdBits`, which calls nothing that uses it. */
const hashedTuple = new Uint8Array(hashed.length);

/** The first 64 bits of the digest in the Community ID (seed 0) of a `normalisedTuple`. */
export function communityIdBits(tuple: string): bigint {
  const parts = tuple.split("|");
  const hasPorts = parts.length === 5;
  let end = writeIp(parts[1]!, 2);
  end = writeIp(parts[hasPorts ? 3 : 2]!, end);
  hashedTuple[end++] = Number(parts[0]);
  hashedTuple[end++] = 0;
  if (hasPorts) {
    end = writePort(parts[2]!, end);
    end = writePort(parts[4]!, end);
  }
  return shortSha1Bits(hashedTuple, end);
}

/** Writes into `hashedTuple` at `at`; returns the end. */
function writeIp(text: string, at: number): number {
  const packed = packV4(text);
  if (packed === -1) {
    const bytes = parseIp(text)!;
    hashedTuple.set(bytes, at);
    return at + bytes.length;
  }
  hashedTuple[at] = packed >>> 24;
  hashedTuple[at + 1] = packed >>> 16;
  hashedTuple[at + 2] = packed >>> 8;
  hashedTuple[at + 3] = packed;
  return at + 4;
}

function writePort(text: string, at: number): number {
  const port = Number(text);
  hashedTuple[at] = port >>> 8;
  hashedTuple[at + 1] = port;
  return at + 2;
}

const VERSION = "1:";

/** As `communityIdBits`, of a Community ID in base64 or hex; null for any other text. */
export function bitsOfCommunityId(text: string): bigint | null {
  if (!text.startsWith(VERSION)) return null;
  const digest = text.slice(VERSION.length);
  const isHex = /^[0-9a-f]{40}$/i.test(digest);
  if (!isHex && !/^[A-Za-z0-9+/]{27}=$/.test(digest)) return null;
  const bytes = isHex ? Uint8Array.fromHex(digest) : Uint8Array.fromBase64(digest);
  return new DataView(bytes.buffer, bytes.byteOffset).getBigInt64(0);
}

/** Fast path of `normalisedTuple` for TCP and UDP between IPv4 addresses; null for anything else. */
function plainTuple({ proto, srcIp, dstIp, srcPort, dstPort }: Tuple): string | null {
  const protocol = protocolNumber(proto);
  if ((protocol !== TCP && protocol !== UDP) || !isPort(srcPort) || !isPort(dstPort)) return null;
  const src = packV4(srcIp);
  const dst = packV4(dstIp);
  if (src === -1 || dst === -1) return null;
  return (src - dst || srcPort - dstPort) <= 0
    ? `${protocol}|${srcIp}|${srcPort}|${dstIp}|${dstPort}`
    : `${protocol}|${dstIp}|${dstPort}|${srcIp}|${srcPort}`;
}

function orderTuple(tuple: Tuple): OrderedTuple | null {
  const src = parseIp(tuple.srcIp);
  const dst = parseIp(tuple.dstIp);
  let protocol = protocolNumber(tuple.proto);
  if (src === null || dst === null || protocol === null || src.length !== dst.length) return null;
  // Zeek logs `icmp` for ICMPv6 too; the addresses show which one it is.
  if (protocol === ICMP && src.length === 16) protocol = ICMP6;

  let srcPort = tuple.srcPort;
  let dstPort = tuple.dstPort;
  let oneWay = false;
  if (protocol === ICMP || protocol === ICMP6) {
    if (tuple.icmp === null) return null;
    const ports = icmpPorts(protocol === ICMP6, tuple.icmp.type, tuple.icmp.code);
    srcPort = ports.src;
    dstPort = ports.dst;
    oneWay = ports.oneWay;
  } else if (protocol !== TCP && protocol !== UDP && protocol !== SCTP) {
    const swapped = compareIp(src, dst) > 0;
    return { protocol, lower: swapped ? dst : src, upper: swapped ? src : dst, swapped, ports: null };
  }
  if (!isPort(srcPort) || !isPort(dstPort)) return null;

  const order = compareIp(src, dst) || srcPort - dstPort;
  if (oneWay || order <= 0) {
    return { protocol, lower: src, upper: dst, swapped: false, ports: { lower: srcPort, upper: dstPort } };
  }
  return { protocol, lower: dst, upper: src, swapped: true, ports: { lower: dstPort, upper: srcPort } };
}

function isPort(port: number | null): port is number {
  return port !== null && Number.isInteger(port) && port >= 0 && port <= 0xffff;
}
