import { plural } from "../../kit/text.ts";
import type { Verdict } from "./room.ts";

/** Connections that the database refused of late. */
export interface ConnectionFacts {
  refused: number;
  /** The newest reason, as the server states it. */
  reason: string;
  /** Connections that the service uses at most. */
  needed: number;
}

export function connectionVerdict(facts: ConnectionFacts | null): Verdict {
  if (facts === null) return { status: "ok", message: null };
  return {
    status: "degraded",
    message: `the database refused ${plural(facts.refused, "connection")} of late: ${facts.reason}; ` +
      `the service uses up to ${facts.needed}`,
  };
}
