/// <reference lib="dom" />
import { useState } from "react";
import type { Release } from "../../contract/telemetry/registration.ts";

const STORED = "ndr.update.dismissed";

/**
 * Identifies a dismissal: another version shows the notice again, and so does a version that turns out to fix
 * a security issue.
 */
function releaseKey(
  { latest_version, security }: Pick<Release, "latest_version" | "security">,
): string {
  return security ? `${latest_version} security` : latest_version;
}

function stored(): string | null {
  try {
    return localStorage.getItem(STORED);
  } catch {
    return null;
  }
}

/** Whether this browser dismissed the notice of a release, and a function that dismisses it. */
export function useDismissed(release: Release | null): [boolean, () => void] {
  const [dismissed, setDismissed] = useState(stored);
  const key = release === null ? null : releaseKey(release);
  const dismiss = () => {
    setDismissed(key);
    try {
      if (key !== null) localStorage.setItem(STORED, key);
    } catch {
      // Without storage the dismissal lasts until the page is left.
    }
  };
  return [key !== null && dismissed === key, dismiss];
}
