/// <reference lib="dom" />
import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import { useMutation } from "@tanstack/react-query";
import { describeCondition } from "../../contract/filter/describe.ts";
import { parseText } from "../../contract/filter/parser.ts";
import type { Condition, ResultKind } from "../../contract/filter/tree.ts";
import type { Interpretation } from "../../contract/search/search.ts";
import { ApiFailure } from "../base/api.ts";
import { useSignedIn } from "../base/session.ts";
import { Icon } from "../ui/icons.tsx";
import { Conditions } from "./conditions.tsx";
import { ExportMenu, type ExportParams } from "./export-menu.tsx";
import { FilterInput } from "./filter-input.tsx";
import { printTop } from "../base/filter-text.ts";
import {
  EXAMPLES,
  filterProblems,
  interpretedText,
  isQuestion,
  type Problem,
  readEntered,
  refusalProblems,
  searchedWords,
  typingProblems,
} from "./question.ts";
import { shownFor } from "./answer-view.ts";
import { InView } from "./in-view/in-view.tsx";
import { QueryReference } from "./query-reference.tsx";
import { rememberSearch } from "./in-view/recent-searches.ts";
import { SavedSearches } from "./saved-searches.tsx";
import { interpret, type Question } from "./search-queries.ts";
import type { Asked, ListFilter } from "./use-filter.ts";

const PLACEHOLDERS: Readonly<Record<ResultKind, string>> = {
  flows: "Filter or ask: dst.port:443, or large uploads since monday",
  devices: "Filter or ask: 10.1, owner:finance, or new devices this week",
  incidents: "Filter or ask: severity>=high, or open incidents",
};

/** A question that was not understood. */
export interface Declined {
  question: string;
  /** Takes a filter that was found by other means, and shows it in the bar without running it. */
  proposed: (filter: Interpretation) => void;
}

interface QueryBarProps {
  filter: ListFilter;
  /** Whether something beside the filter narrows the list. */
  narrowed?: boolean;
  /** Removes every condition. */
  clear: () => void;
  /** The filter of an export, if the list shows less than the bar's filter finds. */
  exported?: string;
  /** Its parameters, if the list does not follow the page's time range. */
  exportParams?: ExportParams;
  /** What else can be done about a question that was not understood. */
  offer?: (declined: Declined) => ReactNode;
  /** Selects beside the conditions. */
  children?: ReactNode;
}

/** Filters a list by the search language or by a question in plain English. */
export function QueryBar(
  { filter, narrowed = false, clear, exported, exportParams, offer, children }: QueryBarProps,
) {
  const { kind, target, text, asked, proposed, search, change, refuse, propose } = filter;
  const { tenant, session } = useSignedIn();
  const [draft, setDraft] = useState(text);
  const [problems, setProblems] = useState<Problem[]>([]);
  /** The question that was declined last. */
  const [declined, setDeclined] = useState<string | null>(null);
  const input = useRef<HTMLInputElement>(null);
  /** The text as of now: the answer to a question is dropped if the text has changed meanwhile. */
  const current = useRef(text);
  const messages = useId();
  const reading = useMutation({
    mutationFn: ({ query, mode }: Pick<Question, "query" | "mode">) =>
      interpret({ query, kind, mode }, session.csrf_token),
  });

  // The address is the truth: chips, links and the browser's history change it too.
  useEffect(() => {
    const shown = proposed?.text ?? text;
    current.current = shown;
    setDraft(shown);
    setProblems(filterProblems(shown, target));
    if (asked === null) setDeclined(null);
  }, [text, target, asked, proposed]);

  const write = (next: string) => {
    current.current = next;
    setDraft(next);
    setDeclined(null);
    setProblems(typingProblems(next, input.current?.selectionStart ?? next.length, target));
  };

  const submit = (entered: string) => {
    const read = readEntered(entered);
    setProblems([]);
    setDeclined(null);
    refuse(false);
    setDraft(entered);
    current.current = entered;
    if (read.type === "filter") {
      rememberSearch(tenant, kind, read.text);
      return search(read.text);
    }
    reading.mutate({ query: entered, mode: read.mode }, {
      onSuccess: (found) => {
        if (current.current !== entered) return;
        rememberSearch(tenant, found.result_kind, entered);
        search(interpretedText(found, Date.now()), {
          kind: found.result_kind,
          top: found.ranking === null ? undefined : printTop(found.ranking),
          asked: askedOf(entered, found),
          shown: found.result_kind === "flows" && target === undefined
            // The schema of the API states less of a condition than its type.
            ? shownFor(found.filter.where as unknown as Condition | null)
            : undefined,
        });
      },
      onError: (error) => {
        if (!(error instanceof ApiFailure)) throw error;
        if (current.current !== entered) return;
        if (error.details.has_model === true) setDeclined(entered);
        const refused = refusalProblems(entered, error);
        const words = searchedWords(error, read.words);
        if (words === null || isQuestion(entered) || error.details.reason !== "not_understood") {
          setProblems(refused);
          refuse(true);
          return;
        }
        const [{ message }] = refused as [Problem];
        const notes = [`${message}. Searched for the words.`];
        search(words.text, { kind: words.kind, asked: { question: entered, notes } });
      },
    });
  };

  const wrong = problems.length > 0;
  const noun = target?.noun ?? kind;
  return (
    <search className="query" aria-label={`Search ${noun}`}>
      <div className="query-line">
        <div className={wrong ? "query-field query-wrong" : "query-field"}>
          <Icon name="search" />
          <FilterInput
            kind={kind}
            fields={target?.fields}
            label={`Filter ${noun} or ask a question`}
            value={draft}
            setValue={write}
            submit={submit}
            marks={problems.flatMap((problem) => problem.marks)}
            describedBy={wrong ? messages : undefined}
            invalid={wrong}
            placeholder={target?.placeholder ?? PLACEHOLDERS[kind]}
            examples={target?.examples ?? EXAMPLES[kind]}
            input={input}
            first
          />
          <button
            type="button"
            className={reading.isPending ? "button-icon spinning" : "button-icon"}
            aria-label="Search"
            title="Search (Enter)"
            onClick={() => submit(draft)}
          >
            <Icon name={reading.isPending ? "refresh" : "right"} />
          </button>
        </div>
        {target === undefined && (
          <>
            <SavedSearches filter={filter} />
            <ExportMenu kind={kind} text={exported ?? text} params={exportParams} />
          </>
        )}
        <QueryReference />
      </div>
      {wrong && (
        <div role="alert" id={messages}>
          <ul className="query-problems">
            {problems.map((problem, index) => (
              <ProblemLine
                key={index}
                problem={problem}
                use={(fixed) => {
                  input.current?.focus();
                  submit(fixed);
                }}
              />
            ))}
          </ul>
          {filter.refused && target === undefined && <InView kind={kind} text={text} use={submit} />}
        </div>
      )}
      {declined !== null &&
        offer?.({ question: declined, proposed: ({ text, result_kind }) => propose(text, result_kind) })}
      {proposed !== null && (
        <p className="query-notes soft" role="status">
          <span>
            Proposed by a model and not run: the list below does not use it. Read it, then press Enter in the
            bar to run it.
          </span>
        </p>
      )}
      {!wrong && asked !== null && <Notes asked={asked} />}
      <div className="query-conditions">
        <Conditions
          kind={kind}
          target={target}
          text={text}
          change={(next) => {
            change(next);
            input.current?.focus();
          }}
        />
        {children}
        {(text !== "" || narrowed) && (
          <button type="button" className="button button-quiet" onClick={clear}>Clear</button>
        )}
      </div>
      <Announcement text={text} />
    </search>
  );
}

/** Nothing to say of words that are searched for as they stand. */
function askedOf(question: string, { interpretation, warnings }: Interpretation): Asked | undefined {
  return interpretation === "field" && warnings.length === 0 ? undefined : { question, notes: warnings };
}

function ProblemLine({ problem, use }: { problem: Problem; use: (text: string) => void }) {
  const { message, expected, fix, fixLabel } = problem;
  return (
    <li>
      <Icon name="warning" />
      <span className="wrap">
        <Coded text={`${message}.`} /> {expected.length > 0 && (
          <span className="soft">
            Expected: <Coded text={expected.join(", ")} />
          </span>
        )}
      </span>
      {fix !== null && (
        <button type="button" className="button button-small" onClick={() => use(fix)}>
          Use <span className="mono clip">{fixLabel}</span>
        </button>
      )}
    </li>
  );
}

/** Text with parts between backticks, as messages have them. */
function Coded({ text }: { text: string }) {
  return text.split("`").map((part, index) => index % 2 === 1 ? <code key={index}>{part}</code> : part);
}

function Notes({ asked: { question, notes } }: { asked: Asked }) {
  return (
    <p className="query-notes soft" role="status">
      <span>
        “{question}”{notes.length > 0 && `: ${notes.join(" ")}`}
      </span>
    </p>
  );
}

/** Announces each change of the filter in words. */
function Announcement({ text }: { text: string }) {
  const parsed = parseText(text);
  if (!parsed.ok) return null;
  const words = parsed.condition === null ? "" : `Filter: ${describeCondition(parsed.condition)}`;
  return <span className="hidden" role="status">{words}</span>;
}
