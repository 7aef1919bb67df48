/// <reference lib="dom" />
import { useRef, useState } from "react";
import { useLocation } from "@tanstack/react-router";

const MOST = 500;
/** By step of the browser's history and name, the oldest first. */
const kept = new Map<string, unknown>();

/** What was kept by a name when this step of the browser's history was left, and a function that keeps it. */
export function useStepMemory<T>(name: string): [T | undefined, (value: T) => void] {
  const { pathname, state } = useLocation();
  // While another page loads, the location is already that page's.
  const own = useRef({ pathname, step: "" });
  if (own.current.pathname === pathname) own.current.step = state.__TSR_key ?? state.key ?? "";
  const key = `${own.current.step} ${name}`;
  const keep = (value: T) => {
    kept.delete(key);
    kept.set(key, value);
    const oldest = kept.keys().next().value;
    if (kept.size > MOST && oldest !== undefined) kept.delete(oldest);
  };
  return [kept.get(key) as T | undefined, keep];
}

/** As `useState`; Back and Forward return to the value that was left. */
export function useStepState<T>(name: string, initial: T): [T, (value: T) => void] {
  const [memory, keep] = useStepMemory<T>(name);
  const [value, setValue] = useState(memory ?? initial);
  return [value, (next) => {
    keep(next);
    setValue(next);
  }];
}
