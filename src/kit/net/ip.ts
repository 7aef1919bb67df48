import { BoundedMap } from "../bounded-map.ts";

export interface Cidr {
  /** First and last address of the network, 4 or 16 bytes each. */
  first: Uint8Array;
  last: Uint8Array;
  prefix: number;
  version: 4 | 6;
}

/**
 * The 4 or 16 bytes of an address, or `null` if the text is not one. Strict: no leading zeros (`010.0.0.1`),
 * no short or numeric forms (`1`, `127.1`), no zone identifier, no brackets, no white space. Any valid IPv6
 * spelling is accepted; an IPv4-mapped one (`::ffff:192.0.2.1`) gives its 4 IPv4 bytes.
 *
 * The array may be shared: do not write to it.
 */
export function parseIp(text: string): Uint8Array | null {
  return lookUp(text)?.bytes ?? null;
}

/** The canonical text (RFC 5952, or dotted decimal) of any accepted spelling, else `null`. */
export function canonicalIp(text: string): string | null {
  // A dotted decimal address has one spelling, and most other texts are names.
  if (text.indexOf(":") === -1) return packV4(text) === -1 ? null : text;
  return lookUp(text)?.canonical ?? null;
}

/**
 * True for an address of a single host: not multicast, limited broadcast, unspecified, loopback or
 * link-local. False for a text that is not an address.
 */
export function isOneHost(text: string): boolean {
  return lookUp(text)?.oneHost ?? false;
}

interface KnownIp {
  bytes: Uint8Array;
  canonical: string;
  oneHost: boolean;
}

/** Networks talk to themselves: most addresses of a record were seen a moment ago. */
const known = new BoundedMap<string, KnownIp>(32_768);

function lookUp(text: string): KnownIp | null {
  const hit = known.get(text);
  if (hit !== undefined) return hit;
  const bytes = parseAny(text);
  if (bytes === null) return null;
  const oneHost = !isUnspecifiedIp(bytes) && !isMulticastIp(bytes) && !isBroadcastIp(bytes) &&
    !isLoopbackIp(bytes) && !isLinkLocalIp(bytes);
  const entry = { bytes, canonical: formatIp(bytes), oneHost };
  known.set(text, entry);
  return entry;
}

function parseAny(text: string): Uint8Array | null {
  if (text.indexOf(":") === -1) return parseV4(text);
  const bytes = parseV6(text);
  return bytes !== null && isMapped(bytes) ? bytes.slice(12) : bytes;
}

/** Canonical text of 4 or 16 address bytes. Throws a RangeError for another length. */
export function formatIp(bytes: Uint8Array): string {
  if (bytes.length === 4) return `${bytes[0]}.${bytes[1]}.${bytes[2]}.${bytes[3]}`;
  if (bytes.length !== 16) throw new RangeError(`expected 4 or 16 address bytes, got ${bytes.length}`);
  if (isMapped(bytes)) return `${bytes[12]}.${bytes[13]}.${bytes[14]}.${bytes[15]}`;
  return formatV6(bytes);
}

/**
 * Reads `address/prefix`. Bits beyond the prefix are cleared (`10.1.2.3/8` is `10.0.0.0/8`); an IPv4-mapped
 * network becomes the IPv4 one. `null` if the text is not a network: no prefix, one that is too long, or one
 * with a sign or a leading zero.
 */
export function parseCidr(text: string): Cidr | null {
  const slash = text.indexOf("/");
  if (slash === -1) return null;
  const address = parseIp(text.slice(0, slash));
  const prefixText = text.slice(slash + 1);
  if (address === null || !/^(0|[1-9][0-9]{0,2})$/.test(prefixText)) return null;
  let prefix = Number(prefixText);
  // Written as IPv6 but unwrapped above: its prefix includes the 96 leading bits.
  if (address.length === 4 && text.indexOf(":") !== -1) prefix -= 96;
  if (prefix < 0 || prefix > address.length * 8) return null;
  const first = address.slice();
  const last = address.slice();
  for (let i = 0; i < first.length; i++) {
    const kept = Math.min(8, Math.max(0, prefix - i * 8));
    const hostMask = 0xff >> kept;
    first[i] = first[i]! & ~hostMask;
    last[i] = last[i]! | hostMask;
  }
  return { first, last, prefix, version: address.length === 4 ? 4 : 6 };
}

/** Compares addresses as numbers, IPv4 before IPv6; negative, 0 or positive. */
export function compareIp(a: Uint8Array, b: Uint8Array): number {
  if (a.length !== b.length) return a.length - b.length;
  for (let i = 0; i < a.length; i++) {
    const difference = a[i]! - b[i]!;
    if (difference !== 0) return difference;
  }
  return 0;
}

export function cidrContains(cidr: Cidr, ip: Uint8Array): boolean {
  return ip.length === cidr.first.length && compareIp(cidr.first, ip) <= 0 && compareIp(ip, cidr.last) <= 0;
}

/** The directed broadcast addresses of networks: the last address of an IPv4 network of more than two. */
export function broadcastsOf(networks: readonly Cidr[]): ReadonlySet<string> {
  return new Set(
    networks.filter(({ version, prefix }) => version === 4 && prefix <= 30)
      .map(({ last }) => formatIp(last)),
  );
}

/** RFC 1918 and unique local (fc00::/7) addresses. */
export function isPrivateIp(ip: Uint8Array): boolean {
  if (ip.length === 16) return (ip[0]! & 0xfe) === 0xfc;
  return ip[0] === 10 || (ip[0] === 172 && (ip[1]! & 0xf0) === 16) || (ip[0] === 192 && ip[1] === 168);
}

/** 224.0.0.0/4 and ff00::/8. */
export function isMulticastIp(ip: Uint8Array): boolean {
  return ip.length === 16 ? ip[0] === 0xff : (ip[0]! & 0xf0) === 0xe0;
}

/** 127.0.0.0/8 and ::1. */
export function isLoopbackIp(ip: Uint8Array): boolean {
  return ip.length === 16 ? ip[15] === 1 && isAll(ip, 15, 0) : ip[0] === 127;
}

/** 169.254.0.0/16 and fe80::/10. */
export function isLinkLocalIp(ip: Uint8Array): boolean {
  if (ip.length === 16) return ip[0] === 0xfe && (ip[1]! & 0xc0) === 0x80;
  return ip[0] === 169 && ip[1] === 254;
}

/** The limited broadcast address; see `broadcastsOf` for those of networks. */
export function isBroadcastIp(ip: Uint8Array): boolean {
  return ip.length === 4 && isAll(ip, 4, 255);
}

/** 0.0.0.0 and ::. */
export function isUnspecifiedIp(ip: Uint8Array): boolean {
  return isAll(ip, ip.length, 0);
}

/**
 * Whether an address, in canonical text, stands for one that the record does not state: a resolver's log without the
 * resolver's address, an exporter that fills in zeros, a DHCP client without a lease. It is nobody's address: no device,
 * no node of the map, no destination.
 */
export function isUnstatedIp(ip: string): boolean {
  return ip === "0.0.0.0" || ip === "::";
}

/** Whether a canonical address can have a place in the world: private, local and multicast ones do not. */
export function isGlobalAddress(address: string): boolean {
  const ip = parseIp(address);
  return ip !== null && !isPrivateIp(ip) && !isLoopbackIp(ip) && !isLinkLocalIp(ip) && !isMulticastIp(ip) &&
    !isBroadcastIp(ip) && !isUnspecifiedIp(ip);
}

function isAll(ip: Uint8Array, length: number, byte: number): boolean {
  for (let at = 0; at < length; at++) if (ip[at] !== byte) return false;
  return true;
}

function isMapped(bytes: Uint8Array): boolean {
  if (bytes[10] !== 0xff || bytes[11] !== 0xff) return false;
  for (let i = 0; i < 10; i++) if (bytes[i] !== 0) return false;
  return true;
}

/** A dotted decimal address as a 32-bit number; -1 if the text is not one. */
export function packV4(text: string): number {
  const { length } = text;
  if (length < 7 || length > 15) return -1;
  let packed = 0;
  let dots = 0;
  let digits = 0;
  let value = 0;
  for (let at = 0; at < length; at++) {
    const digit = text.charCodeAt(at) - 0x30;
    if (digit === -2) {
      if (digits === 0 || ++dots > 3) return -1;
      packed = packed * 256 + value;
      digits = value = 0;
    } else {
      if (digit < 0 || digit > 9 || (digits > 0 && value === 0)) return -1;
      digits++;
      value = value * 10 + digit;
      if (value > 255) return -1;
    }
  }
  return dots === 3 && digits > 0 ? packed * 256 + value : -1;
}

function parseV4(text: string): Uint8Array | null {
  const packed = packV4(text);
  return packed === -1 ? null : Uint8Array.of(packed >>> 24, packed >>> 16, packed >>> 8, packed);
}

function parseV6(text: string): Uint8Array | null {
  const groups: number[] = [];
  let gap = -1;
  let at = 0;
  if (text.startsWith("::")) {
    gap = 0;
    at = 2;
  }
  while (at < text.length) {
    const start = at;
    let value = 0;
    while (at < text.length && at - start < 4) {
      const digit = hexDigit(text.charCodeAt(at));
      if (digit === -1) break;
      value = value * 16 + digit;
      at++;
    }
    if (at === start) return null;
    if (text.charCodeAt(at) === 0x2e) {
      const v4 = parseV4(text.slice(start));
      if (v4 === null) return null;
      groups.push(v4[0]! * 256 + v4[1]!, v4[2]! * 256 + v4[3]!);
      at = text.length;
      break;
    }
    groups.push(value);
    if (at === text.length) break;
    if (text.charCodeAt(at++) !== 0x3a || at === text.length) return null;
    if (text.charCodeAt(at) === 0x3a) {
      if (gap !== -1) return null;
      gap = groups.length;
      at++;
    }
    if (groups.length > 8) return null;
  }
  // A "::" replaces at least one group of zeros.
  if (gap === -1 ? groups.length !== 8 : groups.length > 7) return null;
  const bytes = new Uint8Array(16);
  const shift = 8 - groups.length;
  for (let i = 0; i < groups.length; i++) {
    const place = gap !== -1 && i >= gap ? i + shift : i;
    bytes[place * 2] = groups[i]! >> 8;
    bytes[place * 2 + 1] = groups[i]! & 0xff;
  }
  return bytes;
}

function hexDigit(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}

function formatV6(bytes: Uint8Array): string {
  // RFC 5952: the longest run of two or more zero groups, the first among equals, becomes "::".
  let gap = -1;
  let gapLength = 1;
  for (let i = 0; i < 8;) {
    let end = i;
    while (end < 8 && bytes[end * 2] === 0 && bytes[end * 2 + 1] === 0) end++;
    if (end - i > gapLength) {
      gap = i;
      gapLength = end - i;
    }
    i = end + 1;
  }
  let text = "";
  for (let i = 0; i < 8; i++) {
    if (i === gap) {
      text += "::";
      i += gapLength - 1;
      continue;
    }
    if (text !== "" && !text.endsWith(":")) text += ":";
    text += (bytes[i * 2]! * 256 + bytes[i * 2 + 1]!).toString(16);
  }
  return text;
}
