import { useEffect, useRef } from "react";
import { createStore } from "../../base/store.ts";
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

const entries = createStore<readonly Entry[]>([]);

/** Offers a command in the palette while the component is mounted. */
export function useCommand(command: Command): void {
  const entry = useRef(command);
  entry.current = command;
  const enabled = command.enabled ?? true;
  useEffect(() => {
    if (!enabled) return;
    entries.set([...entries.get(), entry]);
    return () => entries.set(entries.get().filter((one) => one !== entry));
  }, [enabled]);
}

/** The offered commands, those of the page first. */
export function useCommands(): Command[] {
  return entries.use().toReversed().map(({ current }) => current);
}

/** Whether every word of `text` is in the label or the further words. */
export function matchesWords(text: string, { label, words = "" }: Pick<Command, "label" | "words">): boolean {
  const all = `${label} ${words}`.toLowerCase();
  return text.toLowerCase().split(/\s+/).every((word) => all.includes(word));
}
