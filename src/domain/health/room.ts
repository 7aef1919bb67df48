import type { HealthStatus } from "../../contract/record/kinds.ts";
import { type DiskFacts, fullBelow, openFrom, sizeText, type SpaceFacts } from "./disk.ts";

export interface Verdict {
  status: HealthStatus;
  message: string | null;
}

const REMEDY = "make room, lower NDR_RETENTION_DAYS or set NDR_RETENTION_BYTES";

/** The disk that holds the database: `degraded` in good time, `unavailable` while nothing is taken in. */
export function diskVerdict({ directory, space, state, refused }: DiskFacts): Verdict {
  const free = space === null
    ? null
    : `${sizeText(space.free)} of ${sizeText(space.size)} are free at ${directory}`;
  if (state === "full" && space !== null) {
    const until = `ingest is stopped until ${sizeText(openFrom(space))} are free`;
    return { status: "unavailable", message: `${free}: ${until}; ${REMEDY}` };
  }
  if (refused) {
    const said = "the database has no room on its disk: ingest is stopped";
    return { status: "unavailable", message: free === null ? said : `${said}, though ${free}` };
  }
  if (state === "low" && space !== null) {
    const later = `ingest stops below ${sizeText(fullBelow(space))}`;
    return { status: "degraded", message: `${free}: ${later}; ${REMEDY}` };
  }
  return {
    status: "ok",
    message: directory === null ? "not watched: the database is on another machine" : null,
  };
}

/** Whether `NDR_RETENTION_BYTES` is kept. */
export function spaceVerdict({ limit, bytes, kept }: SpaceFacts): Verdict {
  if (kept) return { status: "ok", message: null };
  const taken = `what must stay takes ${sizeText(bytes)}`;
  return {
    status: "degraded",
    message: `NDR_RETENTION_BYTES is ${
      sizeText(limit)
    }, but ${taken}: today's records and what is kept without end`,
  };
}
