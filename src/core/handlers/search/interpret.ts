import { isFieldQuery, isQuestionWord, questionWords } from "../../../contract/filter/bare.ts";
import { chipsOf, describeCondition } from "../../../contract/filter/describe.ts";
import { FIELDS } from "../../../contract/filter/fields.ts";
import { tokensOf } from "../../../contract/filter/lexer.ts";
import { leavesOf, normalise } from "../../../contract/filter/normalise.ts";
import { type ParsedText, parseText } from "../../../contract/filter/parser.ts";
import { printCondition } from "../../../contract/filter/printer.ts";
import type { Condition, Filter, ResultKind } from "../../../contract/filter/tree.ts";
import { ApiError } from "../../../contract/request/errors.ts";
import type { Interpretation } from "../../../contract/search/search.ts";
import {
  type Declined,
  interpretQuestion,
  type Understood as Answer,
} from "../../../domain/search/natural/interpret.ts";
import type { Ranking } from "../../../domain/search/natural/rules/reading.ts";
import { unknownWords } from "../../../domain/search/natural/words/known-names.ts";
import { tokens } from "../../../domain/search/natural/words/token.ts";
import { type WordSearch, wordSearch } from "../../../domain/search/natural/word-search.ts";
import { type KnownNames, namesWith } from "../../../store/search/values.ts";
import type { Handlers } from "../../handler.ts";
import type { HandlerDeps } from "../deps.ts";
import { textFault } from "../../search/filter-fault.ts";

/** Characters of a text that names are looked for in; a longer one is no question. */
const MAX_NAMED = 500;

interface Question {
  query: string;
  mode: "field" | "natural" | "auto";
  kind?: ResultKind;
  zone: string;
}

type Understood = Pick<Interpretation, "interpretation" | "warnings"> & {
  filter: Filter;
  ranking: Ranking | null;
};

export function interpretHandlers(deps: HandlerDeps): Pick<Handlers, "interpretSearch"> {
  return {
    async interpretSearch({ caller: { tenantId }, body, now }) {
      const words = body.mode === "field" ? [] : unknownWords(tokens(body.query.slice(0, MAX_NAMED)));
      const known = words.length === 0
        ? { names: [], people: [] }
        : await deps.db.tenant(tenantId, (tx) => namesWith(tx, tenantId, words));
      return { data: interpretationView(interpret(deps, tenantId, body, now, known)) };
    },
  };
}

/** Understands a text as the mode says. */
export function interpret(
  deps: Pick<HandlerDeps, "analyst" | "tenants">,
  tenantId: string,
  question: Question,
  now: number,
  known?: KnownNames,
): Understood {
  const { query, mode, kind, zone } = question;
  const vlans = deps.tenants.get(tenantId)?.site.vlans.map(({ name }) => name);
  const asked = { now, zone, vlans, ...known };
  const parsed = mode === "natural" ? null : parseText(query);
  if (parsed !== null && (mode === "field" || (parsed.ok && isFieldQuery(parsed.condition)))) {
    if (!parsed.ok) throw textFault("query", parsed.faults);
    const words = mode === "auto" ? questionWords(parsed.spans, query) : [];
    // `devices with risk > 70`.
    const answer = words.length === 0 ? null : interpretQuestion(query, asked, kind);
    if (answer?.ok) return ofQuestion(answer);
    const quoted = words.map((word) => `"${word}"`).join(", ");
    const note = `Searched for ${quoted} as text, as the rest is in the search language.`;
    return ofFields(parsed.condition, question, words.length === 0 ? [] : [note]);
  }
  const answer = interpretQuestion(query, asked, kind);
  // An unfinished condition (`src.ip:`) is no question.
  const isSentence = answer.ok && (isWorded(query) || ARROW.test(query));
  if (parsed?.ok === false && comparesField(query) && !isSentence) throw textFault("query", parsed.faults);
  const isName = known?.names.some((name) => name.toLowerCase() === query.trim().toLowerCase()) === true;
  if (parsed?.ok && isOneWord(parsed) && (isName || !(answer.ok && isOfVocabulary(answer.filter.where)))) {
    return ofFields(parsed.condition, question, []);
  }
  if (answer.ok) return ofQuestion(answer);
  if (parsed?.ok === false && OPERATOR.test(query) && !isWorded(query)) {
    throw textFault("query", parsed.faults);
  }
  const words = wordSearch(query, asked);
  // Words that are no question are searched for, among what they ask for.
  if (mode === "auto" && words !== null) {
    const filter: Filter = { version: 1, ...words, kind: words.kind ?? kind ?? "flows", zone };
    const warning = `${answer.message} Searched for the words. A question that works: "${answer.suggestion}"`;
    return { filter, interpretation: "field", ranking: null, warnings: [warning] };
  }
  throw declinedError(answer, words, (deps.analyst?.plan(tenantId) ?? null) !== null);
}

function ofQuestion({ filter, ranking, notes }: Answer): Understood {
  const where = filter.where === null ? null : normalise(filter.where);
  return { filter: { ...filter, where }, interpretation: "natural", ranking, warnings: notes };
}

/** Between two ends: `scranton -> nashua`. */
const ARROW = /[-=]>|→/;

/** What no question in English has, unlike a comparison with a field. */
const OPERATOR = /[:=<>|(]|&&/;

/** Whether a field of the search language is compared with something in the text. */
function comparesField(text: string): boolean {
  return tokensOf(text).some((token) => token.type === "field" && token.field !== null);
}

/** Whether the text is a sentence without `field:`, so that an operator in it is no sign of the search language. */
function isWorded(text: string): boolean {
  return !/[a-z]\s*:|&&|[|(]/i.test(text) && text.split(/\s+/).some(isQuestionWord);
}

/** A single word is looked for as it stands, unless it has a meaning: `incidents`, `today`, `beacons`, `critical`. */
function isOneWord(parsed: ParsedText): boolean {
  return parsed.ok && parsed.spans.length === 1;
}

/** Whether the answer is more than the search for a word, an address or a name. */
function isOfVocabulary(where: Condition | null): boolean {
  const leaves = where === null ? [] : leavesOf(where);
  return leaves.every(({ field }) =>
    FIELDS[field].type !== "any" && FIELDS[field].type !== "address" && FIELDS[field].type !== "name"
  );
}

function ofFields(where: Condition | null, { kind, zone }: Question, warnings: string[]): Understood {
  const filter: Filter = { version: 1, kind: kind ?? kindOf(where), where, window: null, zone };
  return { filter, interpretation: "field", ranking: null, warnings };
}

/** The kind that the fields belong to: incidents or devices if they are of nothing else. */
function kindOf(where: Condition | null): ResultKind {
  const owners = new Set((where === null ? [] : leavesOf(where)).map(({ field }) => FIELDS[field].owner));
  owners.delete("all");
  if (owners.has("incident")) return owners.has("flow") ? "flows" : "incidents";
  return owners.size === 1 && owners.has("device") ? "devices" : "flows";
}

function declinedError(
  { message, notUnderstood, suggestion }: Declined,
  words: WordSearch | null,
  hasModel: boolean,
): ApiError {
  return new ApiError("invalid_request", `query: ${message} A question that works: "${suggestion}"`, {
    reason: "not_understood",
    issues: notUnderstood.map(({ from, to, text }) => ({
      path: "query",
      message: `"${text}" is not understood`,
      position: { from, to },
    })),
    suggestion,
    ...words === null ? {} : { words: wordsView(words) },
    has_model: hasModel,
  });
}

/** The search for the words of a question, as the text form writes it. */
function wordsView({ kind, where, window }: WordSearch): { kind: ResultKind | null; text: string } {
  const time: Condition[] = window === null
    ? []
    : [{ field: "time", op: "range", value: [window.from, window.to] }];
  return { kind, text: printCondition(normalise({ all: [where, ...time] })) };
}

export function interpretationView(
  { filter, interpretation, ranking, warnings }: Understood,
): Interpretation {
  const { kind, where, window } = filter;
  return {
    filter: { ...filter, where: where && { ...where } },
    result_kind: kind,
    interpretation,
    text: printCondition(where),
    description: where === null ? `all ${kind}` : describeCondition(where),
    chips: chipsOf(where),
    ranking: ranking && { ...ranking, bucket: ranking.bucket ?? null },
    select_preview: preview(kind, where, window),
    warnings,
  };
}

const ORDER = { flows: "start", devices: "last_seen", incidents: "last_seen" };

/** What the search selects, for reading only: nothing parses or executes this text. */
function preview(kind: ResultKind, where: Condition | null, window: Filter["window"]): string {
  const conditions = [
    ...(where === null ? [] : [printCondition(where)]),
    ...(window === null ? [] : [`time:${window.from}..${window.to}`]),
  ];
  return [
    `SELECT ${kind}`,
    ...(conditions.length === 0 ? [] : [`WHERE ${conditions.join(" AND ")}`]),
    `ORDER BY ${ORDER[kind]} DESC`,
  ].join(" ");
}
