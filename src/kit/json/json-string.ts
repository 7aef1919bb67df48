import { JsonError } from "./json-error.ts";

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

const ESCAPED: { [letter: number]: string } = {
  [QUOTE]: '"',
  [BACKSLASH]: "\\",
  0x2f: "/",
  0x62: "\b",
  0x66: "\f",
  0x6e: "\n",
  0x72: "\r",
  0x74: "\t",
};

const ESCAPES: { [code: number]: string } = {
  0x08: "\\b",
  0x09: "\\t",
  0x0a: "\\n",
  0x0c: "\\f",
  0x0d: "\\r",
  [QUOTE]: '\\"',
  [BACKSLASH]: "\\\\",
};

/** A canonical JSON string: only `"`, `\` and control characters are escaped. */
export function quote(value: string): string {
  let text = '"';
  let from = 0;
  for (let at = 0; at < value.length; at++) {
    const code = value.charCodeAt(at);
    if (code >= 0x20 && code !== QUOTE && code !== BACKSLASH) continue;
    text += value.slice(from, at) + (ESCAPES[code] ?? "\\u" + code.toString(16).padStart(4, "0"));
    from = at + 1;
  }
  return text + value.slice(from) + '"';
}

/**
 * Reads any JSON string from `start`, the index after its opening quote, and returns the index after its
 * closing one. Throws JsonError.
 */
export function decodeString(text: string, start: number): { value: string; end: number } {
  let value = "";
  let from = start;
  let at = start;
  for (;;) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return { value: value + text.slice(from, at), end: at + 1 };
    if (code === BACKSLASH) {
      value += text.slice(from, at);
      const character = ESCAPED[text.charCodeAt(at + 1)] ?? readUnicodeEscape(text, at);
      value += character;
      at += text.charCodeAt(at + 1) === 0x75 ? 6 * character.length : 2;
      from = at;
    } else if (code >= 0xd800 && code <= 0xdfff) {
      if (!isPair(code, text.charCodeAt(at + 1))) throw new JsonError("lone surrogate", at);
      at += 2;
    } else if (code >= 0x20) {
      at++;
    } else {
      // NaN is the end of the text.
      throw new JsonError(Number.isNaN(code) ? "unterminated string" : "control character in a string", at);
    }
  }
}

/** The character of a `\uXXXX` escape, or of two that form a surrogate pair. */
function readUnicodeEscape(text: string, backslash: number): string {
  if (text.charCodeAt(backslash + 1) !== 0x75) throw new JsonError("unknown escape in a string", backslash);
  const unit = readHex(text, backslash + 2);
  if (unit < 0xd800 || unit > 0xdfff) return String.fromCharCode(unit);
  const low = text.startsWith("\\u", backslash + 6) ? readHex(text, backslash + 8) : NaN;
  if (!isPair(unit, low)) throw new JsonError("lone surrogate", backslash);
  return String.fromCharCode(unit, low);
}

function readHex(text: string, start: number): number {
  const digits = text.slice(start, start + 4);
  if (!/^[0-9a-fA-F]{4}$/.test(digits)) throw new JsonError("expected four hex digits", start);
  return parseInt(digits, 16);
}

function isPair(high: number, low: number): boolean {
  return high >= 0xd800 && high <= 0xdbff && low >= 0xdc00 && low <= 0xdfff;
}
