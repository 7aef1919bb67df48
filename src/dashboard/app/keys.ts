/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import { useEffect } from "react";
import { useNavigate } from "@tanstack/react-router";

/** Pages reached by `g` and a letter. */
export const GO_TO = {
  o: { to: "/", name: "Overview" },
  i: { to: "/incidents", name: "Incidents" },
  d: { to: "/devices", name: "Devices" },
  f: { to: "/flows", name: "Flows" },
  s: { to: "/suppressions", name: "Suppressions" },
  h: { to: "/health", name: "Health" },
} as const;

const GO_MILLISECONDS = 1200;

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement &&
    (target.isContentEditable || ["INPUT", "TEXTAREA", "SELECT"].includes(target.tagName));
}

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

function focusFilter(): boolean {
  const filter = document.querySelector<HTMLElement>("main [data-filter]");
  filter?.focus();
  return filter !== null;
}

/** Keyboard shortcuts of every page; `?` lists them. */
export function useKeys(showHelp: () => void): void {
  const navigate = useNavigate();
  useEffect(() => {
    let goUntil = 0;
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      if (document.querySelector("dialog[open]") !== null) return;
      if (isTyping(event.target)) {
        if (event.key === "Escape") (event.target as HTMLElement).blur();
        return;
      }
      const page = event.timeStamp < goUntil ? GO_TO[event.key as keyof typeof GO_TO] : undefined;
      goUntil = 0;
      let done = true;
      // Arrow keys scroll the page unless a row has the focus.
      const row = isRow(document.activeElement);
      if (page !== undefined) void navigate({ to: page.to });
      else if (event.key === "g") goUntil = event.timeStamp + GO_MILLISECONDS;
      else if (event.key === "j" || (row && event.key === "ArrowDown")) done = moveRow(1);
      else if (event.key === "k" || (row && event.key === "ArrowUp")) done = moveRow(-1);
      else if (event.key === "/") done = focusFilter();
      else if (event.key === "?") showHelp();
      else done = false;
      if (done) event.preventDefault();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [navigate, showHelp]);
}
