/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import { useShortcut } from "../../base/keys.ts";

function isRow(element: Element | null): boolean {
  return element instanceof HTMLElement && element.dataset.row !== undefined;
}

/** Moves the focus between rows (elements marked `data-row`); from between two rows, to the nearer one. */
function moveRow(step: 1 | -1): boolean {
  const rows = [...document.querySelectorAll<HTMLElement>("main [data-row]")];
  const active = document.activeElement;
  if (rows.length === 0 || active === null) return false;
  const at = rows.findLastIndex((row) =>
    row === active || (row.compareDocumentPosition(active) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0
  );
  const next = rows[step === -1 && rows[at] !== active ? at : at + step] ?? rows[Math.max(0, at)];
  next?.focus();
  next?.scrollIntoView({ block: "nearest" });
  return true;
}

/** Arrow keys scroll the page unless a row has the focus. */
function byKey(step: 1 | -1, { key }: KeyboardEvent): boolean {
  return (!key.startsWith("Arrow") || isRow(document.activeElement)) && moveRow(step);
}

/** j, k and the arrow keys in lists of links; a grid registers its own. */
export function useRowKeys(): void {
  useShortcut({
    keys: ["j", "ArrowDown"],
    label: "Next row",
    group: "List",
    run: (event) => byKey(1, event),
  });
  useShortcut({
    keys: ["k", "ArrowUp"],
    label: "Previous row",
    group: "List",
    run: (event) => byKey(-1, event),
  });
}
