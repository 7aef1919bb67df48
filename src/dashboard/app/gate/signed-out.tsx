/// <reference lib="dom" />
import { useEffect, useState } from "react";
import { createPortal } from "react-dom";
import { useLocation } from "@tanstack/react-router";
import { Icon } from "../../ui/icons.tsx";

/**
 * The session has ended while a page is open. The page stays, so that nothing typed is lost: sign-in opens
 * another tab, and this one continues as soon as the session is back.
 */
export function SignedOut({ retry }: { retry: () => void }) {
  const { href } = useLocation();
  const dialog = useOpenDialog();
  const bar = (
    <div className={dialog === null ? "bar bar-warning bar-fixed" : "bar bar-warning"} role="alert">
      <Icon name="lock" />
      <span>
        <strong>Your session has ended.</strong>{" "}
        Nothing can be loaded or saved until you sign in again. What you typed is kept.
      </span>
      <a
        className="button button-small"
        href={`/auth/login?return_to=${encodeURIComponent(href)}`}
        target="_blank"
        rel="noopener"
      >
        Sign in
      </a>
      <button type="button" className="button button-small" onClick={retry}>Continue</button>
    </div>
  );
  return dialog === null ? bar : createPortal(bar, dialog);
}

/** The open modal dialog: everything outside of it is out of reach. */
function useOpenDialog(): Element | null {
  const find = () => document.querySelector("dialog[open]");
  const [dialog, setDialog] = useState(find);
  useEffect(() => {
    const follow = () => setDialog(find());
    follow();
    document.addEventListener("toggle", follow, true);
    document.addEventListener("close", follow, true);
    return () => {
      document.removeEventListener("toggle", follow, true);
      document.removeEventListener("close", follow, true);
    };
  }, []);
  return dialog;
}
