/// <reference lib="dom" />
import { useState } from "react";
import type { Release } from "../../../contract/telemetry/registration.ts";

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

/** Whether this browser dismissed the notice of a release, and a function that dismisses or shows it. */
export function useDismissed(release: Release | null): [boolean, (dismissed: boolean) => void] {
  const [key, setKey] = useState(stored);
  const own = release === null ? null : releaseKey(release);
  const set = (dismissed: boolean) => {
    const next = dismissed ? own : null;
    setKey(next);
    try {
      if (next === null) localStorage.removeItem(STORED);
      else localStorage.setItem(STORED, next);
    } catch {
      // Without storage the dismissal lasts until the page is left.
    }
  };
  return [own !== null && key === own, set];
}
