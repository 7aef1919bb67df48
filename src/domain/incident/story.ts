// The words of an incident: those of its leading result, and after them what else there is.
import { type DetectorResult, REPORT_SCORE } from "../detect/kernel/result.ts";
import { duration, hostPort, list, moment, percent, plural, within } from "../detect/kernel/wording.ts";
import type { Micros } from "../record/observation.ts";
import { clip, phraseOf } from "./phrase.ts";
import { kindOf } from "./score.ts";

/** What is told of; the weakest of more is left out of the words, never out of the score. */
export const MAX_PARTS = 12;
/** Beside the leading one, in the title and in the summary. */
const NAMED = { title: 2, summary: 4 } as const;
const MAX_TITLE = 240;
const MAX_SUMMARY = 2400;
/** Of one result. */
const MAX_TOLD = 1500;
const MAX_NAME = 80;

/** What one detector says of one thing, in short. */
export interface StoryPart {
  modelId: string;
  /** The mark of its group (joining.ts). */
  group: string;
  device: string;
  score: number;
  confidence: number;
  title: string;
  summary: string;
  phrase: string;
  /** How its main destination is written; empty where it has none. */
  target: string;
  firstSeen: Micros;
}

/**
 * The story with a result in it. The strongest result of a group gives its words; one that says the same later brings
 * them up to date.
 */
export function tell(
  story: readonly StoryPart[],
  result: DetectorResult,
  group: string,
  deviceName: string,
): StoryPart[] {
  const at = story.findIndex((part) => part.group === group && part.modelId === result.modelId);
  const known = story[at];
  const told = toPart(result, group, clip(deviceName, MAX_NAME));
  if (known === undefined) return strongest([...story, told]);
  const firstSeen = Math.min(known.firstSeen, told.firstSeen);
  let part: StoryPart = { ...known, firstSeen };
  if (result.score >= known.score) part = { ...told, firstSeen };
  else if (told.title === known.title) part = { ...part, summary: told.summary };
  return story.with(at, part);
}

/** Of more than MAX_PARTS the weakest goes, of equal ones the last. */
function strongest(story: readonly StoryPart[]): StoryPart[] {
  if (story.length <= MAX_PARTS) return [...story];
  const least = Math.min(...story.map((part) => part.score));
  return story.toSpliced(story.findLastIndex((part) => part.score === least), 1);
}

function toPart(result: DetectorResult, group: string, device: string): StoryPart {
  return {
    modelId: result.modelId,
    group,
    device,
    score: result.score,
    confidence: result.confidence,
    title: clip(result.title, MAX_TITLE),
    summary: clip(result.summary, MAX_TOLD),
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
  /** Devices that the incident is about. */
  devices: number;
  /** Kinds of models that speak of it (score.ts). */
  kinds: number;
}

interface Words {
  title: string;
  summary: string;
}

export function wordsOf(story: readonly StoryPart[], span: Span): Words {
  const [lead, ...others] = byStrength(story);
  if (lead === undefined) throw new RangeError("expected at least one result");
  const telling = others.filter((part) => part.score >= REPORT_SCORE);
  return {
    title: clip(titleOf(lead, telling, span.devices), MAX_TITLE),
    summary: clip(summaryOf(lead, others, span), MAX_SUMMARY),
  };
}

/** The highest first; of equal ones the one that spoke first. */
function byStrength(story: readonly StoryPart[]): StoryPart[] {
  return story.toSorted((a, b) => b.score - a.score);
}

/** "WS-12: beaconing to 203.0.113.7:443, then 2.2 MB uploaded there". */
function titleOf(lead: StoryPart, others: readonly StoryPart[], devices: number): string {
  const distinct = firstOfModels(
    lead,
    others.filter((part, at) => isNews(part, [lead, ...others.slice(0, at)])),
  );
  const and = devices > 1 ? ` and ${plural(devices - 1, "more device")}` : "";
  if (distinct.length === 0 && and === "") return lead.title;
  const named = distinct.slice(0, NAMED.title).sort((a, b) => a.firstSeen - b.firstSeen);
  let place = lead.target;
  const told = (parts: readonly StoryPart[], word: string) => {
    if (parts.length === 0) return "";
    const whose = ({ device }: StoryPart) => device === lead.device ? "" : ` (${device})`;
    const phrases = parts.map((part) => {
      const phrase = there(part.phrase, place) + whose(part);
      if (part.target !== "") place = part.target;
      return phrase;
    });
    return `, ${word} ${list(phrases)}`;
  };
  const also = told(named.filter((part) => part.firstSeen <= lead.firstSeen), "also");
  const then = told(named.filter((part) => part.firstSeen > lead.firstSeen), "then");
  const rest = distinct.length - named.length;
  const more = rest > 0 ? `, and ${plural(rest, "more finding")}` : "";
  // Incidents of the first versions do not say whose they are but in their phrase.
  const who = lead.device === "" ? "" : `${lead.device}${and}: `;
  return `${who}${lead.phrase}${also}${then}${more}`;
}

/**
 * Whether a title gains by naming a part after others: not what they have said in the same words, and not what another
 * model of the same kind has said of the same destination.
 */
function isNews(part: StoryPart, before: readonly StoryPart[]): boolean {
  const bare = part.phrase.replace(/:\d{1,5}$/, "");
  return !before.some((one) =>
    one.phrase === part.phrase || one.phrase.startsWith(`${bare},`) ||
    (part.target !== "" && one.target === part.target && one.device === part.device &&
      one.modelId !== part.modelId && kindOf(one.modelId) === kindOf(part.modelId))
  );
}

/** Those first that say what no detector before them has said. */
function firstOfModels(lead: StoryPart, others: readonly StoryPart[]): StoryPart[] {
  const told = new Set([lead.modelId]);
  const news: StoryPart[] = [];
  const more: StoryPart[] = [];
  for (const part of others) {
    (told.has(part.modelId) ? more : news).push(part);
    told.add(part.modelId);
  }
  return [...news, ...more];
}

/** The destination that was just named is "there". */
function there(phrase: string, target: string): string {
  if (target === "") return phrase;
  const end = ` to ${target}`;
  const at = phrase.indexOf(end);
  if (at < 0 || /[\w.:-]/.test(phrase[at + end.length] ?? "")) return phrase;
  return `${phrase.slice(0, at)} there${phrase.slice(at + end.length)}`;
}

/** What the leading result says, what else was found, from when to when, and how sure it is. */
function summaryOf(lead: StoryPart, others: readonly StoryPart[], span: Span): string {
  const sentences = [lead.summary];
  if (others.length > 0) {
    const named = others.slice(0, NAMED.summary).map((part) =>
      `${part.title} (score ${part.score}, since ${moment(part.firstSeen)})`
    );
    const rest = others.length - named.length;
    sentences.push(`Also: ${[...named, ...(rest > 0 ? [`and ${rest} more`] : [])].join("; ")}.`);
    const seconds = (span.lastSeen - span.firstSeen) / 1e6;
    const about = span.devices > 1 ? `, about ${plural(span.devices, "device")}` : "";
    sentences.push(
      `All of it ${within(span.firstSeen, span.lastSeen)} (${duration(seconds)})${about}.`,
    );
  }
  sentences.push(howSure(lead, span.kinds));
  return sentences.filter((sentence) => sentence !== "").join(" ");
}

function howSure(lead: StoryPart, kinds: number): string {
  const sure = percent(lead.confidence);
  if (kinds < 2) return `Confidence: ${sure}.`;
  return `Confidence: ${sure} for the leading finding, and ${kinds} kinds of detection agree.`;
}
