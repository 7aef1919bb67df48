/// <reference lib="dom" />
import type { KeyboardEvent } from "react";

/** Ctrl-Enter, or Cmd-Enter, in a text area submits its form. */
export function submitOnCtrlEnter(event: KeyboardEvent<HTMLTextAreaElement>): void {
  if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  event.currentTarget.form?.requestSubmit();
}
