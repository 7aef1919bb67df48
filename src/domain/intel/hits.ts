import { canonicalIp } from "../../kit/net/ip.ts";
import type { DnsFacts, Facts, HttpFacts, TlsFacts } from "../record/facts.ts";
import type { IndicatorKind, Match } from "./indicator.ts";
import type { IntelSet } from "./intel-set.ts";

// Matches observations against indicators and attributes each hit to a party.

/** How an indicator matched. Append only: the index is stored. */
export const INTEL_VIAS = [
  "peer",
  "dns_query",
  "dns_answer",
  "tls_server_name",
  "http_host",
  "url",
  "ja3",
  "ja4",
  "certificate",
] as const;
export type IntelVia = (typeof INTEL_VIAS)[number];

/** A value of an observation that a list contains. */
interface Hit {
  match: Match;
  via: IntelVia;
}

/** One indicator one party matched in one observation, in one or more ways. */
export interface PartyHit {
  /** The internal end, if there is one; otherwise the client. */
  partyIp: string;
  match: Match;
  vias: IntelVia[];
}

/** Whether an address can be a device of the site; such addresses are never looked up. */
export type IsInternal = (ip: string) => boolean;

interface Ends {
  src: { ip: string };
  dst: { ip: string };
}

/**
 * Indicators an observation matches. A hit on an external end is attributed to the other end; a hit in the
 * facts to the client, or to the server if only that is internal. Each indicator is returned once per party.
 */
export function hitsOf(
  set: IntelSet,
  { src, dst }: Ends,
  facts: Facts | null,
  isInternal: IsInternal,
): PartyHit[] {
  const hits = peerHits(set, src.ip, dst.ip, isInternal);
  if (facts === null) return hits;
  const found = factHits(set, facts);
  return found.length === 0 ? hits : withParty(hits, partyOf(src.ip, dst.ip, isInternal), found);
}

/** The hits of `hitsOf` on the ends alone. */
export function peerHits(set: IntelSet, srcIp: string, dstIp: string, isInternal: IsInternal): PartyHit[] {
  const src = isInternal(srcIp) ? null : set.matchIp(srcIp);
  const dst = isInternal(dstIp) ? null : set.matchIp(dstIp);
  if (src === null && dst === null) return NONE;
  const hits: PartyHit[] = [];
  if (src !== null) hits.push({ partyIp: dstIp, match: src, vias: ["peer"] });
  if (dst !== null) hits.push({ partyIp: srcIp, match: dst, vias: ["peer"] });
  return hits;
}

const NONE: PartyHit[] = [];

function partyOf(srcIp: string, dstIp: string, isInternal: IsInternal): string {
  return !isInternal(srcIp) && isInternal(dstIp) ? dstIp : srcIp;
}

function withParty(hits: readonly PartyHit[], partyIp: string, found: readonly Hit[]): PartyHit[] {
  const all = [...hits];
  for (const { match, via } of found) {
    const known = all.find((hit) => hit.partyIp === partyIp && isSame(hit.match, match));
    if (known === undefined) all.push({ partyIp, match, vias: [via] });
    else if (!known.vias.includes(via)) known.vias.push(via);
  }
  return all;
}

function isSame(a: { kind: IndicatorKind; indicator: string }, b: typeof a): boolean {
  return a.indicator === b.indicator && a.kind === b.kind;
}

/** Indicators the facts of one observation match. */
export function factHits(set: IntelSet, facts: Facts): Hit[] {
  switch (facts.type) {
    case "dns":
      return dnsHits(set, facts);
    case "tls":
      return tlsHits(set, facts);
    case "http":
      return httpHits(set, facts);
    default:
      return [];
  }
}

/** The only types of facts that can match indicators. */
export const INTEL_FACT_TYPES = ["dns", "tls", "http"] as const satisfies readonly Facts["type"][];

function dnsHits(set: IntelSet, { query, answers }: DnsFacts): Hit[] {
  const hits = hit(query === null ? null : set.matchDomain(query), "dns_query");
  for (const answer of answers) {
    if (isAddressLike(answer)) hits.push(...hit(matchAddress(set, answer), "dns_answer"));
  }
  return hits;
}

function tlsHits(set: IntelSet, { serverName, ja3, ja4, fingerprint }: TlsFacts): Hit[] {
  return [
    ...hit(serverName === null ? null : matchHost(set, serverName), "tls_server_name"),
    ...hit(ja3 === null ? null : set.matchJa3(ja3), "ja3"),
    ...hit(ja4 === null ? null : set.matchJa4(ja4), "ja4"),
    ...hit(fingerprint === null ? null : set.matchCertificate(fingerprint), "certificate"),
  ];
}

function httpHits(set: IntelSet, { host, uri }: HttpFacts): Hit[] {
  if (host === null) return [];
  return [
    ...hit(matchHost(set, host), "http_host"),
    ...hit(uri === null ? null : set.matchUrl(host, uri), "url"),
  ];
}

function hit(match: Match | null, via: IntelVia): Hit[] {
  return match === null ? [] : [{ match, via }];
}

/** A request through a proxy may name its server by address. */
function matchHost(set: IntelSet, host: string): Match | null {
  return isAddressLike(host) ? matchAddress(set, host) : set.matchDomain(host);
}

function matchAddress(set: IntelSet, text: string): Match | null {
  const ip = canonicalIp(text);
  return ip === null ? null : set.matchIp(ip);
}

/** Host names never end in a digit after the last dot and never contain a colon. */
function isAddressLike(text: string): boolean {
  const last = text.charCodeAt(text.length - 1);
  return (last >= 0x30 && last <= 0x39 && text.includes(".")) || text.includes(":");
}
