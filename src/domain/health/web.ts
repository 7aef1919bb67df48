import { WEB_SILENCE_SECONDS } from "../../contract/health/conditions.ts";
import { secondsSince } from "./component.ts";
import type { Verdict } from "./room.ts";

/** The newest report of the web layer. */
export interface WebFacts {
  /** Microseconds. */
  reportedAt: number;
  /** Why the identity provider does not answer; null if it does. For administrators. */
  signInFailure: string | null;
}

export function webVerdict({ reportedAt, signInFailure }: WebFacts, now: number): Verdict {
  const silence = secondsSince(reportedAt, now);
  if (silence > WEB_SILENCE_SECONDS) {
    const message = `ndr web has not reported for ${
      Math.floor(silence / 60)
    } minutes: see systemctl status ndr-web`;
    return { status: "unavailable", message };
  }
  if (signInFailure === null) return { status: "ok", message: null };
  return {
    status: "degraded",
    message: `nobody can sign in: the identity provider does not answer: ${signInFailure}`,
  };
}
