// A set of texts in a few flat arrays: about 50 bytes per text at a million texts, nothing for the garbage
// collector to traverse, and transferable between threads without a copy. Lookups do not allocate.

export interface TextTableData {
  count: number;
  /** The texts in UTF-8, concatenated, and where each ends. */
  bytes: Uint8Array;
  ends: Uint32Array;
  hashes: Uint32Array;
  /** The value of each text. */
  values: Uint32Array;
  /** Open addressing: 0, or the index of a text plus 1. The length is a power of two. */
  slots: Uint32Array;
}

/** Maximum probes per lookup; only crafted texts collide more often. */
export const MAX_PROBES = 256;

const HASH_START = 0x811c9dc5;
const DOT = 0x2e;

/**
 * One step of the hash (FNV-1a), which runs from the end of the text to its start: one pass over a name
 * yields the hashes of all its parent domains.
 */
export function hashStep(hash: number, byte: number): number {
  return Math.imul(hash ^ byte, 0x01000193);
}

export function emptyTexts(): TextTableData {
  return {
    count: 0,
    bytes: new Uint8Array(64),
    ends: new Uint32Array(8),
    hashes: new Uint32Array(8),
    values: new Uint32Array(8),
    slots: new Uint32Array(16),
  };
}

/** Index of a text, or -1. `inBytes`: each character already is one UTF-8 byte. */
export function findText(table: TextTableData, text: string, inBytes = false): number {
  if (table.count === 0) return -1;
  let hash = HASH_START;
  for (let i = text.length - 1; i >= 0; i--) {
    const unit = text.charCodeAt(i);
    if (unit > 0x7f && !inBytes) return findText(table, toBytes(text), true);
    hash = hashStep(hash, unit);
  }
  return probe(table, hash, text, 0);
}

/**
 * Index of the longest text that equals a name or is a parent domain of it, and that `counts`; -1 if there is
 * none. `counts` receives each such index and whether it is the whole name.
 */
export function findName(
  table: TextTableData,
  name: string,
  counts: (index: number, whole: boolean) => boolean,
  inBytes = false,
): number {
  if (table.count === 0) return -1;
  let found = -1;
  let hash = HASH_START;
  for (let i = name.length - 1; i >= 0; i--) {
    const unit = name.charCodeAt(i);
    if (unit > 0x7f && !inBytes) return findName(table, toBytes(name), counts, true);
    if (unit === DOT) {
      const index = probe(table, hash, name, i + 1);
      if (index !== -1 && counts(index, false)) found = index;
    }
    hash = hashStep(hash, unit);
  }
  const index = probe(table, hash, name, 0);
  return index !== -1 && counts(index, true) ? index : found;
}

/**
 * Adds a text and returns its index. Returns the existing index, ignoring `value`, if the text is known, and
 * -1 if too many other texts collide with it.
 */
export function addText(table: TextTableData, text: string, value: number): number {
  const bytes = toBytes(text);
  const hash = hashOf(bytes);
  const known = probe(table, hash, bytes, 0);
  if (known !== -1) return known;
  if ((table.count + 1) * 2 > table.slots.length) rehash(table, table.slots.length * 2);
  const slot = freeSlot(table, hash);
  if (slot === -1) return -1;
  const index = table.count++;
  const start = startOf(table, index);
  growFor(table, start + bytes.length);
  for (let i = 0; i < bytes.length; i++) table.bytes[start + i] = bytes.charCodeAt(i);
  table.ends[index] = start + bytes.length;
  table.hashes[index] = hash;
  table.values[index] = value;
  table.slots[slot] = index + 1;
  return index;
}

export function textAt(table: TextTableData, index: number): string {
  return new TextDecoder().decode(table.bytes.subarray(startOf(table, index), table.ends[index]));
}

/** Releases spare capacity. */
export function trimTexts(table: TextTableData): void {
  const { count } = table;
  table.bytes = table.bytes.slice(0, startOf(table, count));
  table.ends = table.ends.slice(0, count);
  table.hashes = table.hashes.slice(0, count);
  table.values = table.values.slice(0, count);
}

/** Index of the text that equals `text` from `from` on, whose hash is given. */
function probe(table: TextTableData, hash: number, text: string, from: number): number {
  const { slots, hashes } = table;
  const mask = slots.length - 1;
  let slot = spread(hash) & mask;
  for (let tries = 0; tries < MAX_PROBES; tries++) {
    const index = slots[slot]! - 1;
    if (index === -1) return -1;
    if (hashes[index] === hash >>> 0 && sameText(table, index, text, from)) return index;
    slot = (slot + 1) & mask;
  }
  return -1;
}

function sameText(table: TextTableData, index: number, text: string, from: number): boolean {
  const start = startOf(table, index);
  const length = text.length - from;
  if (table.ends[index]! - start !== length) return false;
  for (let i = 0; i < length; i++) {
    if (table.bytes[start + i] !== text.charCodeAt(from + i)) return false;
  }
  return true;
}

function freeSlot(table: TextTableData, hash: number): number {
  const mask = table.slots.length - 1;
  const first = spread(hash);
  for (let tries = 0; tries < MAX_PROBES; tries++) {
    const slot = (first + tries) & mask;
    if (table.slots[slot] === 0) return slot;
  }
  return -1;
}

/** Reinserting in order never moves a text further from its slot than before, so each still fits. */
function rehash(table: TextTableData, size: number): void {
  table.slots = new Uint32Array(size);
  for (let index = 0; index < table.count; index++) {
    const slot = freeSlot(table, table.hashes[index]!);
    if (slot !== -1) table.slots[slot] = index + 1;
  }
}

function growFor(table: TextTableData, bytes: number): void {
  if (bytes > table.bytes.length) table.bytes = grown(table.bytes, new Uint8Array(bytes * 2));
  if (table.count <= table.ends.length) return;
  const size = table.count * 2;
  table.ends = grown(table.ends, new Uint32Array(size));
  table.hashes = grown(table.hashes, new Uint32Array(size));
  table.values = grown(table.values, new Uint32Array(size));
}

function grown<A extends Uint8Array | Uint32Array>(from: A, to: A): A {
  to.set(from);
  return to;
}

function startOf(table: TextTableData, index: number): number {
  return index === 0 ? 0 : table.ends[index - 1]!;
}

function hashOf(bytes: string): number {
  let hash = HASH_START;
  for (let i = bytes.length - 1; i >= 0; i--) hash = hashStep(hash, bytes.charCodeAt(i));
  return hash;
}

/** FNV's low bits alone distribute poorly; mixes in the high bits. */
function spread(hash: number): number {
  const mixed = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return (mixed ^ (mixed >>> 13)) >>> 0;
}

/** A text with one character per UTF-8 byte. */
function toBytes(text: string): string {
  let at = 0;
  while (at < text.length && text.charCodeAt(at) < 0x80) at++;
  if (at === text.length) return text;
  let bytes = "";
  for (const byte of new TextEncoder().encode(text)) bytes += String.fromCharCode(byte);
  return bytes;
}
