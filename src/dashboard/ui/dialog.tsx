/// <reference lib="dom" />
import { type ReactNode, useEffect, useId, useRef } from "react";
import { Icon } from "./icons.tsx";

interface DialogProps {
  title: string;
  open: boolean;
  close: () => void;
  className?: string;
  children: ReactNode;
}

/** The browser's modal dialog: traps the focus, closes on Esc and restores the focus. */
export function Dialog({ title, open, close, className = "", children }: DialogProps) {
  const box = useRef<HTMLDialogElement>(null);
  const heading = useId();
  useEffect(() => {
    if (open && box.current?.open === false) {
      box.current.showModal();
      // Without it the browser focuses the close button, which comes first.
      box.current.querySelector<HTMLElement>("[data-autofocus]")?.focus();
    }
    if (!open && box.current?.open) box.current.close();
  }, [open]);
  return (
    <dialog
      ref={box}
      className={`dialog ${className}`}
      aria-labelledby={heading}
      onCancel={(event) => {
        // Esc: closes at once. The event `close` comes later, when a key may have opened the next dialog.
        if (event.target !== box.current) return;
        event.preventDefault();
        close();
      }}
      onClose={() => box.current?.open === false && close()}
      onClick={(event) => event.target === box.current && close()}
    >
      {open && (
        <div className="dialog-body">
          <div className="dialog-head">
            <h2 id={heading}>{title}</h2>
            <button type="button" className="button-icon" aria-label="Close" onClick={close}>
              <Icon name="close" />
            </button>
          </div>
          {children}
        </div>
      )}
    </dialog>
  );
}
