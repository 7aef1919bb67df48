// Marker words that stand for secrets, and a search for them in any encoding.

import { Buffer } from "node:buffer";
import { hash } from "node:crypto";
import { parseIp } from "../../../src/kit/net/ip.ts";

/** A unique word; the same name always yields the same word. */
export function mark(name: string): string {
  const letters = [...hash("sha256", name, "buffer").subarray(0, 8)].map((byte) =>
    String.fromCharCode(0x61 + byte % 26)
  );
  return `zq${name}${letters.join("")}`;
}

type Encoding = (bytes: Buffer) => string[];
const latin1 = (bytes: Uint8Array) => Buffer.from(bytes).toString("latin1");
const each = (bytes: Buffer, of: (byte: number) => string) => [...bytes].map(of).join("");
const hexByte = (byte: number) => byte.toString(16).padStart(2, "0");

/** Each encoding returns text that is found wherever the encoded word occurs. Case is ignored. */
export const ENCODINGS: Readonly<Record<string, Encoding>> = {
  "as it is": (bytes) => [latin1(bytes)],
  "backwards": (bytes) => [latin1(bytes.toReversed())],
  "hexadecimal": (bytes) =>
    ["", ":", "-", " ", "\\x"].map((between) => [...bytes].map(hexByte).join(between)),
  "percent": (bytes) => [each(bytes, (byte) => `%${hexByte(byte)}`)],
  "JSON escapes": (bytes) => [each(bytes, (byte) => `\\u00${hexByte(byte)}`)],
  "HTML": (bytes) => [each(bytes, (byte) => `&#${byte};`), each(bytes, (byte) => `&#x${hexByte(byte)};`)],
  "base64": (bytes) =>
    [0, 1, 2].flatMap((before) => {
      const text = Buffer.concat([Buffer.alloc(before), bytes]).toString("base64").replace(/=+$/, "");
      // Characters at the edges also encode bits of the neighbours.
      const own = text.slice(
        before === 0 ? 0 : before + 1,
        (before + bytes.length) % 3 === 0 ? undefined : -1,
      );
      return [own, own.replaceAll("+", "-").replaceAll("/", "_")];
    }),
  "UTF-16": (bytes) => [each(bytes, (byte) => `${String.fromCharCode(byte)}\0`).slice(0, -1)],
  "rot13": (bytes) => [
    latin1(bytes).replace(/[a-z]/gi, (letter) => {
      const base = letter <= "Z" ? 0x41 : 0x61;
      return String.fromCharCode((letter.charCodeAt(0) - base + 13) % 26 + base);
    }),
  ],
  "a digest": (bytes) =>
    ["md5", "sha1", "sha256", "sha512"].flatMap((name) => {
      const digest = hash(name, bytes, "buffer");
      return [digest.toString("hex").slice(0, 16), digest.toString("base64").slice(0, 16)];
    }),
};

/** Binary forms of an IP or MAC address besides its text. */
function forms(word: string): Buffer[] {
  const ip = parseIp(word);
  if (ip !== null) {
    const packed = Buffer.from(ip);
    const number = packed.length === 4 ? [Buffer.from(String(packed.readUInt32BE()))] : [];
    return [Buffer.from(word), packed, ...number];
  }
  if (/^([0-9a-f]{2}:){5}[0-9a-f]{2}$/i.test(word)) {
    const bare = word.replaceAll(":", "");
    const texts = [word, bare, word.replaceAll(":", "-"), bare.replace(/(....)(?=.)/g, "$1.")];
    return [...texts.map((text) => Buffer.from(text)), Buffer.from(bare, "hex")];
  }
  return [Buffer.from(word), Buffer.from(word.toUpperCase()), Buffer.from(word.toLowerCase())];
}

/** `<word>: <encoding>` for each match. */
export function foundMarks(bytes: Uint8Array, words: Iterable<string>): string[] {
  const text = latin1(bytes).toLowerCase();
  const found: string[] = [];
  for (const word of words) {
    for (const [name, encode] of Object.entries(ENCODINGS)) {
      const texts = forms(word).flatMap((form) => encode(form));
      if (texts.some((one) => text.includes(one.toLowerCase()))) found.push(`${word}: ${name}`);
    }
  }
  return found;
}
