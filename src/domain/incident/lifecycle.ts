// What becomes of an incident when a model speaks again.
import type { IncidentStatus, Severity } from "../../contract/kinds.ts";
import { type DetectorResult, STRETCH_GAP } from "../detect/result.ts";
import type { Micros } from "../records/observation.ts";
import { incidentScore } from "./score.ts";
import { INCIDENT_THRESHOLD, severityOf } from "./severity.ts";

export { changeStatus, type StatusChange, StatusChangeError } from "./status.ts";

/** Results join an incident whose time span is at most this far from theirs, before or after. */
export const JOIN_WINDOW: Micros = STRETCH_GAP;
/**
 * A smaller rise does not move an incident's score, unless it changes the severity: a beacon that runs on
 * gains tenths for hours, and nobody wants to be told each time.
 */
export const MIN_RISE = 1;

/** The part of an incident that results decide. */
export interface IncidentState {
  /** Model and group of the result that opened it. */
  modelId: string;
  groupKey: string;
  /** Best score of each model so far. */
  modelScores: Readonly<Record<string, number>>;
  title: string;
  summary: string;
  severity: Severity;
  score: number;
  status: IncidentStatus;
  deviceIds: readonly string[];
  firstSeen: Micros;
  lastSeen: Micros;
  /** Starts at 1; grows when the score, severity, title, devices, models or status change. */
  revision: number;
}

export interface ScoreEntry {
  at: Micros;
  score: number;
  reason: string;
}

export interface Applied {
  incident: IncidentState;
  /** Event `incident.created`. */
  created: boolean;
  /** Event `incident.escalated`: the score of an existing incident rose, closed ones included. */
  escalated: boolean;
  /** Score before; `null` for a new incident. */
  previousScore: number | null;
  /** Line of the score history; `null` where the score did not move. */
  scoreEntry: ScoreEntry | null;
}

/** Whether a result that joins no incident opens one. */
export function opens(result: DetectorResult): boolean {
  return result.score >= INCIDENT_THRESHOLD;
}

type Story = Pick<IncidentState, "modelId" | "groupKey" | "firstSeen" | "lastSeen">;

/** Whether a result belongs to an incident: same model and group, and close in time. */
export function joins(incident: Story, result: Story): boolean {
  if (incident.modelId !== result.modelId || incident.groupKey !== result.groupKey) return false;
  return timeBetween(incident, result) <= JOIN_WINDOW;
}

/**
 * The incident that a result joins: the nearest in time, then the one that goes on longest, then the last one given.
 * Null where it belongs to none.
 */
export function incidentToJoin<I extends { state: Story }>(incidents: readonly I[], result: Story): I | null {
  let best: I | null = null;
  for (const incident of incidents) {
    if (!joins(incident.state, result)) continue;
    const nearer = best === null ? 1 : timeBetween(best.state, result) - timeBetween(incident.state, result);
    if (best === null || nearer > 0 || (nearer === 0 && incident.state.lastSeen >= best.state.lastSeen)) {
      best = incident;
    }
  }
  return best;
}

/** Time that passes between the two; 0 where they overlap. */
function timeBetween(a: Story, b: Story): Micros {
  return Math.max(0, b.firstSeen - a.lastSeen, a.firstSeen - b.lastSeen);
}

/**
 * The incident after a result: a new one where `incident` is `null` (then the result must open one, else a
 * RangeError), otherwise the one it joins. The status never changes here.
 */
export function applyResult(incident: IncidentState | null, result: DetectorResult): Applied {
  return incident === null ? open(result) : update(incident, result);
}

function open(result: DetectorResult): Applied {
  if (!opens(result)) {
    throw new RangeError(
      `expected a result of at least ${INCIDENT_THRESHOLD} to open an incident, got ${result.score}`,
    );
  }
  const modelScores = { [result.modelId]: result.score };
  const score = incidentScore(modelScores);
  const incident: IncidentState = {
    modelId: result.modelId,
    groupKey: result.groupKey,
    modelScores,
    title: result.title,
    summary: result.summary,
    severity: severityOf(score),
    score,
    status: "open",
    deviceIds: [...new Set(result.deviceIds)],
    firstSeen: result.firstSeen,
    lastSeen: result.lastSeen,
    revision: 1,
  };
  const scoreEntry = { at: result.at, score, reason: `Opened: ${result.title}` };
  return { incident, created: true, escalated: false, previousScore: null, scoreEntry };
}

function update(before: IncidentState, result: DetectorResult): Applied {
  const known = before.modelScores[result.modelId];
  const modelScores = { ...before.modelScores, [result.modelId]: Math.max(known ?? 0, result.score) };
  const full = incidentScore(modelScores);
  const moved = full >= before.score + MIN_RISE ||
    (full > before.score && severityOf(full) !== before.severity);
  const score = moved ? full : before.score;

  // The strongest result gives the words; one that tells the same story later brings them up to date.
  const leads = result.score >= Math.max(...Object.values(modelScores));
  const deviceIds = [...new Set([...before.deviceIds, ...result.deviceIds])];
  const incident: IncidentState = {
    ...before,
    modelScores,
    title: leads ? result.title : before.title,
    summary: leads || result.title === before.title ? result.summary : before.summary,
    severity: severityOf(score),
    score,
    deviceIds,
    firstSeen: Math.min(before.firstSeen, result.firstSeen),
    lastSeen: Math.max(before.lastSeen, result.lastSeen),
  };
  const visible = moved || incident.title !== before.title || deviceIds.length > before.deviceIds.length ||
    known === undefined;
  const reason = known === undefined
    ? `Also: ${result.title}`
    : `${result.title}: now ${result.score}, best before ${known}`;
  return {
    incident: visible ? { ...incident, revision: before.revision + 1 } : incident,
    created: false,
    escalated: moved,
    previousScore: before.score,
    scoreEntry: moved ? { at: result.at, score, reason } : null,
  };
}
