// The delivery rules of the interface document, checked against what a receiver observed. Times come from the
// signed headers, so the check uses nothing but the sender's requests.

/** What the receiver did: acknowledged the request, failed in a retryable way, or asked for a delay. */
export type Verdict = "taken" | "failed" | "limited";

export interface Observed {
  id: string;
  /** X-Service-Delivery header. */
  delivery: string;
  /** X-Service-Timestamp header, whole seconds. */
  at: number;
  verdict: Verdict;
  /** Seconds requested by a `limited` response. */
  retryAfter: number;
  /** Which process lifetime of the sender sent it. A killed sender no longer knows its attempt count. */
  life: number;
}

const ATTEMPTS = 3;
const SHORTEST_HOLD = 30;
const LONGEST_HOLD = 900;

/** Event ids in the order of first appearance. */
export function firstSeen(observed: readonly Observed[]): string[] {
  return [...new Set(observed.map(({ id }) => id))];
}

/**
 * Returns one line per violation; empty when every rule was kept. `retryDelay`: whole seconds before the
 * second attempt. `jitter`: the fraction by which a wait within a round may be extended. `slack`: seconds an
 * attempt may take.
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
