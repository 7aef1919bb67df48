import { StoreUnavailable } from "./database.ts";

/** SQLSTATE of a driver's error, or its socket code (`ECONNREFUSED`). */
export function errorCode(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === "string" ? code : "";
}

/** A connection keeps a statement's plan of before a migration, and the statement's columns are others now. */
export function isStalePlan(error: unknown): boolean {
  return errorCode(error) === "0A000" && error instanceof Error && error.message.includes("cached plan");
}

/**
 * The same work may succeed when it runs again: a serialization failure, a deadlock, a day that got its partition, a
 * plan that is not kept on another connection.
 */
function isTransient(error: unknown): boolean {
  if (isStalePlan(error)) return true;
  const code = errorCode(error);
  if (code === "40001" || code === "40P01") return true;
  // A row was on its way into a default partition while the partition of its day was made. It is a check violation
  // without the name of a check.
  return code === "23514" && !(error as { constraint?: string }).constraint;
}

/**
 * Connection trouble, a server that starts or stops, is out of room, does not let us in, or writes nothing because it
 * is a standby; a statement or transaction that took too long.
 */
const UNAVAILABLE_CODES = /^(08|28|53|57P|58|3D000|57014|25006|25P0[34]|E[A-Z]+$)/;
const UNAVAILABLE_TEXTS = [
  "Connection terminated",
  "timeout exceeded when trying to connect",
  "Client has encountered a connection error",
  "Client was closed and is not queryable",
  "Cannot use a pool after calling end",
];

/** `disk_full` of the server; out of space of a filesystem. */
const NO_ROOM_CODES = ["53100", "ENOSPC", "EDQUOT"];
/** The server has no code for a quota, and an embedded one none for its own end. */
const NO_ROOM_TEXTS = ["No space left on device", "Disk quota exceeded"];

/** Whether something failed because a disk is full. */
export function isOutOfRoom(error: unknown): boolean {
  if (NO_ROOM_CODES.includes(errorCode(error))) return true;
  return error instanceof Error && NO_ROOM_TEXTS.some((text) => error.message.includes(text));
}

function isUnavailable(error: unknown): boolean {
  if (UNAVAILABLE_CODES.test(errorCode(error)) || isOutOfRoom(error)) return true;
  return error instanceof Error && UNAVAILABLE_TEXTS.some((text) => error.message.includes(text));
}

const ATTEMPTS = 6;

/** Runs a transaction again where that may help; turns "cannot be reached" into `StoreUnavailable`. */
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
