import { useSyncExternalStore } from "react";
import { focusManager } from "@tanstack/react-query";

let live = true;
const listeners = new Set<() => void>();

export function isLive(): boolean {
  return live;
}

/** Pauses or continues every poll of this tab; what is on screen stays as it is. */
export function setLive(next: boolean): void {
  live = next;
  // Queries poll only while they take the page for focused.
  focusManager.setFocused(next ? undefined : false);
  for (const listener of listeners) listener();
}

export function useLive(): boolean {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, isLive);
}
