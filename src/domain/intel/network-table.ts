import { type Cidr, compareIp, formatIp } from "../../kit/net/ip.ts";

// Networks of one address family in flat arrays, to be found by an address within them. CIDR networks never overlap in part: one
// holds the other, or they have nothing in common. So the network that begins last at or before an address is the smallest
// candidate, and every other one is among those around it.

export interface NetworkTableData {
  /** 32-bit words of an address: 1 for IPv4, 4 for IPv6. */
  width: 1 | 4;
  count: number;
  /** First and last addresses, `width` words each, in ascending order of the first, larger networks before smaller. */
  first: Uint32Array;
  last: Uint32Array;
  prefixes: Uint8Array;
  /** The number of the smallest network around each, plus 1; 0 for none. */
  around: Uint32Array;
  values: Uint32Array;
}

export interface NetworkEntry {
  cidr: Cidr;
  value: number;
}

/** The table of networks of one family; of one that is there twice, the first. */
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
    around: new Uint32Array(count),
    values: new Uint32Array(count),
  };
  for (const [index, { cidr, value }] of sorted.entries()) {
    for (let word = 0; word < width; word++) {
      table.first[index * width + word] = wordOf(cidr.first, word);
      table.last[index * width + word] = wordOf(cidr.last, word);
    }
    table.prefixes[index] = cidr.prefix;
    table.values[index] = value;
    table.around[index] = networkAround(table, index);
  }
  return table;
}

/** The number of the smallest network that holds an address, or -1. Expects as many words as the family has. */
export function findNetwork(table: NetworkTableData, ip: Uint32Array): number {
  const { first, width } = table;
  const head = ip[0]!;
  let low = 0;
  let high = table.count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    // The first word decides almost always.
    const difference = first[middle * width]! - head;
    if (difference < 0 || (difference === 0 && compareAt(table, first, middle, ip) <= 0)) low = middle + 1;
    else high = middle;
  }
  let index = low - 1;
  while (index !== -1 && compareAt(table, table.last, index, ip) < 0) index = table.around[index]! - 1;
  return index;
}

/** First and last address of a network, as canonical texts. */
export function networkAt(
  table: NetworkTableData,
  index: number,
): { from: string; to: string; text: string } {
  const from = formatIp(bytesAt(table, table.first, index));
  return { from, to: formatIp(bytesAt(table, table.last, index)), text: `${from}/${table.prefixes[index]}` };
}

/** Whether the table has this very network of another table. */
export function hasNetwork(table: NetworkTableData, other: NetworkTableData, index: number): boolean {
  return findExactNetwork(table, wordsAt(other, other.first, index), other.prefixes[index]!) !== -1;
}

/** The number of the network of this prefix that holds an address, or -1. */
export function findExactNetwork(table: NetworkTableData, ip: Uint32Array, prefix: number): number {
  let found = findNetwork(table, ip);
  while (found !== -1 && table.prefixes[found]! > prefix) found = table.around[found]! - 1;
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

/** Of the network before it, and those around that one, the first that holds it too; by number plus 1. */
function networkAround(table: NetworkTableData, index: number): number {
  const own = wordsAt(table, table.first, index);
  let around = index;
  while (around !== 0 && compareAt(table, table.last, around - 1, own) < 0) {
    around = table.around[around - 1]!;
  }
  return around;
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
