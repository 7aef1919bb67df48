import { type ReactNode, useState } from "react";
import { plural } from "./format.ts";

const FIRST = 8;

interface FirstRows<T> {
  rows: T[];
  /** The button that shows the rest, if there is any. */
  more: ReactNode;
}

/** The first rows of a long list; the rest on request. */
export function useFirstRows<T>(all: T[]): FirstRows<T> {
  const [open, setOpen] = useState(false);
  const rows = open || all.length <= FIRST + 1 ? all : all.slice(0, FIRST);
  const rest = all.length - rows.length;
  const more = rest > 0 && (
    <div className="more">
      <button type="button" className="button button-small" onClick={() => setOpen(true)}>
        Show {plural(rest, "more", "more")}
      </button>
    </div>
  );
  return { rows, more };
}
