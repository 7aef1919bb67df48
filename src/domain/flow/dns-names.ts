import type { Micros } from "../record/observation.ts";
import { CLOCK_TOLERANCE } from "./join.ts";

/**
 * Distinct names per client, address and day above which the address is ambiguous (a block page has more).
 */
export const MAX_NAMES_OF_ADDRESS = 32;
/** Answers to other clients to consider when the client has none of its own. */
export const MAX_OTHER_ANSWERS = 4;
/** Maximum age of an answer when the flow starts. */
export const MAX_ANSWER_AGE: Micros = 86_400_000_000;
/** Names to show per address. */
const MAX_NAMES_SHOWN = 3;

/** A name that resolved to an address on one day. */
export interface AnsweredName {
  name: string;
  clientIp: string;
  firstSeen: Micros;
  lastSeen: Micros;
}

/**
 * The names a client had resolved to an address when a flow began at `start`, most recent first. Only answers
 * to that client within the last day count. An answer seen both before and after the start is taken as in
 * use: its last time before the start is the start itself. Returns none when the client received more than
 * `MAX_NAMES_OF_ADDRESS` names.
 *
 * If the client has no answers of its own, falls back to the name other clients received, provided they all
 * received the same one: some sensors see only the resolver's own queries. `sameClient` is then false.
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

/** One answer per name known at the start, most recent first. */
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
