/// <reference lib="dom" />
import { useEffect, useState } from "react";
import { useShortcut } from "../../base/keys.ts";
import { Icon } from "../icons.tsx";
import { Foreign } from "../foreign.tsx";
import { closeToast, type ShownToast, undoToast, useShownToasts } from "./toast.ts";

const SHOWN_MILLISECONDS = 8000;

/** The messages at the lower edge; errors stay until they are closed. */
export function Toasts() {
  const toasts = useShownToasts();
  const undoable = toasts.findLast(({ undo }) => undo !== undefined);
  useShortcut({
    keys: "z",
    label: "Undo the last action",
    group: "General",
    enabled: undoable !== undefined,
    run: () => void (undoable && undoToast(undoable)),
  });
  return (
    <section className="toasts" aria-label="Messages" aria-live="polite">
      {toasts.map((toast) => <ToastView key={toast.id} toast={toast} />)}
    </section>
  );
}

function ToastView({ toast }: { toast: ShownToast }) {
  const { id, text, kind = "done", undo, action } = toast;
  const [held, setHeld] = useState(false);
  useEffect(() => {
    if (held || kind === "error") return;
    const timer = setTimeout(() => closeToast(id), SHOWN_MILLISECONDS);
    return () => clearTimeout(timer);
  }, [id, held, kind]);
  return (
    <div
      className={`toast toast-${kind}`}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <Icon name={kind === "error" ? "warning" : "check"} />
      <span className="toast-text wrap">
        <Foreign text={text} />
      </span>
      {undo && (
        <button type="button" className="toast-action" onClick={() => void undoToast(toast)}>
          Undo <kbd>z</kbd>
        </button>
      )}
      {action && (
        <button
          type="button"
          className="toast-action"
          onClick={() => {
            closeToast(id);
            action.run();
          }}
        >
          {action.label}
        </button>
      )}
      <button
        type="button"
        className="button-icon"
        aria-label="Close the message"
        onClick={() => closeToast(id)}
      >
        <Icon name="close" />
      </button>
    </div>
  );
}
