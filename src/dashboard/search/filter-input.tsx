/// <reference lib="dom" />
import { type KeyboardEvent, type RefObject, useLayoutEffect, useRef, useState } from "react";
import {
  Combobox,
  ComboboxGroup,
  ComboboxGroupLabel,
  ComboboxItem,
  ComboboxList,
  useComboboxStore,
} from "@ariakit/react";
import { useQuery } from "@tanstack/react-query";
import type { FieldName } from "../../contract/filter/fields.ts";
import { completeText } from "../../contract/filter/complete.ts";
import type { ResultKind } from "../../contract/filter/tree.ts";
import type { Completion } from "../../contract/search/search.ts";
import { useSignedIn } from "../base/session.ts";
import { formatCount, plural } from "../ui/format.ts";
import { Foreign } from "../ui/foreign.tsx";
import { hasOperator, type Mark } from "./question.ts";
import { completion } from "./search-queries.ts";
import { useDebounced } from "./use-debounced.ts";

const TYPING_MILLISECONDS = 150;
const MAX_SHOWN = 12;

interface FilterInputProps {
  kind: ResultKind;
  /** The fields that work; all by default. */
  fields?: ReadonlySet<FieldName>;
  label: string;
  value: string;
  setValue: (value: string) => void;
  submit: (value: string) => void;
  /** Esc while no suggestions are shown. */
  cancel?: () => void;
  marks?: readonly Mark[];
  /** Id of the element that says what is wrong. */
  describedBy?: string;
  invalid?: boolean;
  placeholder?: string;
  /** Questions and filters to start with, suggested while the text is empty. */
  examples?: readonly string[];
  input?: RefObject<HTMLInputElement | null>;
  /** The target of the `/` key. */
  first?: boolean;
  autoFocus?: boolean;
}

type Item = Pick<Completion["items"][number], "insert" | "label" | "detail"> & { count: number | null };

interface Suggestions extends Mark {
  items: Item[];
  /** Whether a value is completed, after which the condition is whole. */
  ends: boolean;
}

/** Suggestions of the grammar at once, values of the last day when they arrive. */
function useSuggestions(
  { kind, fields }: Pick<FilterInputProps, "kind" | "fields">,
  text: string,
  caret: number,
  active: boolean,
): Suggestions {
  const { tenant } = useSignedIn();
  const local = completeText(text, caret, kind, fields);
  const wantsValues = local.context.type === "value";
  const settled = useDebounced(`${caret} ${text}`, TYPING_MILLISECONDS) === `${caret} ${text}`;
  const { data } = useQuery({
    ...completion(tenant, kind, text, caret),
    enabled: active && wantsValues && settled,
  });
  const known = wantsValues ? data : undefined;
  // Between the words of a question, fields would only be in the way.
  const isQuestion = local.context.type === "connective" && !hasOperator(text);
  const items = known?.items ?? local.items.map((item) => ({ ...item, count: null }));
  return {
    from: local.from,
    to: local.to,
    items: isQuestion ? [] : items.slice(0, MAX_SHOWN),
    ends: wantsValues,
  };
}

/** A text field for the search language: completes, and marks what is wrong. */
export function FilterInput(props: FilterInputProps) {
  const { label, value, setValue, submit, cancel, marks = [], examples = [] } = props;
  const own = useRef<HTMLInputElement>(null);
  const input = props.input ?? own;
  const [caret, setCaret] = useState(value.length);
  const [wanted, setWanted] = useState(false);
  const nextCaret = useRef<number | null>(null);
  /** The suggestion that was active when the key was pressed: Enter accepts it before `onKeyDown`. */
  const pressedOn = useRef<HTMLElement | null>(null);
  const suggestions = useSuggestions(props, value, Math.min(caret, value.length), wanted);
  const shownExamples = value.trim() === "" ? examples : [];
  const count = shownExamples.length + suggestions.items.length;
  const open = wanted && count > 0;
  const readCaret = () => setCaret(input.current?.selectionStart ?? value.length);
  const store = useComboboxStore({
    inputValue: value,
    setInputValue: (next) => {
      setValue(next);
      readCaret();
    },
    open,
    setOpen: setWanted,
    resetValueOnHide: false,
  });

  useLayoutEffect(() => {
    if (nextCaret.current === null) return;
    input.current?.setSelectionRange(nextCaret.current, nextCaret.current);
    setCaret(nextCaret.current);
    nextCaret.current = null;
  }, [input, value]);

  const close = () => {
    setWanted(false);
    store.setActiveId(null);
  };
  const accept = ({ insert }: Item) => {
    const { from, to, ends } = suggestions;
    nextCaret.current = from + insert.length;
    setValue(value.slice(0, from) + insert + value.slice(to));
    store.setActiveId(null);
    setWanted(!ends);
  };
  const ask = (text: string) => {
    setValue(text);
    close();
    submit(text);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    const chosen = pressedOn.current;
    if (event.key === "Enter" && !chosen) {
      event.preventDefault();
      close();
      submit(value);
    } else if (event.key === "Tab" && chosen && !event.shiftKey) {
      event.preventDefault();
      chosen.click();
    } else if (event.key === "Escape" && (open || cancel)) {
      event.preventDefault();
      event.stopPropagation();
      // Elsewhere the key leaves the field: it must not reach the document here.
      event.nativeEvent.stopImmediatePropagation();
      if (open) close();
      else cancel?.();
    }
  };

  return (
    <div
      className="filter-input"
      onKeyDownCapture={() => {
        pressedOn.current = open ? store.item(store.getState().activeId)?.element ?? null : null;
      }}
    >
      {marks.length > 0 && <Marks text={value} marks={marks} input={input} />}
      <Combobox
        store={store}
        ref={input}
        className="filter-text"
        aria-label={label}
        aria-invalid={props.invalid || undefined}
        aria-describedby={props.describedBy}
        data-filter={props.first || undefined}
        placeholder={props.placeholder}
        autoFocus={props.autoFocus}
        autoSelect={false}
        autoComplete="list"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={4096}
        onSelect={readCaret}
        onKeyDown={onKeyDown}
        onBlur={close}
      />
      <ComboboxList
        store={store}
        className="filter-suggestions"
        aria-label="Suggestions"
        // Keeps the focus in the text field.
        onMouseDown={(event) => event.preventDefault()}
      >
        {shownExamples.length > 0 && (
          <ComboboxGroup>
            <ComboboxGroupLabel className="suggestion-group">Ask, for example</ComboboxGroupLabel>
            {shownExamples.map((example) => (
              <ComboboxItem
                key={example}
                value={example}
                className="suggestion"
                setValueOnClick={false}
                selectValueOnClick={false}
                hideOnClick={false}
                onClick={() => ask(example)}
              >
                <span>{example}</span>
              </ComboboxItem>
            ))}
          </ComboboxGroup>
        )}
        <ComboboxGroup>
          {shownExamples.length > 0 && (
            <ComboboxGroupLabel className="suggestion-group">Or begin with a field</ComboboxGroupLabel>
          )}
          {suggestions.items.map((item) => (
            <ComboboxItem
              key={item.insert}
              value={item.insert}
              className="suggestion"
              setValueOnClick={false}
              selectValueOnClick={false}
              hideOnClick={false}
              onClick={() => accept(item)}
            >
              <Foreign text={item.label} className="mono suggestion-label" />
              {item.detail !== null && <span className="suggestion-detail">{item.detail}</span>}
              {item.count !== null && (
                <span className="suggestion-detail">{formatCount(item.count)} flows of the last day</span>
              )}
            </ComboboxItem>
          ))}
        </ComboboxGroup>
      </ComboboxList>
      <span className="hidden" role="status">{open ? plural(count, "suggestion") : ""}</span>
    </div>
  );
}

/** The text again, invisible, with the wrong parts underlined; it scrolls with the field above it. */
function Marks(
  { text, marks, input }: { text: string; marks: readonly Mark[]; input: RefObject<HTMLInputElement | null> },
) {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const field = input.current;
    if (field === null) return;
    const follow = () => {
      if (box.current) box.current.scrollLeft = field.scrollLeft;
    };
    follow();
    field.addEventListener("scroll", follow);
    return () => field.removeEventListener("scroll", follow);
  });
  const parts = [];
  let at = 0;
  for (const { from, to } of marks) {
    if (from < at || from > text.length) continue;
    // A fault at the end of the text is shown below a space.
    const end = Math.max(Math.min(to, text.length), from);
    parts.push(text.slice(at, from), <mark key={from}>{text.slice(from, end) || "\u00a0"}</mark>);
    at = end;
  }
  return <div className="filter-marks" ref={box} aria-hidden="true">{parts}{text.slice(at)}</div>;
}
