/// <reference lib="dom" />
import { type FormEvent, useEffect, useId, useState } from "react";
import { createPortal } from "react-dom";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useShortcut } from "../../base/keys.ts";
import { formatTime } from "../format.ts";
import { Icon } from "../icons.tsx";
import { Popover } from "../popover.tsx";
import { clockText, readClockText } from "./clock-text.ts";
import {
  chosenRange,
  PRESETS,
  type Range,
  rangeOf,
  type RangeSearch,
  scopeOf,
  searchOf,
  shifted,
  windowOf,
  zoomedOut,
} from "../../base/time/range.ts";
import { currentZone, useZone, zoneName } from "../../base/time/zone.ts";

/** The top bar's place for the control; it is empty on pages that have no range. */
export const RANGE_SLOT = "range";

function useRangeSearch(): [RangeSearch, (change: RangeSearch) => void] {
  const search: RangeSearch = useSearch({ strict: false });
  const navigate = useNavigate();
  const change = (next: RangeSearch) => void navigate({ to: ".", search: (old) => ({ ...old, ...next }) });
  return [search, change];
}

/** The range in the address, or the scope of a pivot in its place, and a function that changes it. */
export function useRange(): [Range, (range: Range) => void] {
  const [search, change] = useRangeSearch();
  return [rangeOf(search), (next) => change(searchOf(next))];
}

function rangeLabel(range: Range, zone: string): string {
  if ("preset" in range) return PRESETS.find(({ id }) => id === range.preset)?.label ?? "";
  const now = Date.now();
  return `${formatTime(range.from, now, false, zone)} to ${formatTime(range.to, now, false, zone)}`;
}

/** The range within a sentence. */
export function rangePhrase(range: Range): string {
  const label = rangeLabel(range, currentZone());
  return "preset" in range ? label.toLowerCase() : label;
}

function CustomRange({ range, apply }: { range: Range; apply: (range: Range) => void }) {
  const zone = useZone();
  const [fault, setFault] = useState<{ name: string; text: string } | null>(null);
  const message = useId();
  const shown = windowOf(range, Date.now());
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const now = Date.now();
    const [from, to] = ["from", "to"].map((name) => readClockText(String(form.get(name)), zone, now));
    const help = "is not a time. Write it as 2026-01-31 14:05, or as now-24h.";
    if (from === null || from === undefined) return setFault({ name: "from", text: `“From” ${help}` });
    if (to === null || to === undefined) return setFault({ name: "to", text: `“To” ${help}` });
    if (from >= to) return setFault({ name: "from", text: "“From” must be earlier than “to”." });
    apply({ from: new Date(from).toISOString(), to: new Date(to).toISOString() });
  };
  return (
    <form className="range-custom" onSubmit={submit} noValidate>
      {(["from", "to"] as const).map((name) => (
        <label className="field" key={name}>
          <span>{name === "from" ? "From" : "To"}</span>
          <input
            // Another zone is another text.
            key={zone}
            name={name}
            className="mono"
            autoComplete="off"
            spellCheck={false}
            aria-invalid={fault?.name === name}
            aria-describedby={fault?.name === name ? message : undefined}
            defaultValue={clockText(shown[name], zone)}
          />
        </label>
      ))}
      <p className="muted small">24-hour clock, {zoneName(zone, Date.now())}</p>
      {fault && <p className="field-error" role="alert" id={message}>{fault.text}</p>}
      <button type="submit" className="button">Apply</button>
    </form>
  );
}

/** What sets the time in place of the range. */
interface OtherTime {
  label: string;
  clear: () => void;
}

/** The time range of the page: a page that has one renders this, and it appears in the top bar. */
export function RangeControl({ other }: { other?: OtherTime | null }) {
  const [slot, setSlot] = useState<HTMLElement | null>(null);
  useEffect(() => setSlot(document.getElementById(RANGE_SLOT)), []);
  return slot === null ? null : createPortal(<Control other={other ?? null} />, slot);
}

function Control({ other }: { other: OtherTime | null }) {
  const [search, change] = useRangeSearch();
  const zone = useZone();
  const scope = scopeOf(search);
  if (other !== null) {
    return (
      <ScopeChip
        label={other.label}
        hint="use the time range of the page instead"
        clear={other.clear}
      />
    );
  }
  if (scope !== null) {
    return (
      <ScopeChip
        label={rangeLabel(scope, zone)}
        hint={`use the time range ${rangePhrase(chosenRange(search))} instead`}
        clear={() => change({ scope: undefined })}
      />
    );
  }
  return <Chosen range={chosenRange(search)} set={(next) => change(searchOf(next))} zone={zone} />;
}

/** A time that belongs to this view only; removing it returns to the range. */
function ScopeChip({ label, hint, clear }: { label: string; hint: string; clear: () => void }) {
  return (
    <button
      type="button"
      className="button range-scope"
      title={`Only this view. Click to ${hint}.`}
      aria-label={`${label}; ${hint}`}
      onClick={clear}
    >
      <Icon name="clock" />
      {label}
      <Icon name="close" />
    </button>
  );
}

function Chosen({ range, set, zone }: { range: Range; set: (range: Range) => void; zone: string }) {
  const back = () => set(shifted(range, -1, Date.now()));
  const forward = () => set(shifted(range, 1, Date.now()));
  const out = () => set(zoomedOut(range, Date.now()));
  const atEnd = "preset" in range;
  useShortcut({ keys: "[", label: "Earlier time range", group: "View", run: back });
  useShortcut({ keys: "]", label: "Later time range", group: "View", run: forward, enabled: !atEnd });
  useShortcut({ keys: "-", label: "Zoom out in time", group: "View", run: out });
  return (
    <div className="range" role="group" aria-label="Time range">
      <button type="button" className="button-icon" title="Earlier ([)" aria-label="Earlier" onClick={back}>
        <Icon name="back" />
      </button>
      <Popover
        className="button range-button"
        panelClass="range-panel"
        button={
          <>
            <Icon name="clock" />
            <span className="hidden">Time range:</span>
            {rangeLabel(range, zone)}
            <Icon name="down" />
          </>
        }
      >
        {(close) => {
          const apply = (next: Range) => {
            set(next);
            close();
          };
          return (
            <>
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
            </>
          );
        }}
      </Popover>
      <button
        type="button"
        className="button-icon"
        title="Later (])"
        aria-label="Later"
        disabled={atEnd}
        onClick={forward}
      >
        <Icon name="chevron" />
      </button>
      <button type="button" className="button-icon" title="Zoom out (-)" aria-label="Zoom out" onClick={out}>
        <Icon name="zoom-out" />
      </button>
    </div>
  );
}
