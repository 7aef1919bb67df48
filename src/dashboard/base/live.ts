import { focusManager } from "@tanstack/react-query";
import { createStore } from "./store.ts";

const live = createStore(true);

export const isLive = live.get;
export const useLive = live.use;

/** Pauses or continues every poll of this tab; what is on screen stays as it is. */
export function setLive(next: boolean): void {
  // Queries poll only while they take the page for focused.
  focusManager.setFocused(next ? undefined : false);
  live.set(next);
}
