/// <reference lib="dom" />
import { useEffect, useState } from "react";
import { Icon } from "./icons.tsx";

const SHOWN_MILLISECONDS = 2000;

/** Copies exactly `text` and shows whether it worked. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const [outcome, setOutcome] = useState<"copied" | "failed" | null>(null);
  useEffect(() => {
    if (outcome === null) return;
    const timer = setTimeout(() => setOutcome(null), SHOWN_MILLISECONDS);
    return () => clearTimeout(timer);
  }, [outcome]);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setOutcome("copied");
    } catch {
      // The browser may refuse, and has no clipboard on plain http.
      setOutcome("failed");
    }
  };
  return (
    <button type="button" className="button button-small" onClick={() => void copy()}>
      <Icon name={outcome === "copied" ? "check" : "copy"} />
      <span aria-live="polite">
        {outcome === "copied" ? "Copied" : outcome === "failed" ? "The browser refused" : label}
      </span>
    </button>
  );
}
