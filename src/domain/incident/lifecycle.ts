// How a result changes an incident.
import type { SubScore } from "../../contract/incident/incident.ts";
import type { Severity } from "../../contract/record/kinds.ts";
import { type DetectorResult, REPORT_SCORE } from "../detect/kernel/result.ts";
import type { Micros } from "../record/observation.ts";
import { type Campaign, describeCampaign, MAX_SHOWN_SOURCES, NO_SOURCES } from "./campaign.ts";
import { type Importance, moreImportant } from "./importance.ts";
import { type Joinable, type Marks, MAX_DEVICES, MAX_MARKS } from "./joining.ts";
import { clip } from "./phrase.ts";
import { type IncidentScore, incidentScore, kindsOf } from "./score.ts";
import { INCIDENT_THRESHOLD, severityOf } from "./severity.ts";
import { addToNarrative, describeIncident, type NarrativePart } from "./narrative.ts";

/**
 * A smaller rise does not move an incident's score unless it changes the severity: an active beacon gains
 * tenths for hours, which is not worth a notification each time.
 */
const MIN_RISE = 1;
/** Maximum number of devices an incident names: the first ones. */
export const MAX_NAMED_DEVICES = 256;

/** Maximum length of a result's part of a score history line, characters. */
const MAX_REASON = 300;

/** The part of an incident that results determine. */
export interface IncidentState extends Joinable {
  /** Model and group of the result that opened it. */
  modelId: string;
  groupKey: string;
  /** Best score of each model so far. */
  modelScores: Readonly<Record<string, number>>;
  importance: Importance;
  narrative: readonly NarrativePart[];
  title: string;
  summary: string;
  severity: Severity;
  score: number;
  /** The components of the score, which add up to it. */
  scoreParts: readonly SubScore[];
  deviceIds: readonly string[];
  /** Set if this is a campaign incident: one for all sources beyond a detector's bound. */
  campaign: Campaign | null;
  /** The incident this one continues, if that one had reached its maximum length. */
  continues: string | null;
  /** Starts at 1; increments when the score, severity, title, devices or status change. */
  revision: number;
}

/** A result with the context the engine adds. */
export interface AttributedResult {
  result: DetectorResult;
  marks: Marks;
  /** Name of the device the result is about. */
  deviceName: string;
  importance: Importance;
  /** The marks of a campaign incident and of the source within it; needed to join or open one. */
  campaign?: { storm: string; source: string };
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
  /** Score before; null for a new incident. */
  previousScore: number | null;
  /** New line of the score history; null if the score did not move. */
  scoreEntry: ScoreEntry | null;
}

/** Whether a result that joins no incident opens one. */
export function opens(result: Pick<DetectorResult, "score">): boolean {
  return result.score >= INCIDENT_THRESHOLD;
}

/**
 * Applies a result to the incident it joins, or opens a new one if `incident` is null: a campaign incident
 * if the result names a campaign. Never changes the status.
 *
 * @throws RangeError if the result does not open an incident by itself (see `opens`)
 */
export function applyResult(incident: IncidentState | null, attributed: AttributedResult): Applied {
  return incident === null ? open(attributed) : update(incident, attributed);
}

function open(attributed: AttributedResult): Applied {
  const { result, importance } = attributed;
  if (!opens(result)) {
    throw new RangeError(
      `expected a result of at least ${INCIDENT_THRESHOLD} to open an incident, got ${result.score}`,
    );
  }
  const { firstSeen, lastSeen } = result;
  const modelScores = { [result.modelId]: result.score };
  const full = incidentScore({ modelScores, importance, firstSeen, lastSeen });
  const { score, parts } = full;
  const incident: IncidentState = withText({
    modelId: result.modelId,
    groupKey: result.groupKey,
    modelScores,
    importance,
    ...withResult({ ...EMPTY, campaign: attributed.campaign === undefined ? null : NO_SOURCES }, attributed),
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
  const reason = withBreakdown(`Opened: ${clip(result.title, MAX_REASON)}`, full);
  const scoreEntry = { at: result.at, score, reason };
  return { incident, created: true, escalated: false, previousScore: null, scoreEntry };
}

function update(before: IncidentState, attributed: AttributedResult): Applied {
  const { result, marks } = attributed;
  const best = before.modelScores[result.modelId];
  const modelScores = { ...before.modelScores, [result.modelId]: Math.max(best ?? 0, result.score) };
  const importance = moreImportant(before.importance, attributed.importance);
  // A weak result about something else does not extend the incident's time span.
  const extendsSpan = result.score >= REPORT_SCORE || before.marks.has(marks.group);
  const firstSeen = extendsSpan ? Math.min(before.firstSeen, result.firstSeen) : before.firstSeen;
  const lastSeen = extendsSpan ? Math.max(before.lastSeen, result.lastSeen) : before.lastSeen;
  const full = incidentScore({ modelScores, importance, firstSeen, lastSeen });
  const moved = full.score >= before.score + MIN_RISE ||
    (full.score > before.score && severityOf(full.score) !== before.severity);
  const score = moved ? full.score : before.score;

  const incident = withText({
    ...before,
    modelScores,
    importance,
    ...withResult(before, attributed),
    severity: severityOf(score),
    score,
    scoreParts: moved ? full.parts : before.scoreParts,
    firstSeen,
    lastSeen,
  });
  const visible = moved || incident.title !== before.title ||
    incident.deviceIds.length > before.deviceIds.length;
  return {
    incident: visible ? { ...incident, revision: before.revision + 1 } : incident,
    created: false,
    escalated: moved,
    previousScore: before.score,
    scoreEntry: moved
      ? { at: result.at, score, reason: withBreakdown(causeOf(before, attributed), full) }
      : null,
  };
}

type Accumulated = Pick<IncidentState, "deviceIds" | "mainDevices" | "marks" | "narrative" | "campaign">;

const EMPTY: Accumulated = {
  campaign: null,
  deviceIds: [],
  mainDevices: [],
  marks: new Set(),
  narrative: [],
};

/** Adds a result to the devices, marks and narrative. */
function withResult(before: Accumulated, attributed: AttributedResult): Accumulated {
  if (before.campaign !== null) return withSource(before, before.campaign, attributed);
  const { result, marks, deviceName } = attributed;
  const { device, group, targets } = marks;
  const main = device === null ? [] : [device];
  return {
    campaign: null,
    deviceIds: distinct([...before.deviceIds, ...result.deviceIds], MAX_NAMED_DEVICES),
    mainDevices: distinct([...before.mainDevices, ...main], MAX_DEVICES),
    marks: new Set(distinct([...before.marks, group, ...targets], MAX_MARKS)),
    narrative: addToNarrative(before.narrative, result, group, deviceName),
  };
}

/**
 * Adds a result to a campaign incident. It accepts by group alone, so it has no main devices and no targets; its
 * marks are not bounded here, because only those that a round asks for are read.
 */
function withSource(before: Accumulated, known: Campaign, attributed: AttributedResult): Accumulated {
  const { result, marks: { group }, deviceName, campaign } = attributed;
  const isNew = campaign !== undefined && !before.marks.has(campaign.source);
  const marks = new Set(before.marks).add(group);
  if (campaign !== undefined) marks.add(campaign.storm).add(campaign.source);
  const name = deviceName === "" ? result.subject : deviceName;
  const lead = addToNarrative([], result, group, deviceName);
  return {
    campaign: {
      sources: known.sources + (isNew ? 1 : 0),
      results: known.results + 1,
      first: isNew ? distinct([...known.first, name], MAX_SHOWN_SOURCES) : known.first,
    },
    deviceIds: distinct(
      [...before.deviceIds, ...result.deviceIds],
      Math.max(before.deviceIds.length, MAX_SHOWN_SOURCES),
    ),
    mainDevices: [],
    marks,
    narrative: result.score > (before.narrative[0]?.score ?? -1) ? lead : before.narrative,
  };
}

function distinct(values: readonly string[], most: number): string[] {
  return [...new Set(values)].slice(0, most);
}

function withText(incident: IncidentState): IncidentState {
  const { narrative, firstSeen, lastSeen, mainDevices, modelScores } = incident;
  if (incident.campaign !== null) {
    return { ...incident, ...describeCampaign(incident.campaign, narrative[0]!, incident) };
  }
  const kinds = kindsOf(modelScores);
  return {
    ...incident,
    ...describeIncident(narrative, { firstSeen, lastSeen, devices: mainDevices.length, kinds }),
  };
}

function causeOf(before: IncidentState, { result, marks }: AttributedResult): string {
  const title = clip(result.title, MAX_REASON);
  const best = before.modelScores[result.modelId];
  if (best === undefined || !before.marks.has(marks.group)) return `Also: ${title} (${result.score})`;
  return result.score > best ? `${title}: ${result.score}, previous peak ${best}` : `Continues: ${title}`;
}

/** What moved the score, plus its components if there is more than one. */
function withBreakdown(cause: string, { score, parts }: IncidentScore): string {
  if (parts.length < 2) return cause;
  const points = parts.map(({ value, detail }, at) => {
    const sign = value < 0 ? "− " : at === 0 ? "" : "+ ";
    return `${sign}${Math.abs(value)} (${detail})`;
  });
  return `${cause}. Score ${score} = ${points.join(" ")}`;
}
