// The delivery rules of the interface document, held against what a receiver saw. The times are those of the signed headers,
// so nothing of the sender but its requests is looked at.

/** What the receiver did: acknowledged it; failed in a way that is tried again at once; asked for time. */
export type Verdict = "taken" | "failed" | "limited";

export interface Observed {
  id: string;
  /** X-Service-Delivery. */
  delivery: string;
  /** X-Service-Timestamp, whole seconds. */
  at: number;
  verdict: Verdict;
  /** Seconds that a `limited` one asked for. */
  retryAfter: number;
  /** Which life of the sender it came from. A sender that was killed no longer knows how often it has tried. */
  life: number;
}

const ATTEMPTS = 3;
const SHORTEST_HOLD = 30;
const LONGEST_HOLD = 900;

/** Ids in the order in which they were first seen. */
export function firstSeen(observed: readonly Observed[]): string[] {
  return [...new Set(observed.map(({ id }) => id))];
}

/**
 * The breaches, one line each; none where every rule was kept. `retryDelay`: whole seconds before the second attempt.
 * `jitter`: by how much of itself a wait within a round may be longer. `slack`: seconds that an attempt may take.
 */
export function ruleFaults(
  observed: readonly Observed[],
  { retryDelay, jitter, slack }: { retryDelay: number; jitter: number; slack: number },
): string[] {
  const faults: string[] = [];
  const deliveries = new Set<string>();
  let round = 0;
  observed.forEach((now, index) => {
    const fault = (what: string) => faults.push(`request ${index} (${now.id}): ${what}`);
    if (deliveries.has(now.delivery)) fault("a delivery id for the second time");
    deliveries.add(now.delivery);
    const before = observed[index - 1];
    const sameLife = before !== undefined && before.life === now.life;
    const gap = before === undefined ? 0 : now.at - before.at;
    const held = before !== undefined && (before.verdict === "limited" || round >= ATTEMPTS);
    if (before?.verdict === "taken" && sameLife && before.id === now.id) {
      fault("acknowledged, and sent again");
    }
    if (before !== undefined && before.verdict !== "taken" && before.id !== now.id) {
      fault(`sent while ${before.id} was not acknowledged`);
    }
    if (sameLife && before.verdict !== "taken") {
      if (held) {
        const least = Math.max(SHORTEST_HOLD, before.retryAfter);
        if (gap < least) fault(`held for ${gap} s, expected ${least} or more`);
        if (gap > Math.max(LONGEST_HOLD, least) * 2) fault(`held for ${gap} s`);
      } else {
        const least = retryDelay * 2 ** (round - 1);
        if (gap < least) fault(`attempt ${round + 1} after ${gap} s, expected ${least} or more`);
        if (gap > least * (1 + jitter) + slack) fault(`attempt ${round + 1} only after ${gap} s`);
      }
    }
    round = sameLife && before.verdict === "failed" && !held ? round + 1 : 1;
  });
  return faults;
}
