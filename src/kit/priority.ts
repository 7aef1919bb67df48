import { getPriority, setPriority } from "node:os";

/** Niceness, as the system counts: 0 is everybody's, lower goes first. */
const FIRST = -10;
const ORDINARY = 0;

/**
 * Lets this thread go before others where there are more of them than processors, and so all threads that it starts. For the one that
 * all others wait for: what it is kept waiting for is lost to all of them.
 *
 * @returns False where nothing has changed: the system has no such priority for a thread, does not allow it (to root and to whom
 * `LimitNICE` of systemd or `CAP_SYS_NICE` permits it does), or somebody has chosen another niceness for this program already.
 */
export function goFirst(): boolean {
  if (Deno.build.os !== "linux" || getPriority() !== ORDINARY) return false;
  try {
    setPriority(FIRST);
    return true;
  } catch {
    return false;
  }
}

/** In a thread of one that goes first: it takes its turn with everybody else again. */
export function goWithOthers(): void {
  if (Deno.build.os === "linux" && getPriority() < ORDINARY) setPriority(ORDINARY);
}
