// Reads the answer of a model. It is untrusted: what does not follow the schema to the letter is refused as a whole.

import { z } from "zod";
import { type AnalystAnswer, ASSESSMENTS } from "../../contract/analyst/analyst-run.ts";
import { parseText } from "../../contract/filter/parser.ts";
import { printCondition, quoted } from "../../contract/filter/printer.ts";
import { INCIDENT_STATUSES } from "../../contract/record/kinds.ts";
import { canonicalIp } from "../../kit/net/ip.ts";
import { plainLine, plainLines } from "../../kit/plain-text.ts";
import { oneJsonObject } from "./json-object.ts";
import { restore, restoreInFilter } from "./placeholders.ts";
import type { PreparedRequest } from "./plan.ts";
import { ANSWER_LIMITS } from "./prompt.ts";

/** Characters of an answer that is looked at. */
const MAX_ANSWER = 64 * 1024;
/** Longest text after placeholders were put back. */
const MAX_RESTORED_TEXT = 4000;

const text = (max: number) => z.string().trim().min(1).max(max);

const Answer = z.strictObject({
  assessment: z.enum(ASSESSMENTS),
  confidence: z.number().min(0).max(1),
  summary: text(ANSWER_LIMITS.summary),
  reasoning: z.array(z.strictObject({
    claim: text(ANSWER_LIMITS.claim),
    evidence_ids: z.array(z.string().max(16)).min(1).max(ANSWER_LIMITS.citations),
  })).max(ANSWER_LIMITS.claims),
  next_steps: z.array(text(ANSWER_LIMITS.step)).max(ANSWER_LIMITS.steps),
  suggestion: z.discriminatedUnion("kind", [
    z.strictObject({
      kind: z.literal("search"),
      filter: text(ANSWER_LIMITS.filter),
      reason: text(ANSWER_LIMITS.reason),
    }),
    z.strictObject({
      kind: z.literal("status"),
      status: z.enum(INCIDENT_STATUSES),
      reason: text(ANSWER_LIMITS.reason),
    }),
  ]).nullable(),
});

type Placeholders = PreparedRequest["placeholders"];

/**
 * The answer with the ids of the evidence and with placeholders put back, or why it is not valid, as a clause for a message
 * ("its JSON is not valid"). The reason may quote at most a few characters of the model's text.
 */
export function readAnswer(
  answer: string,
  { evidenceIds, placeholders }: Pick<PreparedRequest, "evidenceIds" | "placeholders">,
): AnalystAnswer | string {
  if (answer.length > MAX_ANSWER) return `it has more than ${MAX_ANSWER} characters`;
  const found = oneJsonObject(answer);
  if (!found.ok) return found.reason;
  const result = Answer.safeParse(found.value);
  if (!result.success) return faultOf(result.error);
  const { reasoning, suggestion, ...rest } = result.data;
  if (reasoning.length === 0 && rest.assessment !== "inconclusive" && evidenceIds.length > 0) {
    return `its assessment is ${rest.assessment} without a claim that cites evidence`;
  }
  const foreign = reasoning.flatMap(({ evidence_ids }) => evidence_ids)
    .find((id) => evidenceOf(id, evidenceIds) === null);
  if (foreign !== undefined) return `it cites ${plainLine(foreign)}, which was not sent`;
  const read = suggestion === null ? null : readSuggestion(suggestion, placeholders);
  if (typeof read === "string") return read;
  return {
    assessment: rest.assessment,
    confidence: rest.confidence,
    summary: shown(rest.summary, placeholders),
    reasoning: reasoning.map(({ claim, evidence_ids }) => ({
      claim: shown(claim, placeholders),
      evidence_ids: [...new Set(evidence_ids.map((id) => evidenceOf(id, evidenceIds)!))],
    })),
    next_steps: rest.next_steps.map((step) => shown(step, placeholders)),
    suggestion: read,
  };
}

/** The evidence that `e3` of the request stands for; null if there is none. */
function evidenceOf(short: string, evidenceIds: readonly string[]): string | null {
  const number = /^e([1-9]\d{0,3})$/.exec(short)?.[1];
  return number === undefined ? null : evidenceIds[Number(number) - 1] ?? null;
}

function readSuggestion(
  suggestion: NonNullable<z.infer<typeof Answer>["suggestion"]>,
  placeholders: Placeholders,
): AnalystAnswer["suggestion"] | string {
  const reason = shown(suggestion.reason, placeholders);
  if (suggestion.kind === "status") return { ...suggestion, reason };
  const filter = readFilter(suggestion.filter, placeholders);
  return typeof filter === "string" ? filter : { kind: "search", filter: filter.text, reason };
}

/** The filter as the printer writes it, or why it is none. */
export function readFilter(filter: string, placeholders: Placeholders): { text: string } | string {
  const parsed = parseText(restoreInFilter(filter, placeholders, valueText));
  if (!parsed.ok) return `its filter is not valid: ${plainLine(parsed.faults[0]!.message).slice(0, 200)}`;
  if (parsed.condition === null) return "its filter is empty";
  return { text: printCondition(parsed.condition) };
}

function valueText(original: string): string {
  return canonicalIp(original) === null ? quoted(original) : original;
}

function shown(text: string, placeholders: Placeholders): string {
  const lines = plainLines(restore(text, placeholders));
  return lines.length > MAX_RESTORED_TEXT
    ? `${lines.slice(0, MAX_RESTORED_TEXT - 1)}…`.toWellFormed()
    : lines;
}

/** Where the answer differs from the schema; values of the model are not repeated. */
function faultOf(error: z.ZodError): string {
  const [issue] = error.issues;
  if (issue === undefined) return "it does not have the expected form";
  const at = issue.path.map((step) => typeof step === "number" ? `[${step}]` : `.${String(step)}`).join("");
  if (issue.code === "unrecognized_keys") {
    return `it has members that are not part of an answer${at && ` in ${at.slice(1)}`}`;
  }
  return `its ${at.slice(1) || "JSON"} is not as expected (${issue.code.replaceAll("_", " ")})`;
}
