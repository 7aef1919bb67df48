// Small databases for tests, written byte by byte as the MaxMind DB file format specification, version 2.0, says: a binary search
// tree over the bits of addresses, 16 zero bytes, the data, and the metadata behind its marker.
import { parseCidr } from "../../../src/kit/net/ip.ts";

export type MmdbValue = string | number | boolean | readonly MmdbValue[] | {
  readonly [key: string]: MmdbValue;
};

interface MmdbOptions {
  /** What each network has; none may lie within another one. */
  networks: Readonly<Record<string, MmdbValue>>;
  type?: string;
  ipVersion?: 4 | 6;
  recordSize?: 24 | 28 | 32;
  formatVersion?: number;
}

/** Of a node, for a 0 and for a 1: another node, where a record's data begins, or nothing. */
interface Branch {
  sides: [Side, Side];
}
type Side = Branch | number | null;

const MARKER = [0xab, 0xcd, 0xef, ...new TextEncoder().encode("MaxMind.com")];

export function mmdb(options: MmdbOptions): Uint8Array {
  const { type = "Test", ipVersion = 6, recordSize = 24, formatVersion = 2 } = options;
  const data: number[] = [];
  const root: Branch = { sides: [null, null] };
  for (const [network, value] of Object.entries(options.networks)) {
    insert(root, bitsOf(network, ipVersion), data.length);
    data.push(...encode(value));
  }
  const nodes = numbered(root);
  const metadata = encode({
    binary_format_major_version: formatVersion,
    binary_format_minor_version: 0,
    build_epoch: 1_795_000_000,
    database_type: type,
    description: { en: "made by a test" },
    ip_version: ipVersion,
    languages: ["en"],
    node_count: nodes.length,
    record_size: recordSize,
  });
  const tree = nodes.flatMap(({ sides: [left, right] }) => {
    return encodeNode(recordOf(left, nodes), recordOf(right, nodes), recordSize);
  });
  return Uint8Array.from([...tree, ...new Array<number>(16).fill(0), ...data, ...MARKER, ...metadata]);
}

/** In a tree for IPv6, IPv4 lies below 96 zeros. */
function bitsOf(network: string, ipVersion: 4 | 6): number[] {
  const cidr = parseCidr(network);
  if (cidr === null) throw new TypeError(`expected a network, got "${network}"`);
  const bits = [...cidr.first].flatMap((byte) =>
    Array.from({ length: 8 }, (_, at) => (byte >> (7 - at)) & 1)
  );
  const before = cidr.version === 4 && ipVersion === 6 ? new Array<number>(96).fill(0) : [];
  return [...before, ...bits.slice(0, cidr.prefix)];
}

function insert(root: Branch, bits: readonly number[], offset: number): void {
  let branch = root;
  for (const [at, bit] of bits.entries()) {
    const side = bit === 0 ? 0 : 1;
    if (at === bits.length - 1) {
      branch.sides[side] = offset;
      return;
    }
    const next = branch.sides[side];
    const below: Branch = typeof next === "object" && next !== null ? next : { sides: [null, null] };
    branch.sides[side] = below;
    branch = below;
  }
}

function numbered(root: Branch): Branch[] {
  const nodes = [root];
  for (let at = 0; at < nodes.length; at++) {
    for (const side of nodes[at]!.sides) if (typeof side === "object" && side !== null) nodes.push(side);
  }
  return nodes;
}

function recordOf(side: Side, nodes: readonly Branch[]): number {
  if (side === null) return nodes.length;
  return typeof side === "number" ? nodes.length + 16 + side : nodes.indexOf(side);
}

function encodeNode(left: number, right: number, recordSize: 24 | 28 | 32): number[] {
  if (recordSize === 28) {
    const middle = ((left >>> 24) << 4) | (right >>> 24);
    return [...bigEndian(left & 0xffffff, 3), middle, ...bigEndian(right & 0xffffff, 3)];
  }
  return [...bigEndian(left, recordSize / 8), ...bigEndian(right, recordSize / 8)];
}

function encode(value: MmdbValue): number[] {
  if (typeof value === "string") {
    const bytes = new TextEncoder().encode(value);
    return [...control(2, bytes.length), ...bytes];
  }
  if (typeof value === "boolean") return control(14, value ? 1 : 0);
  if (typeof value === "number") {
    if (Number.isInteger(value) && value >= 0) return [...control(6, 4), ...bigEndian(value, 4)];
    const view = new DataView(new ArrayBuffer(8));
    view.setFloat64(0, value);
    return [...control(3, 8), ...new Uint8Array(view.buffer)];
  }
  if (isList(value)) return [...control(11, value.length), ...value.flatMap(encode)];
  const entries = Object.entries(value);
  return [
    ...control(7, entries.length),
    ...entries.flatMap(([key, item]) => [...encode(key), ...encode(item)]),
  ];
}

function isList(value: MmdbValue): value is readonly MmdbValue[] {
  return Array.isArray(value);
}

/** Type and size; types above 7 stand in a byte of their own. */
function control(type: number, size: number): number[] {
  const [low, more] = size < 29
    ? [size, []]
    : size < 285
    ? [29, [size - 29]]
    : [30, bigEndian(size - 285, 2)];
  return type > 7 ? [low, type - 7, ...more] : [(type << 5) | low, ...more];
}

function bigEndian(value: number, bytes: number): number[] {
  return Array.from({ length: bytes }, (_, at) => Math.floor(value / 256 ** (bytes - 1 - at)) % 256);
}
