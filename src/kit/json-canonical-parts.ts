const SHORT_ESCAPES: { [code: number]: string } = {
  0x08: "\\b",
  0x09: "\\t",
  0x0a: "\\n",
  0x0c: "\\f",
  0x0d: "\\r",
  0x22: '\\"',
  0x5c: "\\\\",
};

/** A canonical JSON string: only `"`, `\` and control characters are escaped. */
export function quote(value: string): string {
  let text = '"';
  let from = 0;
  for (let at = 0; at < value.length; at++) {
    const code = value.charCodeAt(at);
    if (code >= 0x20 && code !== 0x22 && code !== 0x5c) continue;
    text += value.slice(from, at) + (SHORT_ESCAPES[code] ?? "\\u" + code.toString(16).padStart(4, "0"));
    from = at + 1;
  }
  return text + value.slice(from) + '"';
}

/** Orders texts by Unicode code point. JavaScript's `<` goes by UTF-16 unit and puts U+1F600 before U+FF01. */
export function compareCodePoints(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at++) {
    const left = a.charCodeAt(at);
    const right = b.charCodeAt(at);
    // Both texts are well formed and equal so far, so a surrogate here starts (or ends) a pair in its own
    // text, and any pair stands above every single unit.
    if (left !== right) return codePointRank(left) - codePointRank(right);
  }
  return a.length - b.length;
}

function codePointRank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}

/** From this many members on, sorting in place by insertion costs more than `Array.sort`. */
const INSERTION_LIMIT = 64;

/**
 * Sorts the members of one object by key, `parts[i]` going with `keys[i]`. The keys differ from each other.
 * Returns false where they stood in order already.
 */
export function sortMembers(keys: string[], parts: string[]): boolean {
  let moved = false;
  if (keys.length > INSERTION_LIMIT) {
    const order = keys.map((_, index) => index).sort((a, b) => compareCodePoints(keys[a]!, keys[b]!));
    const sorted = order.map((index) => parts[index]!);
    for (let at = 0; at < sorted.length; at++) {
      if (order[at] !== at) moved = true;
      parts[at] = sorted[at]!;
    }
    return moved;
  }
  for (let at = 1; at < keys.length; at++) {
    const key = keys[at]!;
    const part = parts[at]!;
    let to = at;
    while (to > 0 && compareCodePoints(keys[to - 1]!, key) > 0) {
      keys[to] = keys[to - 1]!;
      parts[to] = parts[to - 1]!;
      to--;
    }
    if (to === at) continue;
    keys[to] = key;
    parts[to] = part;
    moved = true;
  }
  return moved;
}
