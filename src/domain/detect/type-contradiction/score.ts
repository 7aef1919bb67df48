// Scores the acts of a single-purpose device.
//
// Score = points of the worst act, growing with its number of peers, plus FURTHER_POINTS for every other act.
import type { SubScore } from "../kernel/result.ts";
import { extra, isDueCount, logShare, share } from "../kernel/score.ts";
import { plural } from "../../../kit/text.ts";
import { type Act, ACTS, FIRST, FULL, FURTHER_POINTS, POINTS } from "./acts.ts";
import type { ActCount, ActCounts } from "./state.ts";
import { actPhrase } from "./text.ts";

interface ScoredActs {
  /** The worst first; never empty. */
  acts: [ScoredAct, ...ScoredAct[]];
  subScores: SubScore[];
  modifiers: SubScore[];
}

interface ScoredAct {
  act: Act;
  observed: ActCount;
  points: number;
}

/** Scores the acts with enough peers and marks those that are due as evaluated. Null if none is due. */
export function scoreActs({ acts: counts }: ActCounts): ScoredActs | null {
  const isDue = counts.some(({ peers, evaluatedCount }, at) =>
    isDueCount(peers.count, evaluatedCount, FIRST[ACTS[at]!])
  );
  if (!isDue) return null;
  const acts: ScoredAct[] = [];
  for (const [at, observed] of counts.entries()) {
    const act = ACTS[at]!;
    const { count } = observed.peers;
    if (count < FIRST[act]) continue;
    if (isDueCount(count, observed.evaluatedCount, FIRST[act])) observed.evaluatedCount = count;
    acts.push({ act, observed, points: POINTS[act].base + POINTS[act].growth * growth(act, count) });
  }
  acts.sort((a, b) => b.points - a.points);
  const [worst, ...further] = acts;
  if (worst === undefined) return null;
  const { act, observed: { peers: { count } } } = worst;
  return {
    acts: [worst, ...further],
    subScores: [
      share(act, 1, POINTS[act].base, actPhrase(act, count)),
      share("peers", growth(act, count), POINTS[act].growth, plural(count, "peer")),
    ],
    modifiers: further.map((one) =>
      extra(one.act, FURTHER_POINTS, actPhrase(one.act, one.observed.peers.count))
    ),
  };
}

function growth(act: Act, count: number): number {
  return logShare(count, FIRST[act], FIRST[act] * FULL);
}
