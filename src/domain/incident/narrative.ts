// An incident's title and summary: those of its leading result, followed by what else was found.
import { type DetectorResult, REPORT_SCORE } from "../detect/kernel/result.ts";
import { duration, hostPort, list, moment, percent, plural, within } from "../../kit/text.ts";
import { fixedPart, TITLE_LENGTH, titleLine } from "../../kit/title-line.ts";
import type { Micros } from "../record/observation.ts";
import { clip, namesDevice, phraseOf } from "./phrase.ts";
import { kindOf } from "./score.ts";

/** Maximum number of parts; the weakest of more is dropped from the text, never from the score. */
export const MAX_PARTS = 12;
/** Parts named after the leading one, in the title and in the summary. */
const NAMED = { title: 2, summary: 4 } as const;
/** From this many findings that differ in their destination only, a title states their number. */
const MANY_OF_A_KIND = 3;
const MAX_SUMMARY = 2400;
/** Maximum summary length of one result. */
const MAX_PART_SUMMARY = 1500;
const MAX_NAME = 80;

/** One detector's report on one group of activity. */
export interface NarrativePart {
  modelId: string;
  /** Mark of its group (joining.ts). */
  group: string;
  device: string;
  score: number;
  confidence: number;
  title: string;
  summary: string;
  phrase: string;
  /** The main destination as text; empty if there is none. */
  target: string;
  firstSeen: Micros;
}

/**
 * Adds a result to the narrative. The strongest result of a group provides its text; a later result with the
 * same title updates the summary.
 */
export function addToNarrative(
  narrative: readonly NarrativePart[],
  result: DetectorResult,
  group: string,
  deviceName: string,
): NarrativePart[] {
  const at = narrative.findIndex((part) => part.group === group && part.modelId === result.modelId);
  const known = narrative[at];
  const report = toPart(result, group, clip(deviceName, MAX_NAME));
  if (known === undefined) return strongest([...narrative, report]);
  const firstSeen = Math.min(known.firstSeen, report.firstSeen);
  let part: NarrativePart = { ...known, firstSeen };
  if (result.score >= known.score) part = { ...report, firstSeen };
  else if (report.title === known.title) part = { ...part, summary: report.summary };
  return narrative.with(at, part);
}

/** Drops the weakest part if there are more than MAX_PARTS; of equal ones the last. */
function strongest(narrative: readonly NarrativePart[]): NarrativePart[] {
  if (narrative.length <= MAX_PARTS) return [...narrative];
  const least = Math.min(...narrative.map((part) => part.score));
  return narrative.toSpliced(narrative.findLastIndex((part) => part.score === least), 1);
}

function toPart(result: DetectorResult, group: string, device: string): NarrativePart {
  return {
    modelId: result.modelId,
    group,
    device,
    score: result.score,
    confidence: result.confidence,
    title: clip(result.title, TITLE_LENGTH),
    summary: clip(result.summary, MAX_PART_SUMMARY),
    phrase: phraseOf(result, device),
    target: clip(targetOf(result), MAX_NAME),
    firstSeen: result.firstSeen,
  };
}

function targetOf({ destinations: [main] }: DetectorResult): string {
  if (main === undefined) return "";
  if (main.name !== null) return main.name;
  if (main.ip === null) return "";
  return main.port === null ? main.ip : hostPort(main.ip, main.port);
}

interface Span {
  firstSeen: Micros;
  lastSeen: Micros;
  /** Devices the incident is about. */
  devices: number;
  /** Kinds of models that agree (score.ts). */
  kinds: number;
}

interface IncidentText {
  title: string;
  summary: string;
}

export function describeIncident(narrative: readonly NarrativePart[], span: Span): IncidentText {
  const [lead, ...others] = byStrength(narrative);
  if (lead === undefined) throw new RangeError("expected at least one result");
  const reportable = others.filter((part) => part.score >= REPORT_SCORE);
  const [first, ...rest] = countKinds([lead, ...reportable], narrative.length >= MAX_PARTS);
  return {
    title: clip(titleOf(first!, rest, span.devices - namedIn(lead, others)), TITLE_LENGTH),
    summary: clip(summaryOf(lead, others, span), MAX_SUMMARY),
  };
}

/**
 * The parts for a title: one for many that differ in their destination only, such as `beaconing to 9 servers`,
 * in the place of the strongest. If the narrative is full, there may be more.
 */
function countKinds(parts: readonly NarrativePart[], isFull: boolean): NarrativePart[] {
  const groups = new Map<string, NarrativePart[]>();
  for (const part of parts) {
    const key = `${part.device}\n${part.modelId}\n${withoutTarget(part)?.join("\n") ?? part.phrase}`;
    groups.set(key, [...groups.get(key) ?? [], part]);
  }
  return [...groups.values()].flatMap((group) => {
    const targets = new Set(group.map(({ target }) => target));
    const around = withoutTarget(group[0]!);
    if (around === null || targets.size < MANY_OF_A_KIND) return group;
    const [before, after] = around;
    const noun = /looked up $/.test(before) ? "names" : "servers";
    const phrase = `${before}${isFull ? "at least " : ""}${targets.size} ${noun}${after}`;
    const title = titleLine`${group[0]!.device}: ${fixedPart(phrase)}`;
    return [{ ...group[0]!, phrase, title, target: "" }];
  });
}

/** What precedes and follows the destination and its port in the phrase; null if it is not in it. */
function withoutTarget({ phrase, target }: NarrativePart): [before: string, after: string] | null {
  const at = target === "" ? -1 : phrase.indexOf(target);
  if (at < 0 || /[\w.-]/.test(phrase[at - 1] ?? "")) return null;
  const after = phrase.slice(at + target.length).replace(/^:\d{1,5}(?!\w)/, "");
  return /^[\w.-]/.test(after) ? null : [phrase.slice(0, at), after];
}

/** Devices with findings of their own that the leading phrase names, such as the host taken over: not further ones. */
function namedIn(lead: NarrativePart, others: readonly NarrativePart[]): number {
  const devices = new Set(others.map(({ device }) => device).filter((device) => device !== lead.device));
  return [...devices].filter((device) => namesDevice(lead.phrase, device)).length;
}

/** Highest score first; ties keep their order. */
function byStrength(narrative: readonly NarrativePart[]): NarrativePart[] {
  return narrative.toSorted((a, b) => b.score - a.score);
}

/**
 * "WS-12: beaconing to 203.0.113.7:443, then 2.2 MB uploaded there". Names as many other findings as fit one line and
 * counts the rest; the summary has them all.
 */
function titleOf(lead: NarrativePart, others: readonly NarrativePart[], devices: number): string {
  const distinct = firstOfModels(
    lead,
    others.filter((part, at) => addsToTitle(part, [lead, ...others.slice(0, at)])),
  );
  if (distinct.length === 0 && devices <= 1) return lead.title;
  // Incidents from early versions lack the device name; their phrase includes it.
  const who = lead.device === "" ? "" : `${lead.device}${andMore(devices, "more device")}: `;
  const titles = Array.from({ length: NAMED.title + 1 }, (_, left) => {
    const named = distinct.slice(0, NAMED.title - left);
    return `${who}${lead.phrase}${findings(lead, named, distinct.length - named.length)}`;
  });
  const fitting = titles.find((title) => title.length <= TITLE_LENGTH);
  if (fitting !== undefined) return fitting;
  const alone = `${who}${lead.phrase}`;
  if (devices <= 1 || lead.device === "") {
    return lead.title.includes("…") && alone.length <= TITLE_LENGTH ? alone : lead.title;
  }
  return alone.length <= TITLE_LENGTH
    ? alone
    : titleLine`${lead.device}${fixedPart(andMore(devices, "other"))}: ${lead.phrase}`;
}

/** " and 2 more devices"; empty if there is one. */
function andMore(devices: number, noun: string): string {
  return devices > 1 ? ` and ${plural(devices - 1, noun)}` : "";
}

/** ", also scans port 4, then 2.2 MB uploaded there, and 4 more findings". */
function findings(lead: NarrativePart, named: readonly NarrativePart[], rest: number): string {
  const inOrder = named.toSorted((a, b) => a.firstSeen - b.firstSeen);
  let place = lead.target;
  const report = (parts: readonly NarrativePart[], word: string) => {
    if (parts.length === 0) return "";
    const whose = ({ device }: NarrativePart) => device === lead.device ? "" : ` (${device})`;
    const phrases = parts.map((part) => {
      const phrase = withThere(part.phrase, place) + whose(part);
      if (part.target !== "") place = part.target;
      return phrase;
    });
    return `, ${word} ${list(phrases)}`;
  };
  const also = report(inOrder.filter((part) => part.firstSeen <= lead.firstSeen), "also");
  const then = report(inOrder.filter((part) => part.firstSeen > lead.firstSeen), "then");
  if (rest === 0) return `${also}${then}`;
  return `${also}${then}${named.length === 0 ? "" : ","} and ${plural(rest, "more finding")}`;
}

/**
 * Whether naming a part adds to a title: not if an earlier part has the same phrase, nor if another model of
 * the same kind reports the same destination.
 */
function addsToTitle(part: NarrativePart, before: readonly NarrativePart[]): boolean {
  const withoutPort = part.phrase.replace(/:\d{1,5}$/, "");
  return !before.some((one) =>
    one.phrase === part.phrase || one.phrase.startsWith(`${withoutPort},`) ||
    (part.target !== "" && one.target === part.target && one.device === part.device &&
      one.modelId !== part.modelId && kindOf(one.modelId) === kindOf(part.modelId))
  );
}

/** Parts from models not yet represented come first. */
function firstOfModels(lead: NarrativePart, others: readonly NarrativePart[]): NarrativePart[] {
  const report = new Set([lead.modelId]);
  const news: NarrativePart[] = [];
  const more: NarrativePart[] = [];
  for (const part of others) {
    (report.has(part.modelId) ? more : news).push(part);
    report.add(part.modelId);
  }
  return [...news, ...more];
}

/** Replaces the destination named last by "there". */
function withThere(phrase: string, target: string): string {
  if (target === "") return phrase;
  const end = ` to ${target}`;
  const at = phrase.indexOf(end);
  if (at < 0 || /[\w.:-]/.test(phrase[at + end.length] ?? "")) return phrase;
  return `${phrase.slice(0, at)} there${phrase.slice(at + end.length)}`;
}

/** The leading result's summary, other findings, the time span, and the confidence. */
function summaryOf(lead: NarrativePart, others: readonly NarrativePart[], span: Span): string {
  const sentences = [lead.summary];
  if (others.length > 0) {
    const named = others.slice(0, NAMED.summary).map((part) =>
      `${part.title} (score ${part.score}, since ${moment(part.firstSeen)})`
    );
    const rest = others.length - named.length;
    sentences.push(`Also: ${[...named, ...(rest > 0 ? [`and ${rest} more`] : [])].join("; ")}.`);
    const seconds = (span.lastSeen - span.firstSeen) / 1e6;
    const about = span.devices > 1 ? ` on ${plural(span.devices, "device")}` : "";
    sentences.push(
      `Observed ${within(span.firstSeen, span.lastSeen)} (${duration(seconds)})${about}.`,
    );
  }
  sentences.push(confidenceText(lead, span.kinds));
  return sentences.filter((sentence) => sentence !== "").join(" ");
}

function confidenceText(lead: NarrativePart, kinds: number): string {
  const confidence = percent(lead.confidence);
  if (kinds < 2) return `Confidence: ${confidence}.`;
  return `Confidence: ${confidence} for the leading finding, and ${kinds} kinds of detection agree.`;
}
