/// <reference lib="dom" />
import { type KeyboardEvent, useState } from "react";

/** An open list of choices: Escape closes it and not the modal dialog around it. */
export function useChoices(shown = true) {
  const [wanted, setOpen] = useState(false);
  const open = wanted && shown;
  return {
    open,
    setOpen,
    onKeyDownCapture: (event: KeyboardEvent) => {
      if (event.key !== "Escape" || !open) return;
      event.preventDefault();
      event.stopPropagation();
      setOpen(false);
    },
  };
}
