/// <reference lib="dom" />
import { type FormEvent, useEffect, useRef, useState } from "react";
import { useIsFetching, useQueryClient } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { formatTime } from "../format.ts";
import { PRESETS, type Range, rangeOf, searchOf, windowOf } from "./range.ts";
import { Icon } from "../icons.tsx";

/** The range in the address, and a function that changes it. */
export function useRange(): [Range, (range: Range) => void] {
  const range = rangeOf(useSearch({ from: "__root__" }));
  const navigate = useNavigate();
  return [range, (next) => void navigate({ to: ".", search: (old) => ({ ...old, ...searchOf(next) }) })];
}

function rangeLabel(range: Range): string {
  if ("preset" in range) return PRESETS.find(({ id }) => id === range.preset)?.label ?? "";
  const now = Date.now();
  return `${formatTime(range.from, now)} to ${formatTime(range.to, now)}`;
}

/** The range within a sentence. */
export function rangePhrase(range: Range): string {
  const label = rangeLabel(range);
  return "preset" in range ? label.toLowerCase() : label;
}

/** A time in the form of `<input type="datetime-local">`. */
function localInput(at: string): string {
  const time = new Date(at);
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
}

function CustomRange({ range, apply }: { range: Range; apply: (range: Range) => void }) {
  const [fault, setFault] = useState<string | null>(null);
  const shown = windowOf(range, Date.now());
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const from = new Date(String(form.get("from")));
    const to = new Date(String(form.get("to")));
    if (!(from.getTime() < to.getTime())) setFault("“From” must be earlier than “to”.");
    else apply({ from: from.toISOString(), to: to.toISOString() });
  };
  return (
    <form className="range-custom" onSubmit={submit}>
      <label className="field">
        <span>From</span>
        <input type="datetime-local" name="from" step="1" required defaultValue={localInput(shown.from)} />
      </label>
      <label className="field">
        <span>To</span>
        <input type="datetime-local" name="to" step="1" required defaultValue={localInput(shown.to)} />
      </label>
      {fault && <p className="field-error" role="alert">{fault}</p>}
      <button type="submit" className="button">Apply</button>
    </form>
  );
}

/** The time range of the view, presets first; it is kept in the address. */
export function RangeControl() {
  const [range, setRange] = useRange();
  const [open, setOpen] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  const client = useQueryClient();
  const fetching = useIsFetching() > 0;

  useEffect(() => {
    if (!open) return;
    const outside = (event: Event) => {
      if (event.target instanceof Node && !box.current?.contains(event.target)) setOpen(false);
    };
    document.addEventListener("pointerdown", outside);
    document.addEventListener("focusin", outside);
    return () => {
      document.removeEventListener("pointerdown", outside);
      document.removeEventListener("focusin", outside);
    };
  }, [open]);

  const apply = (next: Range) => {
    setRange(next);
    setOpen(false);
    opener.current?.focus();
  };
  const onKeyDown = (event: { key: string; stopPropagation: () => void }) => {
    if (event.key !== "Escape" || !open) return;
    event.stopPropagation();
    setOpen(false);
    opener.current?.focus();
  };

  return (
    <div className="range" ref={box} onKeyDown={onKeyDown}>
      <button
        type="button"
        className="button"
        ref={opener}
        aria-expanded={open}
        aria-controls="range-panel"
        onClick={() => setOpen(!open)}
      >
        <Icon name="clock" />
        <span className="hidden">Time range:</span>
        {rangeLabel(range)}
        <Icon name="down" />
      </button>
      <button
        type="button"
        className={fetching ? "button-icon spinning" : "button-icon"}
        title="Read again"
        aria-label="Read again"
        onClick={() => void client.invalidateQueries()}
      >
        <Icon name="refresh" />
      </button>
      {open && (
        <div className="panel range-panel" id="range-panel">
          <ul>
            {PRESETS.map(({ id, label }) => (
              <li key={id}>
                <button
                  type="button"
                  className="panel-item"
                  aria-pressed={"preset" in range && range.preset === id}
                  onClick={() => apply({ preset: id })}
                >
                  {label}
                  {"preset" in range && range.preset === id && <Icon name="check" />}
                </button>
              </li>
            ))}
          </ul>
          <CustomRange range={range} apply={apply} />
        </div>
      )}
    </div>
  );
}
