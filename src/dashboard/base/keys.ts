/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import { useEffect, useRef } from "react";
import { createStore } from "./store.ts";

/** The order of the groups in the list of shortcuts. */
export const GROUPS = ["Go to", "List", "Incident", "Decision", "View", "General"] as const;
type ShortcutGroup = (typeof GROUPS)[number];

interface Shortcut {
  /**
   * One key (`j`, `Enter`, `?`), a sequence (`g t`) or a combination (`Ctrl+k`, which is also Cmd on a Mac). Several
   * alternatives are a list.
   */
  keys: string | readonly string[];
  /** What it does, for the list of shortcuts. */
  label: string;
  group: ShortcutGroup;
  /** Returns false if the key means nothing now: then an earlier registered shortcut may take it. */
  run: (event: KeyboardEvent) => void | boolean;
  /** Whether it also works while a field has the focus. */
  inFields?: boolean;
  /** Default: true. */
  enabled?: boolean;
}

/** A sequence such as `g t` must be completed within this time. */
const SEQUENCE_MILLISECONDS = 1200;

type Entry = { readonly current: Shortcut };

/** Mounted shortcuts, the newest last: it has precedence. */
const entries = createStore<readonly Entry[]>([]);

/** Registers a keyboard shortcut while the component is mounted; the `?` overlay lists it. */
export function useShortcut(shortcut: Shortcut): void {
  const entry = useRef(shortcut);
  entry.current = shortcut;
  const enabled = shortcut.enabled ?? true;
  useEffect(() => {
    if (!enabled) return;
    entries.set([...entries.get(), entry]);
    return () => entries.set(entries.get().filter((one) => one !== entry));
  }, [enabled]);
}

/** A line in the list of shortcuts. */
interface ListedShortcut {
  keys: readonly string[];
  label: string;
}

/** What is registered, by group; alternatives of one action are one line. */
export function listShortcuts(
  shortcuts: readonly Pick<Shortcut, "keys" | "label" | "group">[],
): { group: ShortcutGroup; lines: ListedShortcut[] }[] {
  return GROUPS.map((group) => {
    const lines = new Map<string, string[]>();
    for (const { keys, label, group: own } of shortcuts) {
      if (own !== group) continue;
      const known = lines.get(label) ?? [];
      lines.set(label, [...new Set([...known, ...keysOf(keys)])]);
    }
    return { group, lines: [...lines].map(([label, keys]) => ({ label, keys })) };
  }).filter(({ lines }) => lines.length > 0);
}

export function useListedShortcuts() {
  return listShortcuts(entries.use().map(({ current }) => current));
}

/** Groups of shortcuts that act on what the page shows. */
const ACTIONS: readonly ShortcutGroup[] = ["Incident", "Decision", "View"];

/** What the shortcuts of the page do, the newest first, each label once. */
export function useActions(): { label: string; keys: string; run: () => void }[] {
  const found = new Map<string, { label: string; keys: string; run: () => void }>();
  for (const { current } of entries.use().toReversed()) {
    const { label, keys, group, run } = current;
    // Esc closes what the list of actions itself is shown over.
    if (!ACTIONS.includes(group) || keys === "Escape" || found.has(label)) continue;
    found.set(label, { label, keys: keysOf(keys)[0]!, run: () => void run(new KeyboardEvent("keydown")) });
  }
  return [...found.values()];
}

function keysOf(keys: Shortcut["keys"]): readonly string[] {
  return typeof keys === "string" ? [keys] : keys;
}

type Pressed = Pick<KeyboardEvent, "key" | "code" | "shiftKey" | "ctrlKey" | "metaKey" | "altKey">;

/** Whether a key press belongs to an input method, such as the Enter that confirms a word. */
export function isComposing(event: Pick<KeyboardEvent, "isComposing" | "keyCode">): boolean {
  // Safari sends the Enter after the end of the composition; 229 still marks it.
  return event.isComposing || event.keyCode === 229;
}

/**
 * The key as shortcuts name it, whatever Caps Lock and the layout are: a letter is small unless Shift is held, and
 * where the layout has no Latin letter, the position of the key counts.
 */
export function shortcutKey({ key, code, shiftKey }: Pick<Pressed, "key" | "code" | "shiftKey">): string {
  const placed = /^Key([A-Z])$/.exec(code)?.[1];
  const letter = /^[a-z]$/i.test(key) ? key : /^\p{L}$/u.test(key) ? placed : undefined;
  if (letter === undefined) return key;
  return shiftKey ? letter.toUpperCase() : letter.toLowerCase();
}

/** Whether a shortcut's keys end with this key press; `prefix` is the sequence that was typed before. */
export function matchesKeys(keys: Shortcut["keys"], pressed: Pressed, prefix: string | null): boolean {
  return keysOf(keys).some((one) => {
    const parts = one.split(" ");
    const last = parts.at(-1)!;
    const wanted = parts.length > 1 ? parts.slice(0, -1).join(" ") : null;
    if (wanted !== prefix) return false;
    const combined = last.startsWith("Ctrl+");
    const key = combined ? last.slice(5) : last;
    if (combined !== (pressed.ctrlKey || pressed.metaKey) || pressed.altKey) return false;
    const named = shortcutKey(pressed);
    return named === key || (combined && named.toLowerCase() === key.toLowerCase());
  });
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement) return !["radio", "checkbox", "button"].includes(target.type);
  return target.isContentEditable || ["TEXTAREA", "SELECT"].includes(target.tagName);
}

/** Keeps the keys of an input method from every handler of the page: its Enter confirms a word and submits nothing. */
function leaveToInputMethod(event: KeyboardEvent): void {
  if (!isComposing(event)) return;
  event.stopImmediatePropagation();
  // Safari's Enter comes after the composition and would submit the form.
  if (event.key === "Enter" && !event.isComposing) event.preventDefault();
}

/** Runs the registered shortcuts; once, in the shell. */
export function useKeyboard(): void {
  useEffect(() => {
    addEventListener("keydown", leaveToInputMethod, true);
    return () => removeEventListener("keydown", leaveToInputMethod, true);
  }, []);
  useEffect(() => {
    let prefix: string | null = null;
    let until = 0;
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || ["Shift", "Control", "Alt", "Meta"].includes(event.key)) return;
      // A modal dialog has its own keys.
      if (document.querySelector("dialog[open]") !== null) return;
      const typing = isTyping(event.target);
      const before = event.timeStamp < until ? prefix : null;
      prefix = null;
      const found = entries.get().toReversed().map(({ current }) => current).filter((one) =>
        !typing || one.inFields
      );
      for (const candidates of before === null ? [null] : [before, null]) {
        for (const shortcut of found) {
          if (!matchesKeys(shortcut.keys, event, candidates)) continue;
          if (shortcut.run(event) === false) continue;
          event.preventDefault();
          return;
        }
      }
      if (typing && event.key === "Escape") return (event.target as HTMLElement).blur();
      const key = shortcutKey(event);
      const starts = found.some(({ keys }) => keysOf(keys).some((one) => one.startsWith(`${key} `)));
      if (starts && !event.ctrlKey && !event.metaKey && !event.altKey) {
        prefix = key;
        until = event.timeStamp + SEQUENCE_MILLISECONDS;
        event.preventDefault();
      }
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
}
