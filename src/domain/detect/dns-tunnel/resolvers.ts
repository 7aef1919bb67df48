// What is remembered beside the names: of each device, which answers it went on to use and below which domains it asks
// suspiciously; of each domain, who asks for names below it.
import type { Micros } from "../../record/observation.ts";
import { Distinct, distinct, hash32 } from "../kernel/state/distinct.ts";
import { insertForFirst, insertRow } from "../kernel/state/number-rows.ts";
import { defineState, type Field, float, list, record, text, varint } from "../kernel/state/schema.ts";
import { STRETCH_GAP } from "../kernel/result.ts";

/** Newest pairs of an answered address and its domain. */
const MAX_ANSWERS = 64;
/** Domains that one device asks suspiciously; the one judged longest ago goes first. */
const MAX_SUSPECTS = 6;
/** Connections of the device after which it is taken that its connections are recorded at all. */
const ENOUGH_CONNECTIONS = 10;
/** Domains of which a device that asks for itself would have used an answer. */
const RESOLVED_DOMAINS = 8;
const MAX_COUNT = 255;
/** Characters of a domain name. */
const MAX_DOMAIN = 253;

/** A row of an answer: hashes of address and domain, the new names that it answered, 1 where the device connected to it. */
const DOMAIN = 1;
const LOOKUPS = 2;
const USED = 3;
const ROW = 4;

export interface Suspect {
  domain: string;
  names: number;
  at: Micros;
}

/** Rows of answers: their number, then of each the two hashes and the lookups with the bit of use. */
const ANSWER_ROWS: Field<number[]> = {
  write(out, answers) {
    out.varint(answers.length / ROW);
    for (let at = 0; at < answers.length; at += ROW) {
      out.varint(answers[at]!);
      out.varint(answers[at + DOMAIN]!);
      out.varint(answers[at + LOOKUPS]! * 2 + answers[at + USED]!);
    }
  },
  read(from) {
    const answers: number[] = [];
    for (let left = from.varint(); left > 0; left--) {
      answers.push(from.varint(), from.varint());
      const packed = from.varint();
      answers.push(packed >> 1, packed & 1);
    }
    return answers;
  },
  size: (answers) => 120 + 10 * answers.length,
  maxBytes: 1 + MAX_ANSWERS * (5 + 5 + 2),
};

export interface AnswerUse {
  /** Connections of the device seen, counted up to ENOUGH_CONNECTIONS. */
  connections: number;
  /** Row after row, the newest last. */
  answers: number[];
  suspects: Suspect[];
}

/** Keys: device. About 1 kB at most. */
export const DNS_RESOLVERS = defineState<AnswerUse>({
  id: 21,
  name: "answers used",
  keepDays: 3,
  version: 1,
  empty: () => ({ connections: 0, answers: [], suspects: [] }),
  fields: record<AnswerUse>({
    connections: varint,
    answers: ANSWER_ROWS,
    suspects: list(record<Suspect>({ domain: text(MAX_DOMAIN), names: varint, at: float }), MAX_SUSPECTS),
  }),
});

/** A new name below the domain was answered with this address. */
export function recordAnswer({ answers }: AnswerUse, ip: string, domain: string): void {
  const hash = hash32(ip);
  const domainHash = hash32(domain);
  for (let at = 0; at < answers.length; at += ROW) {
    if (answers[at] !== hash || answers[at + DOMAIN] !== domainHash) continue;
    answers[at + LOOKUPS] = Math.min(answers[at + LOOKUPS]! + 1, MAX_COUNT);
    return;
  }
  const row = [hash, domainHash, 1, 0];
  if (answers.length < MAX_ANSWERS * ROW) insertRow(answers, row, answers.length);
  else insertForFirst(answers, row, answers.length);
}

/** The device connected to this address; true where that told anything new. */
export function recordConnection(desk: AnswerUse, ip: string): boolean {
  let changed = false;
  if (desk.connections < ENOUGH_CONNECTIONS) {
    desk.connections++;
    changed = true;
  }
  const { answers } = desk;
  if (answers.length === 0) return changed;
  const hash = hash32(ip);
  for (let at = 0; at < answers.length; at += ROW) {
    if (answers[at] !== hash || answers[at + USED] === 1) continue;
    answers[at + USED] = 1;
    changed = true;
  }
  return changed;
}

/**
 * Of the lookups whose answer was an address, the share of which the device used; null where too little is known. Nor
 * does it say anything about a device that uses none of the answers it gets, below whatever domain: it asks for others.
 */
export function usedShare({ connections, answers }: AnswerUse, domain: string): number | null {
  if (connections < ENOUGH_CONNECTIONS) return null;
  const hash = hash32(domain);
  let lookups = 0;
  let used = 0;
  const domains = new Set<number>();
  let usesAny = false;
  for (let at = 0; at < answers.length; at += ROW) {
    const domainHash = answers[at + DOMAIN]!;
    const isUsed = answers[at + USED] === 1;
    domains.add(domainHash);
    usesAny ||= isUsed;
    if (domainHash !== hash) continue;
    lookups += answers[at + LOOKUPS]!;
    if (isUsed) used += answers[at + LOOKUPS]!;
  }
  if (lookups === 0 || (!usesAny && domains.size >= RESOLVED_DOMAINS)) return null;
  return used / lookups;
}

/** Those of the last day, the one now judged first, then those with more names. */
export function rankSuspects(desk: AnswerUse, now: Suspect): Suspect[] {
  const others = desk.suspects.filter(({ domain, at }) =>
    domain !== now.domain && Math.abs(at - now.at) <= STRETCH_GAP
  );
  others.sort((a, b) => b.names - a.names || (a.domain < b.domain ? -1 : 1));
  return [now, ...others];
}

export function recordSuspect(desk: AnswerUse, now: Suspect): void {
  desk.suspects = desk.suspects.filter(({ domain }) => domain !== now.domain);
  desk.suspects.push(now);
  if (desk.suspects.length > MAX_SUSPECTS) desk.suspects.shift();
}

/** Users counted exactly; of more it is enough that they are many. */
const EXACT_USERS = 16;
/** Names that came from inside, counted up to this. */
const MAX_INSIDE = 64;
const MAX_RESOLVERS = 8;

/** Who asks for names below a domain that can carry data. */
export interface DomainClients {
  users: Distinct;
  /** New names that somebody asked a resolver of the site for. */
  inside: number;
  /** Hashes of the devices that were asked. */
  resolvers: number[];
}

/** Keys: registered domain. */
export const RESOLVER_CLIENTS = defineState<DomainClients>({
  id: 22,
  name: "who asks below a domain",
  keepDays: 7,
  version: 1,
  empty: () => ({ users: new Distinct(EXACT_USERS), inside: 0, resolvers: [] }),
  fields: record<DomainClients>({
    users: distinct(EXACT_USERS),
    inside: varint,
    resolvers: list(varint, MAX_RESOLVERS),
  }),
});

/** Somebody asked a resolver of the site for a new name; true where that told anything new. */
export function recordInternal(askers: DomainClients, resolverId: string | null): boolean {
  const counts = askers.inside < MAX_INSIDE;
  if (counts) askers.inside++;
  if (resolverId === null || askers.resolvers.length >= MAX_RESOLVERS) return counts;
  const hash = hash32(resolverId);
  if (askers.resolvers.includes(hash)) return counts;
  askers.resolvers.push(hash);
  return true;
}

/**
 * Whether a device only passes on what others asked for: the others are seen themselves, and are the ones to tell of.
 * `outward`: it asked a resolver outside, as who resolves for others does.
 */
export function isForwarder(
  { inside, resolvers }: DomainClients,
  deviceId: string,
  names: number,
  outward: boolean,
): boolean {
  const most = inside * 2 >= Math.min(names, MAX_INSIDE);
  return most && (outward || resolvers.includes(hash32(deviceId)));
}
