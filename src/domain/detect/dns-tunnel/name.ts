// Decides from the name alone whether a lookup can carry data. Most cannot and are not processed further.
import { registeredDomain } from "../../device/registered-domain.ts";
import type { DnsFacts } from "../../record/facts.ts";
import { isBroadcastIp, isLoopbackIp, parseIp } from "../../../kit/net/ip.ts";
import { hash32 } from "../kernel/state/distinct.ts";
import { randomness } from "../kernel/randomness.ts";
import { BoundedMap } from "../../../kit/bounded-map.ts";

/** Labels shorter than this carry no data: there are too few of them. */
const MIN_LABEL = 4;
/** Longest payload that is ordinary if it is made of words (`images`, `web12`, `mail-2`). */
const ORDINARY_LENGTH = 14;
const ORDINARY_RANDOMNESS = 0.35;
/** Only names that carry data are longer; their last characters are enough to find the domain. */
const TAIL = 120;

/**
 * Registered domains with a new name per lookup by design: block lists of senders and names, reputation of
 * files and addresses, routing lookups, and the edges and measurements of content networks. Only these
 * companies answer there, so they cannot be the end of a foreign tunnel.
 */
const NOISY_DOMAINS: ReadonlySet<string> = new Set([
  "aaplimg.com",
  "abuse.ch",
  "abuseat.org",
  "akstat.io",
  "apple-dns.net",
  "barracudacentral.org",
  "bitdefender.net",
  "cedexis-radar.net",
  "cymru.com",
  "dnswl.org",
  "e5.sk",
  "fbcdn.net",
  "fireeyecloud.com",
  "footprintdns.com",
  "googlesyndication.com",
  "googlevideo.com",
  "gstatic.com",
  "gvt1.com",
  "invaluement.com",
  "mailspike.net",
  "mcafee.com",
  "nflxvideo.net",
  "office.com",
  "senderbase.org",
  "sophosxl.com",
  "sophosxl.net",
  "sorbs.net",
  "spamcop.net",
  "spamhaus.net",
  "spamhaus.org",
  "spfbl.net",
  "support-intelligence.net",
  "steamcontent.com",
  "surbl.org",
  "trendmicro.com",
  "ttvnw.net",
  "uceprotect.net",
  "uribl.com",
  "webcfs03.com",
]);

/**
 * Stands for the domain of a name that Unbound's log truncates: it writes `&` for the last labels of very
 * long names.
 */
export const CUT_OFF = "&";
const MIN_CUT_OFF = 200;

/** Record types used to reach a host or run a domain. All others can return arbitrary data. */
const ORDINARY_TYPES: ReadonlySet<string> = new Set([
  "A",
  "AAAA",
  "HTTPS",
  "SVCB",
  "TYPE64",
  "TYPE65",
  "PTR",
  "NS",
  "SOA",
  "DS",
  "DNSKEY",
  "NSEC",
  "NSEC3",
  "CAA",
  "TLSA",
]);

/**
 * Answer to a name: an address outside, an internal one, one that is no host, other data, or an error. Stored
 * by position: append only.
 */
export const OUTCOMES = ["unknown", "address", "inside", "nowhere", "data", "failed"] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** A lookup that can carry data. */
export interface Carrier {
  domain: string;
  /** Hash of the whole name. */
  nameHash: number;
  /** Characters below the registered domain, without dots. */
  chars: number;
  /** Randomness of the longest label, 0 to 1. */
  random: number;
  /** The record type can carry more than an address. */
  dataType: boolean;
}

/** Null for a lookup that cannot carry data or whose registered domain is unknown. */
export function carrierOf({ query, qtype }: DnsFacts): Carrier | null {
  if (query === null || query.length <= MIN_LABEL) return null;
  let carrier = CACHE.get(query);
  if (carrier === undefined) {
    carrier = parseCarrier(query);
    CACHE.set(query, carrier);
  }
  if (carrier === null || qtype === null || ORDINARY_TYPES.has(qtype)) return carrier;
  return { ...carrier, dataType: true };
}

/** Most names of a network are looked up repeatedly. */
const CACHE = new BoundedMap<string, Carrier | null>(4096);

function parseCarrier(query: string): Carrier | null {
  const domain = domainOf(query);
  if (domain === null || domain.length + MIN_LABEL >= query.length || NOISY_DOMAINS.has(domain)) return null;
  const payload = query.slice(0, query.length - domain.length - 1);
  if (isStructural(payload)) return null;
  const label = longestLabel(payload);
  if (label.length < MIN_LABEL) return null;
  const random = randomness(label);
  if (payload.length <= ORDINARY_LENGTH && random < ORDINARY_RANDOMNESS && !mixesDigitsAndLetters(label)) {
    return null;
  }
  return { domain, nameHash: hash32(query), chars: decodedLength(payload), random, dataType: false };
}

function domainOf(query: string): string | null {
  if (query.endsWith(`.${CUT_OFF}`)) return query.length >= MIN_CUT_OFF ? CUT_OFF : null;
  if (query.length <= TAIL) return registeredDomain(query);
  return registeredDomain(query.slice(query.indexOf(".", query.length - TAIL) + 1));
}

/** Names with a fixed structure: service names, reversed addresses (block lists, AS lookups). */
function isStructural(payload: string): boolean {
  if (payload.startsWith("_") || payload.includes("._")) return true;
  return /^\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}(?:\.|$)/.test(payload) || /^(?:[0-9a-f]\.){16}/.test(payload);
}

/** Short mixes of letters and digits (`79ovn`, `a1b2`): no words, but too few letter pairs to look random. */
function mixesDigitsAndLetters(label: string): boolean {
  return /\d[a-z]/.test(label) && /[a-z]/.test(label);
}

function longestLabel(payload: string): string {
  if (!payload.includes(".")) return payload;
  let longest = "";
  for (const label of payload.split(".")) if (label.length > longest.length) longest = label;
  return longest;
}

/** Sensors escape a non-printable byte as `\xe9` or `\233`: four characters for one. */
function decodedLength(payload: string): number {
  let length = 0;
  for (let at = 0; at < payload.length; at++) {
    const char = payload.charCodeAt(at);
    if (char === 0x2e) continue;
    if (char === 0x5c) at += 3;
    length++;
  }
  return length;
}

/** Outcome of an answer, its first address, and its approximate bytes of data. */
export interface AnswerOutcome {
  outcome: Outcome;
  ip: string | null;
  bytes: number;
}

export function outcomeOf(facts: DnsFacts, isInternal: (ip: string) => boolean): AnswerOutcome {
  if (!facts.answered) return { outcome: "unknown", ip: null, bytes: 0 };
  if (facts.rcode !== null && facts.rcode !== "NOERROR") return { outcome: "failed", ip: null, bytes: 0 };
  let bytes = 0;
  let found: { ip: string; address: Uint8Array } | null = null;
  for (const answer of facts.answers) {
    const address = answer.length <= 45 ? parseIp(answer) : null;
    bytes += address === null ? answer.length : address.length;
    if (address !== null) found ??= { ip: answer, address };
  }
  if (found !== null) {
    const nowhere = isLoopbackIp(found.address) || isBroadcastIp(found.address) ||
      found.address.every((byte) => byte === 0);
    if (nowhere) return { outcome: "nowhere", ip: null, bytes };
    return { outcome: isInternal(found.ip) ? "inside" : "address", ip: found.ip, bytes };
  }
  // Unbound logs that there was an answer, but not its data.
  if (bytes === 0) return { outcome: "unknown", ip: null, bytes };
  return { outcome: "data", ip: null, bytes };
}
