/// <reference lib="dom" />
// A click anywhere in a row opens it, except a click that is meant otherwise.
import type { MouseEvent } from "react";

/** Whether a click is for something within the row. */
export function isWidget(event: MouseEvent): boolean {
  return event.target instanceof Element && event.target.closest("a, button, input, label") !== null;
}

/** Whether a click ends the selection of text. */
export function endsSelection(): boolean {
  return getSelection()?.isCollapsed === false;
}
