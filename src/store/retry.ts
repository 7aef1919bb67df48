import { StoreUnavailable } from "./database.ts";

/** SQLSTATE of a driver's error, or its socket code (`ECONNREFUSED`). */
export function errorCode(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === "string" ? code : "";
}

/** A serialization failure or a deadlock: the same work may succeed when it runs again. */
function isTransient(code: string): boolean {
  return code === "40001" || code === "40P01";
}

/** Connection trouble, a server that starts or stops, or one that is out of room. */
function isUnavailable(error: unknown): boolean {
  const code = errorCode(error);
  if (/^(08|53|57P|58)/.test(code) || /^E[A-Z]+$/.test(code)) return true;
  return error instanceof Error &&
    /(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error)/
      .test(error.message);
}

const ATTEMPTS = 6;

/** Runs a transaction again after a deadlock; turns "cannot be reached" into `StoreUnavailable`. */
export async function retrying<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1;; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (error instanceof StoreUnavailable) throw error;
      if (isUnavailable(error)) throw new StoreUnavailable(error);
      if (!isTransient(errorCode(error)) || attempt === ATTEMPTS) throw error;
      await new Promise((resolve) => setTimeout(resolve, attempt * 10 * (1 + Math.random())));
    }
  }
}
