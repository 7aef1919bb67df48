// Parses an address into 32-bit words without allocating: network lookups mostly see new addresses.

/**
 * Writes the words of a canonical address (one for IPv4, four for IPv6) and returns their number, or 0 if the
 * text is no canonical address; `words` is then undefined.
 */
export function addressWords(text: string, words: Uint32Array): 0 | 1 | 4 {
  if (text.indexOf(":") === -1) {
    const word = v4Word(text);
    if (word === -1) return 0;
    words[0] = word;
    return 1;
  }
  return v6Words(text, words) ? 4 : 0;
}

/** An IPv4 address as a number, or -1 for any other text, including leading zeros. */
export function v4Word(text: string): number {
  let word = 0;
  let part = 0;
  let digits = 0;
  let dots = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === 0x2e) {
      if (digits === 0 || ++dots === 4) return -1;
      word = word * 256 + part;
      part = 0;
      digits = 0;
    } else {
      const digit = code - 0x30;
      if (digit < 0 || digit > 9 || (digits > 0 && part === 0)) return -1;
      part = part * 10 + digit;
      digits++;
      if (part > 255) return -1;
    }
  }
  return dots === 3 && digits > 0 ? word * 256 + part : -1;
}

/** Parses groups of hex digits with at most one `::`, which stands for the missing zeros. */
function v6Words(text: string, words: Uint32Array): boolean {
  words.fill(0, 0, 4);
  let groups = 0;
  let gap = -1;
  let at = 0;
  while (at < text.length) {
    if (text.charCodeAt(at) === 0x3a) {
      // Only a `::` starts with a colon here.
      if (gap !== -1 || text.charCodeAt(at + 1) !== 0x3a) return false;
      gap = groups;
      at += 2;
      if (at === text.length) break;
    }
    const start = at;
    let value = 0;
    for (let digit = hexDigit(text, at); digit !== -1 && at - start < 5; digit = hexDigit(text, ++at)) {
      value = value * 16 + digit;
    }
    if (at === start || at - start > 4 || groups === 8) return false;
    setGroup(words, groups++, value);
    if (at === text.length) break;
    if (text.charCodeAt(at) !== 0x3a || at + 1 === text.length) return false;
    if (text.charCodeAt(at + 1) !== 0x3a) at++;
  }
  if (gap === -1) return groups === 8;
  if (groups > 7) return false;
  for (let group = groups - 1; group >= gap; group--) {
    const value = groupOf(words, group);
    setGroup(words, group, 0);
    setGroup(words, group + 8 - groups, value);
  }
  return true;
}

function hexDigit(text: string, at: number): number {
  const code = at < text.length ? text.charCodeAt(at) : 0;
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  return code >= 0x61 && code <= 0x66 ? code - 0x57 : -1;
}

function groupOf(words: Uint32Array, group: number): number {
  const word = words[group >> 1]!;
  return (group & 1) === 0 ? word >>> 16 : word & 0xffff;
}

function setGroup(words: Uint32Array, group: number, value: number): void {
  const word = words[group >> 1]!;
  words[group >> 1] = (group & 1) === 0 ? (word & 0xffff) | (value << 16) : (word & 0xffff0000) | value;
}
