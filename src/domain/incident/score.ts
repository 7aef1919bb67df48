// An incident's score: a function of its models' scores, the device's importance and the duration. It never
// falls by itself: more or higher results, a more important device and more time only raise it.
import type { SubScore } from "../../contract/incident/incident.ts";
import { KINDS } from "../detect/registry.ts";
import type { Micros } from "../record/observation.ts";
import { type Importance, importancePoints } from "./importance.ts";
import { INCIDENT_THRESHOLD, roomWithinSeverity } from "./severity.ts";

/**
 * Weight of each further kind's probability beside the best one: half, because all of them rest on the same
 * records.
 */
const FURTHER_SHARE = 0.5;
/** Maximum points from all further kinds combined: many weak results do not make a catastrophe. */
export const MAX_CORROBORATION = 20;

/**
 * Points for duration: a one-off mistake is over within a day. The last step reached applies. Duration and
 * results below the threshold of an incident never raise the severity: detectors count duration themselves and
 * bound what is often harmless ("low at most"), and much that is harmless lasts, such as a device that polls
 * its maker.
 */
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
  /** The components in points, which add up to the score. */
  parts: SubScore[];
}

export function incidentScore({ modelScores, importance, firstSeen, lastSeen }: ScoreInput): IncidentScore {
  const [best, ...others] = bestOfKinds(modelScores);
  if (best === undefined) return { score: 0, parts: [] };
  const parts: SubScore[] = [part("leading_result", best.score, `best score of ${best.modelId}`)];

  const reported = others.filter(({ score }) => score >= INCIDENT_THRESHOLD);
  const added = tenths(Math.min(MAX_CORROBORATION, combined(best.score, reported) - best.score));
  if (added > 0) parts.push(part("corroboration", added, agreement(reported)));
  const sum = best.score + added;
  const raised = tenths(importancePoints(sum, importance));
  if (raised > 0) parts.push(part("importance", raised, importance.why));

  let room = Math.max(0, roomWithinSeverity(tenths(sum + raised)));
  const withHints = tenths(Math.min(MAX_CORROBORATION, combined(best.score, others) - best.score));
  const hinted = tenths(Math.min(room, withHints - added));
  if (hinted > 0) {
    parts.push(part("hints", hinted, agreement(others.filter((one) => !reported.includes(one)))));
  }
  room -= hinted;
  const days = Math.floor((lastSeen - firstSeen) / DAY);
  const points = PERSISTENCE.findLast((step) => days >= step.days)?.points ?? 0;
  const duration = tenths(Math.min(room, points));
  if (duration > 0) parts.push(part("persistence", duration, "active for at least a day"));

  const total = tenths(sum + raised + hinted + duration);
  if (total > 100) parts.push(part("ceiling", tenths(100 - total), "scores are capped at 100"));
  return { score: Math.min(100, total), parts };
}

function agreement(others: readonly ModelScore[]): string {
  const models = others.map(({ modelId, score }) => `${modelId} ${score}`).join(", ");
  return `other kinds of detection agree: ${models}`;
}

interface ModelScore {
  modelId: string;
  score: number;
}

/** Number of kinds among the models. */
export function kindsOf(modelScores: Readonly<Record<string, number>>): number {
  return bestOfKinds(modelScores).length;
}

/** The kind of a model; the model itself if it shares none. */
export function kindOf(modelId: string): string {
  return KINDS.get(modelId) ?? `model ${modelId}`;
}

/** The best model of each kind, highest first; ties by name. */
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

/** "Noisy or" times 100: the probability that at least one is right, taking each score as a probability. */
function combined(best: number, others: readonly ModelScore[]): number {
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
