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
  return change((niceness) => niceness === ORDINARY, FIRST);
}

/** In a thread of one that goes first: it takes its turn with everybody else again. */
export function goWithOthers(): void {
  change((niceness) => niceness < ORDINARY, ORDINARY);
}

/** False where it stays as it was. A hardened service may forbid even this; it is no reason to do without the thread. */
function change(isDue: (niceness: number) => boolean, to: number): boolean {
  if (Deno.build.os !== "linux") return false;
  try {
    if (!isDue(getPriority())) return false;
    setPriority(to);
    return true;
  } catch {
    return false;
  }
}
