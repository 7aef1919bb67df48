/// <reference lib="dom" />
import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { Link } from "@tanstack/react-router";
import { useShortcut } from "../../base/keys.ts";
import type { Target } from "../../base/links.ts";
import { Icon } from "../icons.tsx";

/** The shell's place for the panel, beside the page. */
export const PEEK_SLOT = "peek";
/** Below this width the panel covers the page. */
const COVERS = "(max-width: 1100px)";

interface PeekProps {
  title: ReactNode;
  /** What the panel shows, for screen readers: `Incident`. */
  label: string;
  open: boolean;
  onClose: () => void;
  /** The page of the same object. */
  page?: Target;
  /** Buttons beside the title, such as previous and next. */
  tools?: ReactNode;
  children: ReactNode;
}

/**
 * A panel on the right that shows the active row of a list. On a wide screen it stands beside the list, which keeps
 * the focus, so that j and k go on; on a narrow one it covers the list and takes the focus. Escape closes it.
 */
export function Peek({ open, ...props }: PeekProps) {
  const [slot, setSlot] = useState<HTMLElement | null>(null);
  useEffect(() => setSlot(document.getElementById(PEEK_SLOT)), []);
  return open && slot !== null ? createPortal(<Panel {...props} />, slot) : null;
}

/** Closes the panel that is shown: there is room for one. */
let closeShown: (() => void) | null = null;

function Panel({ title, label, onClose, page, tools, children }: Omit<PeekProps, "open">) {
  const kind = useId();
  const heading = useId();
  const box = useRef<HTMLElement>(null);
  const closer = useRef<HTMLButtonElement>(null);
  const close = useRef(onClose);
  close.current = onClose;
  useEffect(() => {
    closeShown?.();
    const own = () => close.current();
    closeShown = own;
    return () => {
      if (closeShown === own) closeShown = null;
    };
  }, []);
  useEffect(() => {
    const before = document.activeElement;
    const panel = box.current;
    const main = document.getElementById("main");
    const narrow = matchMedia(COVERS);
    const cover = () => {
      if (main !== null) main.inert = narrow.matches;
      if (narrow.matches) closer.current?.focus();
    };
    cover();
    narrow.addEventListener("change", cover);
    return () => {
      narrow.removeEventListener("change", cover);
      if (main !== null) main.inert = false;
      const inside = document.activeElement === document.body ||
        panel?.contains(document.activeElement);
      if (inside && before instanceof HTMLElement && before.isConnected) {
        before.focus({ preventScroll: true });
      }
    };
  }, []);
  useShortcut({ keys: "Escape", label: "Close the panel", group: "View", run: onClose });
  return (
    <aside className="peek" ref={box} aria-labelledby={`${kind} ${heading}`}>
      <span id={kind} className="hidden">{label}</span>
      <header className="peek-head">
        <h2 id={heading} className="peek-title wrap">{title}</h2>
        {tools}
        {page && (
          <Link {...page} className="button-icon" aria-label="Open as a page" title="Open as a page">
            <Icon name="right" />
          </Link>
        )}
        <button
          type="button"
          className="button-icon"
          ref={closer}
          aria-label="Close the panel"
          onClick={onClose}
        >
          <Icon name="close" />
        </button>
      </header>
      <div className="peek-body">{children}</div>
    </aside>
  );
}
