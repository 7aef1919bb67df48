// State beside the names: for each device, which answers it used and which domains it looks up suspiciously;
// for each domain, which devices look up names below it.
import type { Micros } from "../../record/observation.ts";
import { Distinct, distinct, hash32 } from "../kernel/state/distinct.ts";
import { insertRow, replaceFirst } from "../kernel/state/number-rows.ts";
import { defineState, type Field, float, list, record, text, varint } from "../kernel/state/schema.ts";
import { STRETCH_GAP } from "../kernel/result.ts";

/** Newest pairs of an answered address and its domain kept per device. */
const MAX_ANSWERS = 64;
/** Suspicious domains kept per device; a new one replaces the one evaluated longest ago. */
const MAX_SUSPECTS = 6;
/** Connections of the device that show that its connections are recorded. */
const ENOUGH_CONNECTIONS = 10;
/** A device that uses no answer of this many domains does not look names up for itself. */
const RESOLVED_DOMAINS = 8;
const MAX_COUNT = 255;
/** Characters of a domain name. */
const MAX_DOMAIN = 253;

/**
 * Columns of an answer: hashes of address and domain, new names with this answer, 1 if the device connected
 * to it.
 */
const DOMAIN = 1;
const LOOKUPS = 2;
const USED = 3;
const ROW = 4;

export interface Suspect {
  domain: string;
  names: number;
  at: Micros;
}

/** Number of rows, then per row both hashes and one number of lookups * 2 + used. */
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
  /** Connections of the device seen, up to ENOUGH_CONNECTIONS. */
  connections: number;
  /** Rows of ROW numbers each, newest last: an array of numbers takes a tenth of what objects do. */
  answers: number[];
  suspects: Suspect[];
}

/** Keys: a device. */
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

/** Records that a new name below the domain was answered with this address. */
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
  else replaceFirst(answers, row, answers.length);
}

/** Records that the device connected to this address; false if that changes nothing. */
export function recordConnection(use: AnswerUse, ip: string): boolean {
  let changed = false;
  if (use.connections < ENOUGH_CONNECTIONS) {
    use.connections++;
    changed = true;
  }
  const { answers } = use;
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
 * Share of the answered lookups below the domain whose address the device connected to. Null if too little is
 * known, or if the device uses no answer of any domain: then it resolves for others.
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

/** Suspicious domains of the last day: the current one, then the others by number of names. */
export function rankSuspects(use: AnswerUse, current: Suspect): Suspect[] {
  const others = use.suspects.filter(({ domain, at }) =>
    domain !== current.domain && Math.abs(at - current.at) <= STRETCH_GAP
  );
  others.sort((a, b) => b.names - a.names || (a.domain < b.domain ? -1 : 1));
  return [current, ...others];
}

export function recordSuspect(use: AnswerUse, current: Suspect): void {
  use.suspects = use.suspects.filter(({ domain }) => domain !== current.domain);
  use.suspects.push(current);
  if (use.suspects.length > MAX_SUSPECTS) use.suspects.shift();
}

/** Devices counted exactly; above that only the magnitude matters. */
const EXACT_USERS = 16;
/** Limit of the count of names looked up at internal resolvers. */
const MAX_INSIDE = 64;
const MAX_RESOLVERS = 8;

/** Devices that look up names below a domain which can carry data. */
export interface DomainClients {
  users: Distinct;
  /** New names looked up at internal resolvers, up to MAX_INSIDE. */
  inside: number;
  /** Hashes of the internal resolvers. */
  resolvers: number[];
}

/** Keys: a registered domain. */
export const RESOLVER_CLIENTS = defineState<DomainClients>({
  id: 22,
  name: "clients of a domain",
  keepDays: 7,
  version: 1,
  empty: () => ({ users: new Distinct(EXACT_USERS), inside: 0, resolvers: [] }),
  fields: record<DomainClients>({
    users: distinct(EXACT_USERS),
    inside: varint,
    resolvers: list(varint, MAX_RESOLVERS),
  }),
});

/** Records the lookup of a new name at an internal resolver; false if that changes nothing. */
export function recordInternal(clients: DomainClients, resolverId: string | null): boolean {
  const counts = clients.inside < MAX_INSIDE;
  if (counts) clients.inside++;
  if (resolverId === null || clients.resolvers.length >= MAX_RESOLVERS) return counts;
  const hash = hash32(resolverId);
  if (clients.resolvers.includes(hash)) return counts;
  clients.resolvers.push(hash);
  return true;
}

/**
 * Whether a device only forwards lookups of others, which are seen and reported themselves. `outward`: it
 * asked a resolver outside, as a resolver does.
 */
export function isForwarder(
  { inside, resolvers }: DomainClients,
  deviceId: string,
  names: number,
  outward: boolean,
): boolean {
  const mostInside = inside * 2 >= Math.min(names, MAX_INSIDE);
  return mostInside && (outward || resolvers.includes(hash32(deviceId)));
}
