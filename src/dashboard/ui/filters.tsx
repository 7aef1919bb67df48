/// <reference lib="dom" />
import { type ReactNode, useEffect, useId, useState } from "react";
import { useQuery } from "@tanstack/react-query";
import { deviceDirectory } from "../app/queries.ts";
import { useSignedIn } from "../app/session.ts";
import { Icon } from "./icons.tsx";
import { Foreign, useDeviceName } from "./names.tsx";

const TYPING_MILLISECONDS = 350;

interface TextFilterProps {
  label: string;
  value: string | undefined;
  set: (value: string | undefined) => void;
  wide?: boolean;
  /** The target of the `/` key. */
  first?: boolean;
  /** The canonical form of a value; null while it is incomplete, which is not applied. */
  normal?: (text: string) => string | null;
}

/** A text field whose value applies after a pause or with Enter; Esc clears it. */
export function TextFilter({ label, value, set, wide = false, first = false, normal }: TextFilterProps) {
  const [text, setText] = useState(value ?? "");
  const trimmed = text.trim();
  const wanted = trimmed === "" || normal === undefined ? trimmed : normal(trimmed);
  const unfinished = wanted === null;
  useEffect(() => setText(value ?? ""), [value]);
  useEffect(() => {
    if (unfinished || wanted === (value ?? "")) return;
    const timer = setTimeout(() => set(wanted || undefined), TYPING_MILLISECONDS);
    return () => clearTimeout(timer);
  });
  return (
    <label className={wide ? "filter filter-wide" : "filter"}>
      <span className="hidden">{label}</span>
      {wide && <Icon name="search" />}
      <input
        type="search"
        placeholder={label}
        value={text}
        data-filter={first || undefined}
        aria-invalid={unfinished || undefined}
        title={unfinished ? "Incomplete value" : undefined}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter" && !unfinished) set(wanted || undefined);
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

interface SelectFilterProps {
  label: string;
  value: string | undefined;
  options: readonly (readonly [value: string, name: string])[];
  set: (value: string | undefined) => void;
  /** Label of the default. */
  otherwise?: string;
}

export function SelectFilter({ label, value, options, set, otherwise = "any" }: SelectFilterProps) {
  return (
    <label className={value === undefined ? "filter filter-select" : "filter filter-select filter-set"}>
      <span className="hidden">{label}</span>
      <select value={value ?? ""} onChange={(event) => set(event.target.value || undefined)}>
        <option value="">{label}: {otherwise}</option>
        {options.map(([option, name]) => <option key={option} value={option}>{name}</option>)}
      </select>
      <Icon name="down" />
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

interface DeviceFilterProps {
  value: string | undefined;
  set: (value: string | undefined) => void;
}

/** Selects a device by typing its name or address; the selection becomes a chip. */
export function DeviceFilter({ value, set }: DeviceFilterProps) {
  const { tenant } = useSignedIn();
  const { data } = useQuery(deviceDirectory(tenant));
  const nameOf = useDeviceName();
  const list = useId();
  if (value !== undefined) {
    return <FilterChip label="Device" value={nameOf(value)} clear={() => set(undefined)} />;
  }
  const options = [...data?.devices.values() ?? []].map((device) => ({
    id: device.device_id,
    text: [device.display_name, ...device.addresses.filter((ip) => ip !== device.display_name)].join(" · "),
  }));
  return (
    <label className="filter">
      <span className="hidden">Device</span>
      <input
        type="search"
        placeholder="Device"
        list={list}
        autoComplete="off"
        onChange={(event) => {
          const chosen = options.find(({ text }) => text === event.target.value);
          if (chosen) set(chosen.id);
        }}
      />
      <datalist id={list}>
        {options.map(({ id, text }) => <option key={id} value={text} />)}
      </datalist>
    </label>
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
