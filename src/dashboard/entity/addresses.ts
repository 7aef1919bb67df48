import { parseIp } from "../../kit/net/ip.ts";

/** A part of a text: plain, or an address. */
interface TextPart {
  text: string;
  address: boolean;
}

/** What may be an address: not a part of a name, a path or a network. */
const CANDIDATE =
  /(?<![\w./:-])(?:\d{1,3}(?:\.\d{1,3}){3}(?![\w-]|\.\w|\/\d)|[\da-f]*:[\da-f:.]*[\da-f:](?![\w/-]))/gi;

/** Splits a text at the addresses in it; the parts joined are the text. */
export function splitAddresses(text: string): TextPart[] {
  const parts: TextPart[] = [];
  let end = 0;
  for (const { 0: found, index } of text.matchAll(CANDIDATE)) {
    if (parseIp(found) === null) continue;
    if (index > end) parts.push({ text: text.slice(end, index), address: false });
    parts.push({ text: found, address: true });
    end = index + found.length;
  }
  if (end < text.length) parts.push({ text: text.slice(end), address: false });
  return parts;
}
