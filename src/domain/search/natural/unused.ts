import { FIELDS } from "../../../contract/filter/fields.ts";
import { leavesOf } from "../../../contract/filter/normalise.ts";
import type { Comparison, Filter, ResultKind } from "../../../contract/filter/tree.ts";
import type { Part } from "./rules/reading.ts";
import type { Declined, Understood } from "./understand.ts";
import { IMPLIED, isHarmless } from "./words/harmless.ts";
import { tokens } from "./words/token.ts";
import { singular } from "./words/vocabulary.ts";

/** What is known of the words of an answered question. */
export interface Usage {
  /** Parts that could be left out: the answer is the same without them, and does not hold what they ask for. */
  unused: Part[];
  /** Number of parts that are no harmless words. */
  meaningful: number;
}

/**
 * Reads the question again without each of its parts. This does not depend on what the grammar believes about a word:
 * a word that changes nothing was not answered.
 *
 * @param read Reads a text as the question was read.
 */
export function usageOf(
  text: string,
  answer: Understood,
  read: (text: string) => Understood | Declined,
): Usage {
  const meaningful: Part[] = [];
  for (const part of answer.parts) {
    if (!isHarmless(wordsOf(part), meaningful.length === 0)) meaningful.push(part);
  }
  const whole = signatureOf(answer);
  const unused = meaningful.filter((part) => {
    const rest = read(`${text.slice(0, part.from)} ${text.slice(part.to)}`);
    return rest.ok && signatureOf(rest) === whole && !isImplied(part, answer) &&
      !isHonoured(read(part.text), answer);
  });
  return { unused, meaningful: meaningful.length };
}

function wordsOf({ text }: Part): string[] {
  return tokens(text).map((token) => token.text);
}

/** All that an answer consists of, the assumptions included. */
function signatureOf({ filter, ranking, notes }: Understood): string {
  return JSON.stringify([filter, ranking, notes]);
}

function isImplied(part: Part, answer: Understood): boolean {
  const words = wordsOf(part);
  // What a ranking is measured by is the usual measure.
  if (words[0] === "by" && words.length > 1 && answer.ranking !== null) return true;
  const fields = IMPLIED[words.join(" ")] ?? IMPLIED[words.map(singular).join(" ")];
  if (fields === undefined) return false;
  const { ranking } = answer;
  const known: string[] = leavesOfAnswer(answer).map(({ field }) => field);
  if (ranking !== null) known.push(ranking.field, ranking.measure);
  return fields.some((field) => known.includes(field));
}

/** Whether the answer holds what the words ask for by themselves: `connections` in `ssh connections`. */
function isHonoured(alone: Understood | Declined, answer: Understood): boolean {
  if (!alone.ok) return false;
  const leaves = leavesOfAnswer(answer);
  const asked = leavesOfAnswer(alone);
  return asked.every((leaf) => leaves.some((other) => includes(other, leaf, alone.notes.length > 0))) &&
    (asked.length > 0 || alone.ranking !== null || alone.filter.window !== null ||
      isOfKind(alone.filter.kind, answer, leaves)) &&
    isWithin(answer.filter.window, alone.filter.window) && isMeasured(alone, answer, leaves);
}

/** Whether a condition is at least as narrow as one that only names the field, or that was assumed. */
function includes(known: Comparison, asked: Comparison, isAssumed: boolean): boolean {
  const isOfField = known.field === asked.field || known.field.startsWith(`${asked.field}.`);
  return isOfField &&
    (asked.op === "exists" || isAssumed || JSON.stringify(known) === JSON.stringify(asked));
}

/** Whether the answer is of the kind, or is narrowed or grouped by something of it: `devices with open incidents`. */
function isOfKind(kind: ResultKind, { filter, ranking }: Understood, leaves: readonly Comparison[]): boolean {
  if (filter.kind === kind) return true;
  const owners = new Set(leaves.map(({ field }) => FIELDS[field].owner));
  const fields: string[] = [...leaves.map(({ field }) => field), ...ranking === null ? [] : [ranking.field]];
  switch (kind) {
    case "devices":
      // Every incident is one of devices.
      return filter.kind === "incidents" || owners.has("device") ||
        fields.some((field) => /^(?:device|vlan|(?:src|dst)\.ip$)/.test(field));
    case "incidents":
      return owners.has("incident") || fields.some((field) => field.startsWith("alert"));
    case "flows":
      return owners.has("flow") || fields.includes("detector") || fields.includes("title");
  }
}

function isWithin(inner: Filter["window"], outer: Filter["window"]): boolean {
  if (outer === null) return true;
  return inner !== null && inner.from >= outer.from && inner.to <= outer.to;
}

/** Whether amounts are what is counted or bounded: `bytes over 10 MB`. */
function isMeasured({ ranking }: Understood, answer: Understood, leaves: readonly Comparison[]): boolean {
  if (ranking === null) return true;
  const unit = ranking.measure.replace(/^.*\./, "");
  return answer.ranking?.measure.endsWith(unit) === true || leaves.some(({ field }) => field.endsWith(unit));
}

function leavesOfAnswer({ filter: { where } }: Understood): Comparison[] {
  return where === null ? [] : leavesOf(where);
}
