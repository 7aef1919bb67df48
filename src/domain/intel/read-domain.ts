import { quoted, type Refusal, type TextIndicator } from "./indicator.ts";
import { suffixKind, suffixRefusal } from "./refusals.ts";

const MAX_NAME = 253;
const MAX_LABEL = 63;

/**
 * Parses a domain name: lower case, without trailing dot; an internationalised name keeps the list's form, as
 * records do.
 *
 * A name includes its subdomains: `evil.example` matches `a.evil.example`. Exceptions: an `exact` name, as in
 * a hosts file, and a name below which a provider assigns names to customers (`github.io`), unless the list
 * explicitly includes them with `*.github.io`.
 */
export function readDomain(word: string, exact = false): TextIndicator | Refusal {
  const wildcard = word.startsWith("*.") || word.startsWith(".");
  let name = word.toLowerCase();
  if (wildcard) name = name.slice(name.indexOf(".") + 1);
  if (name.endsWith(".")) name = name.slice(0, -1);
  const labels = countLabels(name);
  // The replacement character for bytes that are not UTF-8.
  if (labels === 0 && word.includes("\u{fffd}")) {
    return { expected: `expected UTF-8 text, got ${quoted(word)}` };
  }
  if (labels === 0) {
    return { expected: `expected an address, network, domain, URL or fingerprint, got ${quoted(word)}` };
  }
  if (labels === 1) {
    return { expected: `expected an address, or a name with a dot, got ${quoted(word)}` };
  }
  const suffix = suffixKind(name);
  if (suffix === "registry") return suffixRefusal(name);
  return { kind: "domain", text: name, exact: !wildcard && (exact || suffix === "provider") };
}

/** Number of labels of a lower-case name; 0 if it is not a domain name. */
function countLabels(name: string): number {
  if (name.length > MAX_NAME) return 0;
  let labels = 1;
  let start = 0;
  let digits = true;
  for (let i = 0; i < name.length; i++) {
    const code = name.charCodeAt(i);
    if (code === 0x2e) {
      if (i === start || i - start > MAX_LABEL) return 0;
      labels++;
      start = i + 1;
      digits = true;
    } else if (code < 0x30 || code > 0x39) {
      if (!isNamePart(code)) return 0;
      digits = false;
    }
  }
  const last = name.length - start;
  // Digits after the last dot: a non-canonical spelling of an address, never a name.
  return last === 0 || last > MAX_LABEL || digits ? 0 : labels;
}

/** Letters, `-` and `_`, and anything non-ASCII except control characters, spaces and U+FFFD. */
function isNamePart(code: number): boolean {
  if (code < 0x80) return (code >= 0x61 && code <= 0x7a) || code === 0x2d || code === 0x5f;
  return code > 0xa0 && code !== 0x3000 && code !== 0xfffd && code !== 0xfeff &&
    (code < 0x2000 || code > 0x206f);
}
