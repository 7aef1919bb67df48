import type { Micros } from "../record/observation.ts";
import type { IntelVia, PartyHit } from "./hits.ts";
import type { Match } from "./indicator.ts";

// Aggregates the observations that matched one indicator.

/** An observation that matched an indicator. */
interface Sighting {
  start: Micros;
  end: Micros;
  receivedAt: Micros;
  evidenceId: string;
  flowId: string;
}

/** The aggregate, with the newest observation's evidence. */
export interface Sightings {
  partyIp: string;
  match: Match;
  vias: IntelVia[];
  firstSeen: Micros;
  lastSeen: Micros;
  receivedAt: Micros;
  count: number;
  evidenceId: string;
  flowId: string;
}

/** Key of a party and an indicator, regardless of list and description. */
export function matchKey(partyIp: string, { kind, indicator }: Pick<Match, "kind" | "indicator">): string {
  return `${partyIp} ${kind} ${indicator}`;
}

/** Adds an observation to the aggregate of its key, creating it if needed. The order does not matter. */
export function addSighting(all: Map<string, Sightings>, hit: PartyHit, seen: Sighting): void {
  const key = matchKey(hit.partyIp, hit.match);
  const known = all.get(key);
  if (known === undefined) {
    const { start: firstSeen, end: lastSeen, ...rest } = seen;
    all.set(key, { ...hit, ...rest, vias: [...hit.vias], firstSeen, lastSeen, count: 1 });
    return;
  }
  const newer = seen.end > known.lastSeen ||
    (seen.end === known.lastSeen && seen.evidenceId > known.evidenceId);
  if (newer) {
    known.lastSeen = seen.end;
    known.evidenceId = seen.evidenceId;
    known.flowId = seen.flowId;
  }
  known.firstSeen = Math.min(known.firstSeen, seen.start);
  known.receivedAt = Math.max(known.receivedAt, seen.receivedAt);
  known.count++;
  for (const via of hit.vias) if (!known.vias.includes(via)) known.vias.push(via);
}
