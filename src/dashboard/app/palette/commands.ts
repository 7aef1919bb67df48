import { useEffect, useRef, useSyncExternalStore } from "react";
import type { IconName } from "../../ui/icons.tsx";

/** An action of the command palette. */
export interface Command {
  /** What it does, as a command: `Use the dark theme`. */
  label: string;
  icon?: IconName;
  /** Further words to find it by. */
  words?: string;
  /** Its shortcut, shown beside it. */
  keys?: string;
  run: () => void;
  /** Default: true. */
  enabled?: boolean;
}

type Entry = { readonly current: Command };

let entries: readonly Entry[] = [];
const listeners = new Set<() => void>();

function set(next: readonly Entry[]): void {
  entries = next;
  for (const listener of listeners) listener();
}

/** Offers a command in the palette while the component is mounted. */
export function useCommand(command: Command): void {
  const entry = useRef(command);
  entry.current = command;
  const enabled = command.enabled ?? true;
  useEffect(() => {
    if (!enabled) return;
    set([...entries, entry]);
    return () => set(entries.filter((one) => one !== entry));
  }, [enabled]);
}

/** The offered commands, those of the page first. */
export function useCommands(): Command[] {
  const current = useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, () => entries);
  return current.toReversed().map(({ current }) => current);
}

/** Whether every word of `text` is in the label or the further words. */
export function matchesWords(text: string, { label, words = "" }: Pick<Command, "label" | "words">): boolean {
  const all = `${label} ${words}`.toLowerCase();
  return text.toLowerCase().split(/\s+/).every((word) => all.includes(word));
}
