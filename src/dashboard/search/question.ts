// How a text that was entered is to be understood, and what the answer says about it.

import { bareType, isFieldQuery, questionWords } from "../../contract/filter/bare.ts";
import { tokensOf } from "../../contract/filter/lexer.ts";
import { parseText } from "../../contract/filter/parser.ts";
import { printCondition } from "../../contract/filter/printer.ts";
import { normalise } from "../../contract/filter/normalise.ts";
import type { Condition, ResultKind } from "../../contract/filter/tree.ts";
import type { Interpretation } from "../../contract/search/search.ts";
import type { ApiFailure } from "../base/api.ts";
import type { QueryTarget } from "./query-target.ts";
import { windowCondition } from "./window-condition.ts";
import { currentZone } from "../base/time/zone.ts";

const MICROS = 1000;

/** Suggested in an empty bar. */
export const EXAMPLES: Readonly<Record<ResultKind, readonly string[]>> = {
  flows: [
    "top talkers today",
    "large uploads since monday",
    "failed log-ons yesterday",
    "DNS lookups of example.com",
  ],
  devices: ["new devices this week", "devices that use an old TLS version", "devices that contacted Russia"],
  incidents: ["open incidents", "high severity incidents yesterday", "severity>=high -assignee:*"],
};

/** Whether the text uses the search language, such as `field:value`. */
export function hasOperator(text: string): boolean {
  return tokensOf(text).some(({ type }) => type === "operator");
}

export type Entered =
  /** A filter in its canonical form. */
  | { type: "filter"; text: string }
  /**
   * Text for the API to interpret. `auto`: perhaps a filter with a fault, or a word. `words` is the search for its
   * words, if there is one.
   */
  | { type: "question"; mode: "auto" | "natural"; words: string | null };

const QUESTION_START =
  /^(?:who|whom|what|which|when|where|why|how|did|does|do|is|are|was|were|has|have|show|list|find|give|tell)\b/i;

/** Reads what was entered. */
export function readEntered(text: string): Entered {
  const parsed = parseText(text);
  if (!parsed.ok) return { type: "question", mode: hasOperator(text) ? "auto" : "natural", words: null };
  const { condition, spans: [first, ...rest] } = parsed;
  const words = printCondition(condition);
  // `devices with risk > 70`: the API knows whether it is a question.
  if (isFieldQuery(condition) && questionWords(parsed.spans, text).length > 0) {
    return { type: "question", mode: "auto", words: null };
  }
  const isOneWord = first !== undefined && rest.length === 0;
  // An address, a name or a fingerprint is no question, but `incidents` and `today` are.
  const isValue = isOneWord && bareType(String(first.leaf.value)) !== "text";
  if (isFieldQuery(condition) || isValue) return { type: "filter", text: words };
  return { type: "question", mode: isOneWord ? "auto" : "natural", words };
}

/** Whether the text can only be a question, so that a search for its words would find nothing of use. */
export function isQuestion(text: string): boolean {
  return /\?\s*$/.test(text) || QUESTION_START.test(text.trim());
}

/** The filter of an interpretation, its window as a condition, so that the bar shows and edits it. */
export function interpretedText({ filter: { where, window } }: Interpretation, now: number): string {
  // The schema of the API states less of a condition than its type.
  const parts = where === null ? [] : [where as unknown as Condition];
  if (window !== null) {
    const time = windowCondition(window, { now: now * MICROS, zone: currentZone() });
    parts.push(time ?? { field: "time", op: "range", value: [window.from, window.to] });
  }
  return parts.length === 0 ? "" : printCondition(normalise({ all: parts }));
}

/** The search for the words of a declined question: that of the API, else for the text as it stands. */
export function searchedWords(
  { details }: ApiFailure,
  text: string | null,
): { text: string; kind?: ResultKind } | null {
  const words = details.words as { text: string; kind: ResultKind | null } | undefined;
  if (words === undefined) return text === null ? null : { text };
  return words.kind === null ? { text: words.text } : { text: words.text, kind: words.kind };
}

/** A part of the text that is marked as wrong. */
export interface Mark {
  from: number;
  to: number;
}

/** What is wrong with a text, and the text that would be right. */
export interface Problem {
  marks: Mark[];
  message: string;
  expected: string[];
  /** A replacement of the whole text. */
  fix: string | null;
  /** What to call it. */
  fixLabel: string | null;
}

const MAX_EXPECTED = 6;

interface Fault {
  from: number;
  to: number;
  message: string;
  expected: readonly string[];
  suggestion: string | null;
}

function ofFault(text: string, { from, to, message, expected, suggestion }: Fault): Problem {
  return {
    marks: [{ from, to }],
    message,
    expected: expected.slice(0, MAX_EXPECTED),
    fix: suggestion === null ? null : text.slice(0, from) + suggestion + text.slice(to),
    fixLabel: suggestion,
  };
}

/** What is wrong before the caret while a filter is typed. */
export function typingProblems(text: string, caret: number, target?: QueryTarget): Problem[] {
  if (!hasOperator(text)) return [];
  return faultsOf(text, target).filter(({ to }) => to < caret).map((fault) => ofFault(text, fault));
}

export function filterProblems(text: string, target?: QueryTarget): Problem[] {
  return faultsOf(text, target).map((fault) => ofFault(text, fault));
}

function faultsOf(text: string, target?: QueryTarget): readonly Fault[] {
  const parsed = parseText(text);
  return parsed.ok ? target?.faults(parsed.spans) ?? [] : parsed.faults;
}

interface Issue {
  message?: string;
  position?: Mark;
}

/** Why the API did not understand a text. */
export function refusalProblems(text: string, { message, details }: ApiFailure): Problem[] {
  const issues = (details.issues ?? []) as Issue[];
  if (details.reason === "not_understood") {
    const parts = issues.flatMap(({ position }) =>
      position ? [`“${text.slice(position.from, position.to)}”`] : []
    );
    const reason = message.replace(/^query: /, "").replace(/ A question that works:.*$/s, "");
    return [{
      marks: issues.flatMap(({ position }) => position ?? []),
      message: parts.length === 0 ? reason : `Not understood: ${parts.join(", ")}`,
      expected: [],
      // The API's example knows nothing of what is in view.
      fix: null,
      fixLabel: null,
    }];
  }
  if (details.reason === "invalid_filter") {
    const faults = filterProblems(text);
    if (faults.length > 0) return faults;
  }
  return [{ marks: [], message, expected: [], fix: null, fixLabel: null }];
}
