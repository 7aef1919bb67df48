// What becomes of an incident when a model speaks again.
import type { SubScore } from "../../contract/incident/incident.ts";
import type { Severity } from "../../contract/record/kinds.ts";
import { type DetectorResult, REPORT_SCORE } from "../detect/kernel/result.ts";
import type { Micros } from "../record/observation.ts";
import { type Importance, moreImportant } from "./importance.ts";
import { type Joinable, type Marks, MAX_DEVICES, MAX_MARKS } from "./joining.ts";
import { clip } from "./phrase.ts";
import { type IncidentScore, incidentScore, kindsOf } from "./score.ts";
import { INCIDENT_THRESHOLD, severityOf } from "./severity.ts";
import { type StoryPart, tell, wordsOf } from "./story.ts";

export { changeStatus, type StatusChange, StatusChangeError } from "./status.ts";

/**
 * A smaller rise does not move an incident's score, unless it changes the severity: a beacon that runs on
 * gains tenths for hours, and nobody wants to be told each time.
 */
const MIN_RISE = 1;
/** Devices that an incident names, the first ones. */
export const MAX_NAMED_DEVICES = 256;

/** What a result adds to a line of the score history, in characters. */
const MAX_REASON = 300;

/** The part of an incident that results decide. */
export interface IncidentState extends Joinable {
  /** Model and group of the result that opened it. */
  modelId: string;
  groupKey: string;
  /** Best score of each model so far. */
  modelScores: Readonly<Record<string, number>>;
  importance: Importance;
  story: readonly StoryPart[];
  title: string;
  summary: string;
  severity: Severity;
  score: number;
  /** What the score is made of; their sum is the score. */
  scoreParts: readonly SubScore[];
  deviceIds: readonly string[];
  /** The incident that this one goes on from, where that one had become too long. */
  continues: string | null;
  /** Starts at 1; grows when the score, severity, title, devices, models or status change. */
  revision: number;
}

/** A result, and what the engine knows beside it. */
export interface Told {
  result: DetectorResult;
  marks: Marks;
  /** Of the device that the result is about. */
  deviceName: string;
  importance: Importance;
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
export function opens(result: Pick<DetectorResult, "score">): boolean {
  return result.score >= INCIDENT_THRESHOLD;
}

/**
 * The incident after a result: a new one where `incident` is `null` (then the result must open one, else a
 * RangeError), otherwise the one it joins. The status never changes here.
 */
export function applyResult(incident: IncidentState | null, told: Told): Applied {
  return incident === null ? open(told) : update(incident, told);
}

function open(told: Told): Applied {
  const { result, importance } = told;
  if (!opens(result)) {
    throw new RangeError(
      `expected a result of at least ${INCIDENT_THRESHOLD} to open an incident, got ${result.score}`,
    );
  }
  const { firstSeen, lastSeen } = result;
  const modelScores = { [result.modelId]: result.score };
  const full = incidentScore({ modelScores, importance, firstSeen, lastSeen });
  const { score, parts } = full;
  const incident: IncidentState = reworded({
    modelId: result.modelId,
    groupKey: result.groupKey,
    modelScores,
    importance,
    ...joined(EMPTY, told),
    title: "",
    summary: "",
    severity: severityOf(score),
    score,
    scoreParts: parts,
    status: "open",
    continues: null,
    firstSeen,
    lastSeen,
    openedAt: result.at,
    revision: 1,
  });
  const reason = because(`Opened: ${clip(result.title, MAX_REASON)}`, full);
  const scoreEntry = { at: result.at, score, reason };
  return { incident, created: true, escalated: false, previousScore: null, scoreEntry };
}

function update(before: IncidentState, told: Told): Applied {
  const { result, marks } = told;
  const best = before.modelScores[result.modelId];
  const modelScores = { ...before.modelScores, [result.modelId]: Math.max(best ?? 0, result.score) };
  const importance = moreImportant(before.importance, told.importance);
  // A remark about something else does not make the story longer.
  const longer = result.score >= REPORT_SCORE || before.marks.has(marks.group);
  const firstSeen = longer ? Math.min(before.firstSeen, result.firstSeen) : before.firstSeen;
  const lastSeen = longer ? Math.max(before.lastSeen, result.lastSeen) : before.lastSeen;
  const full = incidentScore({ modelScores, importance, firstSeen, lastSeen });
  const moved = full.score >= before.score + MIN_RISE ||
    (full.score > before.score && severityOf(full.score) !== before.severity);
  const score = moved ? full.score : before.score;

  const incident = reworded({
    ...before,
    modelScores,
    importance,
    ...joined(before, told),
    severity: severityOf(score),
    score,
    scoreParts: moved ? full.parts : before.scoreParts,
    firstSeen,
    lastSeen,
  });
  const visible = moved || incident.title !== before.title || best === undefined ||
    incident.deviceIds.length > before.deviceIds.length;
  return {
    incident: visible ? { ...incident, revision: before.revision + 1 } : incident,
    created: false,
    escalated: moved,
    previousScore: before.score,
    scoreEntry: moved ? { at: result.at, score, reason: because(cause(before, told), full) } : null,
  };
}

const EMPTY: Pick<IncidentState, "deviceIds" | "mainDevices" | "marks" | "story"> = {
  deviceIds: [],
  mainDevices: [],
  marks: new Set(),
  story: [],
};

/** What the incident is found by and tells, with a result in it. */
function joined(before: typeof EMPTY, { result, marks, deviceName }: Told): typeof EMPTY {
  const { device, group, targets } = marks;
  const about = device === null ? [] : [device];
  return {
    deviceIds: distinct([...before.deviceIds, ...result.deviceIds], MAX_NAMED_DEVICES),
    mainDevices: distinct([...before.mainDevices, ...about], MAX_DEVICES),
    marks: new Set(distinct([...before.marks, group, ...targets], MAX_MARKS)),
    story: tell(before.story, result, group, deviceName),
  };
}

function distinct(values: readonly string[], most: number): string[] {
  return [...new Set(values)].slice(0, most);
}

function reworded(incident: IncidentState): IncidentState {
  const { story, firstSeen, lastSeen, mainDevices, modelScores } = incident;
  const kinds = kindsOf(modelScores);
  return { ...incident, ...wordsOf(story, { firstSeen, lastSeen, devices: mainDevices.length, kinds }) };
}

function cause(before: IncidentState, { result, marks }: Told): string {
  const title = clip(result.title, MAX_REASON);
  const best = before.modelScores[result.modelId];
  if (best === undefined || !before.marks.has(marks.group)) return `Also: ${title} (${result.score})`;
  return result.score > best ? `${title}: now ${result.score}, best before ${best}` : `Goes on: ${title}`;
}

/** What moved the score, and what it is made of where that is not one result alone. */
function because(cause: string, { score, parts }: IncidentScore): string {
  if (parts.length < 2) return cause;
  const points = parts.map(({ value, detail }, at) => {
    const sign = value < 0 ? "− " : at === 0 ? "" : "+ ";
    return `${sign}${Math.abs(value)} (${detail})`;
  });
  return `${cause}. Score ${score} = ${points.join(" ")}`;
}
