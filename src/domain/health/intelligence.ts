import type { IntelFault, ListReport } from "../intel/indicator.ts";
import type { Verdict } from "./room.ts";

/** A file that cannot be read, as a whole or in part. */
interface FileFault {
  file: string;
  message: string;
}

/** What is known of the threat intelligence lists and the GeoIP databases. */
export interface IntelligenceFacts {
  lists: readonly ListReport[];
  unreadable: readonly FileFault[];
  /** Why none of the lists could be read; null where that did not happen. */
  failure: string | null;
  databases: readonly FileFault[];
}

/** Of a list's lines that cannot be used, so many are named. */
const NAMED_LINES = 5;

/**
 * A list with some bad lines does its work, and says which they are. It does not where most lines are bad, as of a
 * page that was downloaded in its place.
 */
export function listVerdict({ indicators, skipped, faulty, faults }: ListReport): Verdict {
  if (faulty === 0) return { status: "ok", message: null };
  const told = faults.slice(0, NAMED_LINES).map(lineText);
  const more = faulty > told.length ? [`and ${faulty - told.length} more`] : [];
  const lines = faulty === 1 ? "1 line" : `${faulty} lines`;
  return {
    status: faulty > indicators + skipped ? "degraded" : "ok",
    message: `${lines} cannot be used: ${[...told, ...more].join("; ")}`,
  };
}

function lineText({ file, line, message }: IntelFault): string {
  return `${file}:${line}: ${message}`;
}

export function fileVerdict({ file, message }: FileFault): Verdict {
  return { status: "degraded", message: `${file}: ${message}` };
}

/** The last part of a path: what everybody may know of it. */
export function fileName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
