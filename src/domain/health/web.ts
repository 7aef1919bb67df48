import { WEB_SILENCE_SECONDS } from "../../contract/health/conditions.ts";
import { secondsSince } from "./component.ts";
import type { Verdict } from "./room.ts";

/** The newest report of the web layer. */
export interface WebFacts {
  /** Microseconds. */
  reportedAt: number;
  /** Why the identity provider does not answer; null if it does. For administrators. */
  signInFailure: string | null;
  /** Where the newest reload of the access rules found faults; null if it applied. For administrators. */
  reloadFailure: string | null;
}

export function webVerdict({ reportedAt, signInFailure, reloadFailure }: WebFacts, now: number): Verdict {
  const silence = secondsSince(reportedAt, now);
  if (silence > WEB_SILENCE_SECONDS) {
    const message = `ndr web has not reported for ${
      Math.floor(silence / 60)
    } minutes: see systemctl status ndr-web`;
    return { status: "unavailable", message };
  }
  const troubles = [
    ...signInFailure === null
      ? []
      : [`sign-in fails: the identity provider does not answer: ${signInFailure}`],
    ...reloadFailure === null
      ? []
      : [`the newest reload was rejected, and the former access rules are in use: ${reloadFailure}`],
  ];
  return troubles.length === 0
    ? { status: "ok", message: null }
    : { status: "degraded", message: troubles.join("; ") };
}
