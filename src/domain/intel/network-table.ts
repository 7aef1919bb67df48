import { type Cidr, compareIp, formatIp } from "../../kit/net/ip.ts";

// Networks of one address family in flat arrays, searched by address. CIDR networks are either nested or
// disjoint. So the last network that starts at or before an address is the smallest candidate, and all others
// enclose it.

export interface NetworkTableData {
  /** 32-bit words of an address: 1 for IPv4, 4 for IPv6. */
  width: 1 | 4;
  count: number;
  /** First and last addresses, `width` words each, sorted by the first, larger networks before smaller. */
  first: Uint32Array;
  last: Uint32Array;
  prefixes: Uint8Array;
  /** Index of the smallest enclosing network plus 1; 0 if there is none. */
  enclosing: Uint32Array;
  values: Uint32Array;
}

export interface NetworkEntry {
  cidr: Cidr;
  value: number;
}

/** Builds the table of one family. Of duplicates the first stays. */
export function networkTable(version: 4 | 6, entries: readonly NetworkEntry[]): NetworkTableData {
  const width = version === 4 ? 1 : 4;
  const sorted = unique(entries);
  const count = sorted.length;
  const table: NetworkTableData = {
    width,
    count,
    first: new Uint32Array(count * width),
    last: new Uint32Array(count * width),
    prefixes: new Uint8Array(count),
    enclosing: new Uint32Array(count),
    values: new Uint32Array(count),
  };
  for (const [index, { cidr, value }] of sorted.entries()) {
    for (let word = 0; word < width; word++) {
      table.first[index * width + word] = wordOf(cidr.first, word);
      table.last[index * width + word] = wordOf(cidr.last, word);
    }
    table.prefixes[index] = cidr.prefix;
    table.values[index] = value;
    table.enclosing[index] = enclosingNetwork(table, index);
  }
  return table;
}

/** Index of the smallest network that contains an address, or -1. `ip` must have `width` words. */
export function findNetwork(table: NetworkTableData, ip: Uint32Array): number {
  const { first, width } = table;
  const head = ip[0]!;
  let low = 0;
  let high = table.count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    // The first word is almost always decisive.
    const difference = first[middle * width]! - head;
    if (difference < 0 || (difference === 0 && compareAt(table, first, middle, ip) <= 0)) low = middle + 1;
    else high = middle;
  }
  let index = low - 1;
  while (index !== -1 && compareAt(table, table.last, index, ip) < 0) index = table.enclosing[index]! - 1;
  return index;
}

/** First and last address and the network, as canonical text. */
export function networkAt(
  table: NetworkTableData,
  index: number,
): { from: string; to: string; text: string } {
  const from = formatIp(bytesAt(table, table.first, index));
  return { from, to: formatIp(bytesAt(table, table.last, index)), text: `${from}/${table.prefixes[index]}` };
}

/** Whether the table contains exactly this network of another table. */
export function hasNetwork(table: NetworkTableData, other: NetworkTableData, index: number): boolean {
  return findExactNetwork(table, wordsAt(other, other.first, index), other.prefixes[index]!) !== -1;
}

/** Index of the network with this prefix that contains an address, or -1. */
export function findExactNetwork(table: NetworkTableData, ip: Uint32Array, prefix: number): number {
  let found = findNetwork(table, ip);
  while (found !== -1 && table.prefixes[found]! > prefix) found = table.enclosing[found]! - 1;
  return found !== -1 && table.prefixes[found] === prefix ? found : -1;
}

function unique(entries: readonly NetworkEntry[]): NetworkEntry[] {
  const sorted = [...entries].sort((a, b) =>
    compareIp(a.cidr.first, b.cidr.first) || a.cidr.prefix - b.cidr.prefix
  );
  return sorted.filter(({ cidr }, index) => {
    const before = sorted[index - 1]?.cidr;
    return before === undefined || before.prefix !== cidr.prefix || compareIp(before.first, cidr.first) !== 0;
  });
}

/** Index plus 1 of the smallest network enclosing this one, found by walking up from its predecessor. */
function enclosingNetwork(table: NetworkTableData, index: number): number {
  const own = wordsAt(table, table.first, index);
  let enclosing = index;
  while (enclosing !== 0 && compareAt(table, table.last, enclosing - 1, own) < 0) {
    enclosing = table.enclosing[enclosing - 1]!;
  }
  return enclosing;
}

function compareAt(table: NetworkTableData, bounds: Uint32Array, index: number, ip: Uint32Array): number {
  const start = index * table.width;
  for (let word = 0; word < table.width; word++) {
    const difference = bounds[start + word]! - ip[word]!;
    if (difference !== 0) return difference;
  }
  return 0;
}

function wordOf(bytes: Uint8Array, word: number): number {
  const at = word * 4;
  return ((bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!) >>> 0;
}

function wordsAt(table: NetworkTableData, bounds: Uint32Array, index: number): Uint32Array {
  return bounds.subarray(index * table.width, (index + 1) * table.width);
}

function bytesAt(table: NetworkTableData, bounds: Uint32Array, index: number): Uint8Array {
  const bytes = new Uint8Array(table.width * 4);
  const view = new DataView(bytes.buffer);
  for (let word = 0; word < table.width; word++) {
    view.setUint32(word * 4, bounds[index * table.width + word]!);
  }
  return bytes;
}
