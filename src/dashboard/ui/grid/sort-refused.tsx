import { ApiFailure } from "../../base/api.ts";
import type { ListState } from "./list-state.ts";

interface SortRefusedProps {
  list: ListState;
  /** What the button says: `Show the newest first`. */
  usual: string;
  /** Returns to the usual order. */
  reset: () => void;
}

/** The way back from an order that the server refuses: without rows, the list has no header to choose another one. */
export function SortRefused({ list: { error }, usual, reset }: SortRefusedProps) {
  if (!(error instanceof ApiFailure) || error.status !== 400) return null;
  return (
    <p className="notice notice-warning">
      <span>The list cannot be sorted by this column.</span>
      <button type="button" className="button button-small" onClick={reset}>
        {usual}
      </button>
    </p>
  );
}
