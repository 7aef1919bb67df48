import { formatIp, parseCidr, parseIp } from "../../kit/net/ip.ts";
import { v4Word } from "./address-words.ts";
import { type Indicator, quoted, type Refusal } from "./indicator.ts";
import { readDomain } from "./read-domain.ts";
import { addressRefusal, networkRefusal } from "./refusals.ts";

/**
 * What a list declares a value to be. `host` is an address or a domain; `null` leaves it to the value's form.
 */
export type Hint = "host" | "url" | "ja3" | "ja4" | "certificate" | null;

const MAX_PATH = 2048;

const FINGERPRINTS = {
  ja3: { form: /^[0-9a-f]{32}$/, what: "a JA3 fingerprint of 32 hex digits" },
  ja4: {
    form: /^[tqd](?:\d\d|[sd]\d)[di]\d{4}[0-9a-z]{2}_[0-9a-f]{12}_[0-9a-f]{12}$/,
    what: "a JA4 fingerprint such as t13d1516h2_8daaf6152771_b186095e22b6",
  },
  certificate: {
    form: /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/,
    what: "a certificate's SHA-1 or SHA-256 of 40 or 64 hex digits",
  },
} as const;

/**
 * Parses a list's value into an indicator. Accepts defanged spellings (`hxxp://`, `evil[.]example`). Drops
 * the port: a host listed with one port is a threat on all.
 */
export function readIndicator(value: string, hint: Hint = null, exact = false): Indicator | Refusal {
  const word = refang(value);
  switch (hint) {
    case "host":
      return readHost(word, exact);
    case "url":
      return readUrl(word);
    case null:
      return readAny(word, exact);
    default:
      return readFingerprint(hint, word) ??
        { expected: `expected ${FINGERPRINTS[hint].what}, got ${quoted(value)}` };
  }
}

function readAny(word: string, exact: boolean): Indicator | Refusal {
  if (word.includes("://")) return readUrl(word);
  if (word.length >= 32 && !word.includes(".") && !word.includes("/")) {
    const known = readFingerprint("certificate", word) ?? readFingerprint("ja3", word) ??
      readFingerprint("ja4", word);
    if (known !== null) return known;
  }
  if (!word.includes("/") || /^[^/]*\/\d{0,3}$/.test(word)) return readHost(word, exact);
  return readUrl(word);
}

function readFingerprint(kind: "ja3" | "ja4" | "certificate", word: string): Indicator | null {
  const lower = word.toLowerCase();
  const text = kind === "certificate" ? lower.replaceAll(":", "") : lower;
  return FINGERPRINTS[kind].form.test(text) ? { kind, text, exact: true } : null;
}

/** An address, a network or a name, optionally with a port or, in MISP, a suffix after a bar. */
function readHost(word: string, exact: boolean): Indicator | Refusal {
  const bar = word.indexOf("|");
  const host = withoutPort(bar === -1 ? word : word.slice(0, bar));
  return readAddress(host) ?? readDomain(host, exact);
}

function readAddress(word: string): Indicator | Refusal | null {
  if (word.includes("/")) {
    const cidr = parseCidr(word);
    if (cidr === null) return null;
    if (cidr.prefix < cidr.first.length * 8) return networkRefusal(cidr) ?? { kind: "cidr", cidr };
    return addressRefusal(cidr.first) ?? { kind: "ip", text: formatIp(cidr.first), exact: true };
  }
  // Addresses end in a digit or contain a colon.
  const last = word.charCodeAt(word.length - 1);
  if ((last < 0x30 || last > 0x39) && !word.includes(":")) return null;
  const v4 = v4Word(word);
  if (v4 !== -1) {
    const bytes = Uint8Array.of(v4 >>> 24, v4 >>> 16, v4 >>> 8, v4);
    return addressRefusal(bytes) ?? { kind: "ip", text: word, exact: true };
  }
  const bytes = parseIp(word);
  if (bytes === null) return null;
  return addressRefusal(bytes) ?? { kind: "ip", text: formatIp(bytes), exact: true };
}

/** `192.0.2.1:443` and `[2001:db8::1]:443`; an IPv6 address without brackets has no port. */
function withoutPort(host: string): string {
  if (host.startsWith("[")) {
    const end = host.indexOf("]");
    return end !== -1 && isPort(host, end + 1) ? host.slice(1, end) : host;
  }
  const colon = host.indexOf(":");
  return colon !== -1 && isPort(host, colon) ? host.slice(0, colon) : host;
}

/** Whether the rest of a text is empty, or a colon with at most five digits. */
function isPort(text: string, from: number): boolean {
  if (from === text.length) return true;
  if (text.charCodeAt(from) !== 0x3a || text.length - from > 6) return false;
  for (let i = from + 1; i < text.length; i++) {
    const digit = text.charCodeAt(i) - 0x30;
    if (digit < 0 || digit > 9) return false;
  }
  return true;
}

/** A URL as host and path: scheme, user info, port and fragment are not compared. */
function readUrl(word: string): Indicator | Refusal {
  const scheme = word.indexOf("://");
  if (scheme !== -1 && !/^https?$/i.test(word.slice(0, scheme))) {
    return { expected: `expected an http or https URL, got ${quoted(word)}` };
  }
  const rest = scheme === -1 ? word : word.slice(scheme + 3);
  const end = rest.search(/[/?#]/);
  const authority = end === -1 ? rest : rest.slice(0, end);
  if (authority === "") return { expected: `expected a URL with a host, got ${quoted(word)}` };
  const host = readHost(authority.slice(authority.lastIndexOf("@") + 1), true);
  if ("expected" in host) return host;
  if (host.kind === "cidr") return { expected: `expected a URL, got ${quoted(word)}` };
  const path = end === -1 ? "" : withoutFragment(rest.slice(end));
  if (path.length > MAX_PATH) {
    return { expected: `expected a URL of at most ${MAX_PATH} characters after the host` };
  }
  return { kind: "url", text: `${host.text}${path.startsWith("/") ? "" : "/"}${path}`, exact: true };
}

function withoutFragment(path: string): string {
  const hash = path.indexOf("#");
  return hash === -1 ? path : path.slice(0, hash);
}

/** Undoes defanging: `hxxp`, and dots, colons and slashes in brackets. */
function refang(value: string): string {
  let word = value;
  if (/^hxxp/i.test(word)) word = `http${word.slice(4)}`;
  if (!/[[({]/.test(word)) return word;
  return word.replace(/\[(\.|dot|:|\/|:\/\/)\]|\((\.|dot)\)|\{(\.|dot)\}/gi, (whole) => {
    const inner = whole.slice(1, -1);
    return inner.toLowerCase() === "dot" ? "." : inner;
  });
}
