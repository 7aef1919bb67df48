import { StoreUnavailable } from "./database.ts";

/** SQLSTATE of a driver's error, or its socket code (`ECONNREFUSED`). */
export function errorCode(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === "string" ? code : "";
}

/** A connection holds a plan from before a migration that changed the statement's columns. */
export function isStalePlan(error: unknown): boolean {
  return errorCode(error) === "0A000" && error instanceof Error && error.message.includes("cached plan");
}

/**
 * Whether a retry may succeed: after a serialization failure, a deadlock, a new day partition or a stale
 * plan.
 */
function isTransient(error: unknown): boolean {
  if (isStalePlan(error)) return true;
  const code = errorCode(error);
  if (code === "40001" || code === "40P01") return true;
  // A row went to the default partition while the partition of its day was created: a check violation without
  // a constraint name.
  return code === "23514" && !(error as { constraint?: string }).constraint;
}

/**
 * Connection failures; a server that starts, stops, has a full disk, rejects our login or is read-only; a statement or transaction that timed out.
 */
const UNAVAILABLE_CODES = /^(08|28|53|57P|58|3D000|57014|25006|25P0[34]|E[A-Z]+$)/;
const UNAVAILABLE_TEXTS = [
  "Connection terminated",
  "timeout exceeded when trying to connect",
  "Client has encountered a connection error",
  "Client was closed and is not queryable",
  "Cannot use a pool after calling end",
];

/** The server's `disk_full`, and the filesystem's errors. */
const DISK_FULL_CODES = ["53100", "ENOSPC", "EDQUOT"];
/** The server has no code for an exceeded quota, and a crashed embedded one has none at all. */
const DISK_FULL_TEXTS = ["No space left on device", "Disk quota exceeded"];

/** Whether an operation failed because a disk is full. */
export function isDiskFull(error: unknown): boolean {
  if (DISK_FULL_CODES.includes(errorCode(error))) return true;
  return error instanceof Error && DISK_FULL_TEXTS.some((text) => error.message.includes(text));
}

/** Whether the server refused a connection because it, the database or the user has no more. */
export function isShortOfConnections(error: unknown): boolean {
  return errorCode(error) === "53300";
}

/**
 * Whether the database refuses to write for now: it is read-only, its disk is full, or our role lost a right.
 */
export function isWriteRefusal(error: unknown): boolean {
  return errorCode(error) === "25006" || isDiskFull(error) || isDenied(error);
}

/**
 * The server's functions that report a missing right on a table or schema, and on a role to switch to. A
 * violated policy has the same code, but is a defect.
 */
const DENYING_ROUTINES: readonly unknown[] = ["aclcheck_error", "call_string_check_hook"];

function isDenied(error: unknown): boolean {
  if (errorCode(error) !== "42501") return false;
  return DENYING_ROUTINES.includes((error as { routine?: unknown }).routine);
}

function isUnavailable(error: unknown): boolean {
  if (isDenied(error)) return true;
  if (UNAVAILABLE_CODES.test(errorCode(error)) || isDiskFull(error)) return true;
  return error instanceof Error && UNAVAILABLE_TEXTS.some((text) => error.message.includes(text));
}

const ATTEMPTS = 6;

/** Retries a transaction if that may help; converts connection failures to `StoreUnavailable`. */
export async function retrying<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1;; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (error instanceof StoreUnavailable) throw error;
      if (isUnavailable(error)) throw new StoreUnavailable(error);
      if (!isTransient(error) || attempt === ATTEMPTS) throw error;
      await new Promise((resolve) => setTimeout(resolve, attempt * 10 * (1 + Math.random())));
    }
  }
}
