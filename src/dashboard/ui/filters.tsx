/// <reference lib="dom" />
import { type ReactNode, useEffect, useState } from "react";
import { Icon } from "./icons.tsx";
import { Foreign } from "./foreign.tsx";

const TYPING_MILLISECONDS = 350;

interface TextFilterProps {
  label: string;
  value: string | undefined;
  set: (value: string | undefined) => void;
  /** The target of the `/` key. */
  first?: boolean;
}

/** A text field whose value applies after a pause or with Enter; Esc clears it. */
export function TextFilter({ label, value, set, first = false }: TextFilterProps) {
  const [text, setText] = useState(value ?? "");
  const trimmed = text.trim();
  useEffect(() => setText(value ?? ""), [value]);
  useEffect(() => {
    if (trimmed === (value ?? "")) return;
    const timer = setTimeout(() => set(trimmed || undefined), TYPING_MILLISECONDS);
    return () => clearTimeout(timer);
  });
  return (
    <label className="filter">
      <span className="hidden">{label}</span>
      <input
        type="search"
        placeholder={label}
        value={text}
        data-filter={first || undefined}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter") set(trimmed || undefined);
          if (event.key === "Escape" && text !== "") {
            event.stopPropagation();
            setText("");
            set(undefined);
          }
        }}
      />
    </label>
  );
}

/** A filter set by a link; it can only be removed here. */
export function FilterChip({ label, value, clear }: { label: string; value: string; clear: () => void }) {
  return (
    <span className="filter-chip">
      <span className="soft">{label}</span>
      <Foreign text={value} className="clip" />
      <button type="button" className="chip-clear" aria-label={`Remove filter ${label}`} onClick={clear}>
        <Icon name="close" />
      </button>
    </span>
  );
}

interface FilterBarProps {
  children: ReactNode;
  /** Whether a filter is set, and a function that clears all. */
  active: boolean;
  clear: () => void;
}

export function FilterBar({ children, active, clear }: FilterBarProps) {
  return (
    <search className="filters" aria-label="Filters">
      {children}
      {active && <button type="button" className="button button-quiet" onClick={clear}>Clear</button>}
    </search>
  );
}
