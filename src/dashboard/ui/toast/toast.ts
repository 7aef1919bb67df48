import { createStore } from "../../base/store.ts";

/** A short message about an action that has just happened. */
interface Toast {
  /** What happened, as a sentence: `Incident resolved.` */
  text: string;
  kind?: "done" | "error";
  /** Takes the action back. Its own failure is shown as a further toast. */
  undo?: () => Promise<unknown> | void;
  /** A next step in place of undo. */
  action?: { label: string; run: () => void };
}

export interface ShownToast extends Toast {
  id: number;
}

const MOST = 4;

const shown = createStore<readonly ShownToast[]>([]);
let last = 0;

/** Shows a message; several actions of the same kind each have theirs. */
export function showToast(toast: Toast): void {
  shown.set([...shown.get(), { ...toast, id: ++last }].slice(-MOST));
}

export function closeToast(id: number): void {
  shown.set(shown.get().filter((toast) => toast.id !== id));
}

/** Takes back the action of a toast. */
export async function undoToast({ id, undo }: ShownToast): Promise<void> {
  closeToast(id);
  try {
    await undo?.();
    showToast({ text: "Undone." });
  } catch (error) {
    showToast({
      kind: "error",
      text: `Not undone: ${error instanceof Error ? error.message : String(error)}`,
    });
  }
}

/** Shows toasts: `const toast = useToast(); toast({ text: "Incident resolved.", undo })`. */
export function useToast(): (toast: Toast) => void {
  return showToast;
}

export const useShownToasts = shown.use;
