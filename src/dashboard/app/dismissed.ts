/// <reference lib="dom" />
import { useState } from "react";
import type { Release } from "../../contract/telemetry/registration.ts";

const STORED = "ndr.update.dismissed";

/** What a dismissal is for: another version comes back, and so does one that turns out to close a hole. */
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

/** Whether this browser's person has dismissed the notice of a release, and how to. */
export function useDismissed(release: Release | null): [boolean, () => void] {
  const [dismissed, setDismissed] = useState(stored);
  const key = release === null ? null : releaseKey(release);
  const dismiss = () => {
    setDismissed(key);
    try {
      if (key !== null) localStorage.setItem(STORED, key);
    } catch {
      // Without storage it holds until the page is left.
    }
  };
  return [key !== null && dismissed === key, dismiss];
}
