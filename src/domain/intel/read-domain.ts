import { quoted, type Refusal, type TextIndicator } from "./indicator.ts";
import { suffixKind, suffixRefusal } from "./refusals.ts";

const MAX_NAME = 253;
const MAX_LABEL = 63;

/**
 * A domain name as indicator, in lower case and without the root's dot; an internationalised name stays in the form in which the
 * list has it, as a record's name does.
 *
 * A name means what is below it, too: `evil.example` also `a.evil.example`. Not so a name that is `exact`, as one of a hosts
 * file is, which cannot speak of others. Nor a name below which a provider gives names to strangers (`github.io`), unless the
 * list says that all of them are meant, by `*.github.io`.
 */
export function readDomain(word: string, exact = false): TextIndicator | Refusal {
  const wild = word.startsWith("*.") || word.startsWith(".");
  let name = word.toLowerCase();
  if (wild) name = name.slice(name.indexOf(".") + 1);
  if (name.endsWith(".")) name = name.slice(0, -1);
  const labels = countLabels(name);
  // What stands for bytes that are no UTF-8.
  if (labels === 0 && word.includes("\u{fffd}")) {
    return { expected: `expected UTF-8 text, got ${quoted(word)}` };
  }
  if (labels === 0) {
    return { expected: `expected an address, network, domain, URL or fingerprint, got ${quoted(word)}` };
  }
  if (labels === 1) {
    return { expected: `expected an address, or a name with a dot in it, got ${quoted(word)}` };
  }
  const suffix = suffixKind(name);
  if (suffix === "registry") return suffixRefusal(name);
  return { kind: "domain", text: name, exact: !wild && (exact || suffix === "provider") };
}

/** How many labels a name in lower case has; 0 where it is no domain name. */
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
  // Digits after the last dot: a spelling of an address that is not canonical, but never a name.
  return last === 0 || last > MAX_LABEL || digits ? 0 : labels;
}

/** Letters, `-` and `_`; and whatever is not ASCII, except for control characters, spaces and U+FFFD. */
function isNamePart(code: number): boolean {
  if (code < 0x80) return (code >= 0x61 && code <= 0x7a) || code === 0x2d || code === 0x5f;
  return code > 0xa0 && code !== 0x3000 && code !== 0xfffd && code !== 0xfeff &&
    (code < 0x2000 || code > 0x206f);
}
