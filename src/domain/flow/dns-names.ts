import type { Micros } from "../record/observation.ts";
import { CLOCK_TOLERANCE } from "./join.ts";

/** Names of one client, address and day up to which the address tells which name was meant: a block page has more. */
export const MAX_NAMES_OF_ADDRESS = 32;
/** Answers to other clients that are looked at where a client had none of its own. */
export const MAX_OTHER_ANSWERS = 4;
/** How long before a flow an answer may lie that led to it. */
export const MAX_ANSWER_AGE: Micros = 86_400_000_000;
/** Names of one address that are shown. */
const MAX_NAMES_SHOWN = 3;

/** A name that stood for an address on one day. */
export interface AnsweredName {
  name: string;
  clientIp: string;
  firstSeen: Micros;
  lastSeen: Micros;
}

/**
 * The names by which a client had come to an address when a flow began at `start`, the most recent one first: those it
 * had been told itself within a day. Of a name that it was told before and again afterwards, as it is while in use, the
 * last time before is taken to be just before. Where a client was told more names than tell anything, none.
 *
 * Where the client had none, the name that others were told, if they were all told the same one: sensors that see only
 * the resolver's questions know of no other. `sameClient` is false then.
 */
export function namesBefore<A extends AnsweredName>(
  answers: readonly A[],
  clientIp: string,
  start: Micros,
): { answer: A; sameClient: boolean }[] {
  if (answers.length === 0) return [];
  const own = answers.filter((answer) => answer.clientIp === clientIp);
  if (own.length > 0) {
    if (namesOf(own).size > MAX_NAMES_OF_ADDRESS) return [];
    return newestOfEach(own, start).slice(0, MAX_NAMES_SHOWN).map((answer) => ({ answer, sameClient: true }));
  }
  const others = newestOfEach(answers, start);
  return others.length === 1 ? [{ answer: others[0]!, sameClient: false }] : [];
}

function namesOf(answers: readonly AnsweredName[]): Set<string> {
  return new Set(answers.map(({ name }) => name));
}

/** One answer for each name that was known at the start, the most recent first. */
function newestOfEach<A extends AnsweredName>(answers: readonly A[], start: Micros): A[] {
  const newest = new Map<string, A>();
  for (const answer of answers) {
    if (answer.firstSeen > start + CLOCK_TOLERANCE) continue;
    if (lastBefore(answer, start) < start - MAX_ANSWER_AGE) continue;
    const known = newest.get(answer.name);
    if (!known || isNewer(answer, known, start)) newest.set(answer.name, answer);
  }
  return [...newest.values()].sort((a, b) => isNewer(a, b, start) ? -1 : 1);
}

function isNewer(a: AnsweredName, b: AnsweredName, start: Micros): boolean {
  const difference = lastBefore(a, start) - lastBefore(b, start) || a.firstSeen - b.firstSeen;
  return difference !== 0 ? difference > 0 : a.name < b.name;
}

function lastBefore({ lastSeen }: AnsweredName, start: Micros): Micros {
  return Math.min(lastSeen, start);
}
