import type { HealthStatus } from "../../contract/record/kinds.ts";
import type { ClockReading } from "./clock-reading.ts";
import { type DiskFacts, fullBelow, resumeFrom, sizeText, type SpaceFacts } from "./disk.ts";

export interface Verdict {
  status: HealthStatus;
  message: string | null;
}

const REMEDY = "free some space, lower NDR_RETENTION_DAYS or set NDR_RETENTION_BYTES";

/**
 * The disk that holds the database: `degraded` early enough to act, `unavailable` while ingest is stopped.
 */
export function diskVerdict({ directory, space, state, refused }: DiskFacts): Verdict {
  const free = space === null
    ? null
    : `${sizeText(space.free)} of ${sizeText(space.size)} free at ${directory}`;
  if (state === "full" && space !== null) {
    const until = `ingest is stopped until ${sizeText(resumeFrom(space))} are free`;
    return { status: "unavailable", message: `${free}: ${until}; ${REMEDY}` };
  }
  if (refused) {
    const refusal = "the database reports a full disk: ingest is stopped";
    return { status: "unavailable", message: free === null ? refusal : `${refusal}, though ${free}` };
  }
  if (state === "low" && space !== null) {
    const later = `ingest stops below ${sizeText(fullBelow(space))}`;
    return { status: "degraded", message: `${free}: ${later}; ${REMEDY}` };
  }
  return {
    status: "ok",
    message: directory === null ? "not monitored: the database is on another machine" : null,
  };
}

/** Whether `NDR_RETENTION_BYTES` is met. */
export function spaceVerdict({ limit, bytes, kept }: SpaceFacts): Verdict {
  if (kept) return { status: "ok", message: null };
  return {
    status: "degraded",
    message: `NDR_RETENTION_BYTES is ${sizeText(limit)}, but data that cannot be dropped takes ${
      sizeText(bytes)
    }: today's records and what is kept indefinitely`,
  };
}

/** Whether the age of stored data can be judged. */
export function clockVerdict({ doubt }: ClockReading): Verdict {
  if (doubt === null) return { status: "ok", message: null };
  return { status: "degraded", message: `${doubt}: nothing is deleted by age; correct the clock` };
}
