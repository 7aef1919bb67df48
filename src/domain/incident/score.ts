// An incident's score: a function of what its models say, of whom it is about, and of how long it lasts. It never falls
// by itself: more results, higher ones, a more important device and more time only raise it.
import type { SubScore } from "../../contract/incident/incident.ts";
import { KINDS } from "../detect/registry.ts";
import type { Micros } from "../record/observation.ts";
import { type Importance, importancePoints } from "./importance.ts";

/**
 * What a further kind counts beside the best one: half of its chance to be right, because all of them rest on the same
 * records.
 */
const FURTHER_SHARE = 0.5;
/** All further kinds together add at most so much: many small remarks are no catastrophe. */
export const MAX_CORROBORATION = 20;

/** Points for going on: a person's mistake is over the same day. From so many days on; the last one that applies. */
const PERSISTENCE = [{ days: 1, points: 2 }, { days: 3, points: 5 }] as const;
const DAY: Micros = 86_400_000_000;

interface ScoreInput {
  /** Best score of each model so far. */
  modelScores: Readonly<Record<string, number>>;
  importance: Importance;
  firstSeen: Micros;
  lastSeen: Micros;
}

export interface IncidentScore {
  /** 0 to 100, one decimal. */
  score: number;
  /** What it is made of, in points; their sum is the score. */
  parts: SubScore[];
}

export function incidentScore({ modelScores, importance, firstSeen, lastSeen }: ScoreInput): IncidentScore {
  const [best, ...others] = bestOfKinds(modelScores);
  if (best === undefined) return { score: 0, parts: [] };
  const parts: SubScore[] = [part("leading_result", best.score, `the best score of ${best.modelId}`)];

  const added = tenths(Math.min(MAX_CORROBORATION, together(best.score, others) - best.score));
  if (added > 0) {
    const models = others.map(({ modelId, score }) => `${modelId} ${score}`).join(", ");
    parts.push(part("corroboration", added, `other kinds of detection speak of it, too: ${models}`));
  }
  const sum = best.score + added;
  const raised = tenths(importancePoints(sum, importance));
  if (raised > 0) parts.push(part("importance", raised, importance.why));
  const days = Math.floor((lastSeen - firstSeen) / DAY);
  const lasting = PERSISTENCE.findLast((step) => days >= step.days)?.points ?? 0;
  if (lasting > 0) parts.push(part("persistence", lasting, "it goes on from day to day"));

  const full = tenths(sum + raised + lasting);
  if (full > 100) parts.push(part("ceiling", tenths(100 - full), "a score ends at 100"));
  return { score: Math.min(100, full), parts };
}

interface ModelScore {
  modelId: string;
  score: number;
}

/** How many kinds of models speak. */
export function kindsOf(modelScores: Readonly<Record<string, number>>): number {
  return bestOfKinds(modelScores).length;
}

/** The kind of a model; its own where it shares none. */
export function kindOf(modelId: string): string {
  return KINDS.get(modelId) ?? `model ${modelId}`;
}

/** The best model of each kind, the highest first; names settle what scores do not. */
function bestOfKinds(modelScores: Readonly<Record<string, number>>): ModelScore[] {
  const sorted = Object.entries(modelScores)
    .map(([modelId, score]) => ({ modelId, score: tenths(Math.min(100, Math.max(0, score))) }))
    .sort((a, b) => b.score - a.score || (a.modelId < b.modelId ? -1 : 1));
  const kinds = new Map<string, ModelScore>();
  for (const one of sorted) {
    const kind = kindOf(one.modelId);
    if (!kinds.has(kind)) kinds.set(kind, one);
  }
  return [...kinds.values()];
}

/** The chance that at least one is right, were each score a chance ("noisy or"), times 100. */
function together(best: number, others: readonly ModelScore[]): number {
  const wrong = others.reduce(
    (chance, { score }) => chance * (1 - FURTHER_SHARE * score / 100),
    1 - best / 100,
  );
  return 100 * (1 - wrong);
}

function part(name: string, points: number, detail: string): SubScore {
  return { name, value: points, weight: 1, detail };
}

function tenths(points: number): number {
  return Math.round(points * 10) / 10;
}
