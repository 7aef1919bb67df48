// Which lookups can carry data, found out from the name alone: most lookups cannot, and cost nothing more.
import { registeredDomain } from "../../device/registered-domain.ts";
import type { DnsFacts } from "../../record/facts.ts";
import { isBroadcastIp, isLoopbackIp, parseIp } from "../../../kit/net/ip.ts";
import { hash32 } from "../kernel/state/distinct.ts";
import { randomness } from "../kernel/name-look.ts";

/** A name with no longer label than this carries nothing: there are too few of them. */
const MIN_LABEL = 4;
/** A name this short is ordinary if it is made of words (`images`, `web12`, `mail-2`). */
const ORDINARY_LENGTH = 14;
const ORDINARY_RANDOMNESS = 0.35;
/** Names go on longer than this only where they carry data; the rest of them is enough to find the domain. */
const TAIL = 120;

/**
 * Registered domains with ever new names by design. Most are questions about something else: block lists of senders and
 * of names, reputation of files and addresses, where an address is routed. Some are the edges of one company's own
 * content network, or its measurements of the way there. Nobody but these companies answers there, so no tunnel of a stranger ends in them.
 */
const MANY_NAMES: ReadonlySet<string> = new Set([
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
 * Stands for the domain of a name that Unbound's log cuts off: of names of full length it writes `&` for the last
 * labels, wherever they would begin.
 */
export const CUT_OFF = "&";
const MIN_CUT_OFF = 200;

/** Types that are asked for to reach a host or to run a domain. Everything else can bring back free data. */
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

/** What came back for a name: an address outside, one of the site, one that means no host, other data, an error. */
export const OUTCOMES = ["unknown", "address", "inside", "nowhere", "data", "failed"] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** A lookup that can carry data. */
export interface Carrier {
  domain: string;
  /** Of the whole name. */
  nameHash: number;
  /** Characters below the registered domain, without dots. */
  chars: number;
  /** 0 to 1, of the longest label. */
  random: number;
  /** Asked for a record that can carry more than an address. */
  dataType: boolean;
}

/** Null for a lookup that carries nothing, or whose registered domain cannot be told. */
export function carrierOf({ query, qtype }: DnsFacts): Carrier | null {
  if (query === null || query.length <= MIN_LABEL) return null;
  let carrier = KNOWN.get(query);
  if (carrier === undefined) {
    carrier = read(query);
    if (KNOWN.size >= MAX_KNOWN) KNOWN.clear();
    KNOWN.set(query, carrier);
  }
  if (carrier === null || qtype === null || ORDINARY_TYPES.has(qtype)) return carrier;
  return { ...carrier, dataType: true };
}

/** Most names of a network are asked for again and again. Bounded; emptied when full. */
const KNOWN = new Map<string, Carrier | null>();
const MAX_KNOWN = 4096;

function read(query: string): Carrier | null {
  const domain = domainOf(query);
  if (domain === null || domain.length + MIN_LABEL >= query.length || MANY_NAMES.has(domain)) return null;
  const payload = query.slice(0, query.length - domain.length - 1);
  if (isStructural(payload)) return null;
  const label = longestLabel(payload);
  if (label.length < MIN_LABEL) return null;
  const random = randomness(label);
  if (payload.length <= ORDINARY_LENGTH && random < ORDINARY_RANDOMNESS && !isFewWordsWithNumber(label)) {
    return null;
  }
  return { domain, nameHash: hash32(query), chars: decodedLength(payload), random, dataType: false };
}

function domainOf(query: string): string | null {
  if (query.endsWith(`.${CUT_OFF}`)) return query.length >= MIN_CUT_OFF ? CUT_OFF : null;
  if (query.length <= TAIL) return registeredDomain(query);
  return registeredDomain(query.slice(query.indexOf(".", query.length - TAIL) + 1));
}

/** Names that software makes from other things: service names, addresses in reverse (block lists, AS lookups). */
function isStructural(payload: string): boolean {
  if (payload.startsWith("_") || payload.includes("._")) return true;
  return /^\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}(?:\.|$)/.test(payload) || /^(?:[0-9a-f]\.){16}/.test(payload);
}

/** Short labels of few letters about many digits (`79ovn`, `a1b2`): too few pairs to look random, and no words. */
function isFewWordsWithNumber(label: string): boolean {
  return /\d[a-z]/.test(label) && /[a-z]/.test(label);
}

function longestLabel(payload: string): string {
  if (!payload.includes(".")) return payload;
  let longest = "";
  for (const label of payload.split(".")) if (label.length > longest.length) longest = label;
  return longest;
}

/** Sensors write a byte that is no character as `\xe9` or `\233`: four characters for one. */
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

/** What an answer brought: how it ended, the address to connect to, and about how many bytes of data. */
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
  // A log without the answers' data (Unbound's) tells no more than that there was an answer.
  if (bytes === 0) return { outcome: "unknown", ip: null, bytes };
  return { outcome: "data", ip: null, bytes };
}
