// Scores a device's anomalies: the worst event, their number, and whether they concern one peer.
import { REPORT_SCORE, type SubScore } from "../kernel/result.ts";
import { extra, logShare, share, total } from "../kernel/score.ts";
import type { AnomalyLevel } from "./events.ts";
import type { Anomalies } from "./state.ts";

type Reportable = Exclude<AnomalyLevel, "noise">;

/** Points of the worst event. */
const LEVEL_POINTS: Readonly<Record<Reportable, number>> = { odd: 8, suspicious: 13, leak: 35 };
const NUMBER_POINTS = { points: 4, full: 100 } as const;
/** Most events of the device concern one peer, so a single faulty client is unlikely the cause. */
const CONCENTRATED = { points: 2, events: 10, share: 0.5 } as const;

export function anomalyShares({ count, peers }: Anomalies, worst: Reportable): SubScore[] {
  const most = Math.max(...peers.map((peer) => peer.count));
  const isConcentrated = most >= CONCENTRATED.events && most >= CONCENTRATED.share * count;
  const anomalies = count === 1 ? "1 anomaly" : `${count} anomalies`;
  return [
    share("event", 1, LEVEL_POINTS[worst], `worst event: ${worst === "leak" ? "memory leak" : worst}`),
    share("number", logShare(count, 1, NUMBER_POINTS.full), NUMBER_POINTS.points, anomalies),
    share("one_peer", isConcentrated ? 1 : 0, CONCENTRATED.points, `${most} with one peer`),
  ];
}

/** Keeps everything but a leak below REPORT_SCORE. */
export function anomalyModifiers(subScores: readonly SubScore[], worst: Reportable): SubScore[] {
  const score = total(subScores);
  if (worst === "leak" || score < REPORT_SCORE) return [];
  return [extra("hint", REPORT_SCORE - 1 - score, "anomalies alone are not an incident")];
}
