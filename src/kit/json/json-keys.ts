/**
 * Recently seen keys by hash. Records repeat the same few hundred keys, and a lookup here is several times
 * cheaper than creating and interning the string again. Bounded; affects only speed.
 */
const SLOTS = 1024;
const MAX_LENGTH = 40;
const seen: string[] = Array.from({ length: SLOTS }, () => "");

/** `text.slice(start, end)`, where `hash` is any function of those characters. */
export function internKey(text: string, start: number, end: number, hash: number): string {
  const slot = hash & (SLOTS - 1);
  const known = seen[slot]!;
  if (known.length === end - start && text.startsWith(known, start)) return known;
  const key = text.slice(start, end);
  if (key.length > MAX_LENGTH) return key;
  // As a property name the string is a copy; a slice would keep its whole source text alive.
  return seen[slot] = Object.keys({ [key]: true })[0]!;
}

/**
 * Compares texts by Unicode code point. JavaScript's `<` compares UTF-16 units and sorts U+1F600 before
 * U+FF01.
 */
export function compareCodePoints(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at++) {
    const left = a.charCodeAt(at);
    const right = b.charCodeAt(at);
    // Both texts are well formed and equal so far: a surrogate belongs to a character above U+FFFF, and two
    // surrogates compare like their characters.
    if (left !== right) return rank(left) - rank(right);
  }
  return a.length - b.length;
}

function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}

/** Up to this many members insertion sort beats `Array.sort`. */
const INSERTION_LIMIT = 64;

/**
 * Sorts an object's members by the code points of their keys; `parts[i]` belongs to `keys[i]`, keys are
 * distinct. `plain`: no key holds a character above U+D7FF, so `<` sorts correctly. Returns false if the
 * members were sorted already.
 */
export function sortMembers(keys: string[], parts: string[], plain: boolean): boolean {
  return plain && keys.length <= INSERTION_LIMIT ? sortByInsertion(keys, parts) : sortByIndex(keys, parts);
}

function sortByInsertion(keys: string[], parts: string[]): boolean {
  let moved = false;
  for (let at = 1; at < keys.length; at++) {
    const key = keys[at]!;
    const part = parts[at]!;
    let to = at;
    for (; to > 0 && keys[to - 1]! > key; to--) {
      keys[to] = keys[to - 1]!;
      parts[to] = parts[to - 1]!;
    }
    if (to === at) continue;
    keys[to] = key;
    parts[to] = part;
    moved = true;
  }
  return moved;
}

function sortByIndex(keys: string[], parts: string[]): boolean {
  const order = keys.map((_, index) => index).sort((a, b) => compareCodePoints(keys[a]!, keys[b]!));
  const sorted = order.map((index) => parts[index]!);
  sorted.forEach((part, index) => parts[index] = part);
  return order.some((from, to) => from !== to);
}
