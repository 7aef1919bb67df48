/// <reference lib="dom" />
import { useCallback, useState } from "react";

const PREFIX = "ndr.draft";

function stored(key: string): string {
  try {
    return sessionStorage.getItem(key) ?? "";
  } catch {
    // Storage may be switched off; the text then lives as long as its form.
    return "";
  }
}

function store(key: string, text: string): void {
  try {
    if (text === "") sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, text);
  } catch {
    // As above.
  }
}

/**
 * Text of a form that survives a closed dialog, a reload and a new sign-in in the same tab. `owner` keeps drafts
 * of two people apart. Setting "" forgets it.
 */
export function useDraft(owner: string, name: string): [text: string, set: (text: string) => void] {
  const key = [PREFIX, owner, name].join(" ");
  const [draft, setDraft] = useState({ key, text: stored(key) });
  const set = useCallback((text: string) => {
    store(key, text);
    setDraft({ key, text });
  }, [key]);
  return [draft.key === key ? draft.text : stored(key), set];
}
