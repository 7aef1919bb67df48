import type { IntelFault, ListReport } from "../intel/indicator.ts";
import type { Verdict } from "./room.ts";

/** A file that is unreadable in whole or in part. */
interface FileFault {
  file: string;
  message: string;
}

/** State of the threat intelligence lists and the GeoIP databases. */
export interface IntelligenceFacts {
  lists: readonly ListReport[];
  unreadable: readonly FileFault[];
  /** Why no list could be loaded; null if that did not happen. */
  failure: string | null;
  databases: readonly FileFault[];
}

/** Maximum unusable lines named in a message. */
const NAMED_LINES = 5;

/**
 * A list with some bad lines is in use and names them. It is degraded if most lines are bad, like a web page
 * downloaded in its place.
 */
export function listVerdict({ indicators, skipped, faulty, faults }: ListReport): Verdict {
  if (faulty === 0) return { status: "ok", message: null };
  const named = faults.slice(0, NAMED_LINES).map(lineText);
  const more = faulty > named.length ? [`and ${faulty - named.length} more`] : [];
  const lines = faulty === 1 ? "1 line" : `${faulty} lines`;
  return {
    status: faulty > indicators + skipped ? "degraded" : "ok",
    message: `${lines} unusable: ${[...named, ...more].join("; ")}`,
  };
}

function lineText({ file, line, message }: IntelFault): string {
  return `${file}:${line}: ${message}`;
}

export function fileVerdict({ file, message }: FileFault): Verdict {
  return { status: "degraded", message: `${file}: ${message}` };
}

/** The last part of a path, which every reader may see. */
export function fileName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
