// Texts as bytes. Nearly all are plain ASCII, which needs no encoder; for long texts the engine's encoder is
// faster than a loop.

import { Buffer } from "node:buffer";

const LONG = 64;
const ENCODER = new TextEncoder();
// deno-lint-ignore no-control-regex
const PLAIN = /^[\x01-\x7f]*$/;

/** Whether the text is ASCII without NUL. */
export function isPlain(text: string): boolean {
  if (text.length >= LONG) return PLAIN.test(text);
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code > 0x7f || code === 0) return false;
  }
  return true;
}

/** Writes a plain text; `to` must have room for it. */
export function writePlain(text: string, to: Uint8Array, at: number): void {
  if (text.length >= LONG) {
    ENCODER.encodeInto(text, to.subarray(at));
    return;
  }
  for (let from = 0; from < text.length; from++) to[at + from] = text.charCodeAt(from);
}

/** UTF-8 of any text; NUL, which PostgreSQL cannot store, becomes U+FFFD. */
export function encoded(text: string): Uint8Array {
  return Buffer.from(text.replaceAll("\0", "\ufffd"), "utf8");
}
