import type { SubScore } from "../../contract/incident/incident.ts";

/** One line of a sum, in points with one decimal. */
export interface ScoreLine {
  name: string;
  points: number;
  /** Points for a full share; null for points that are added or subtracted as a whole. */
  of: number | null;
  detail: string;
}

/** The shown sum: its lines add up to `total` exactly. */
interface ScoreSum {
  lines: ScoreLine[];
  total: number;
}

/**
 * Parts of a score in tenths of a point that add up to the shown score. Scores are rounded to tenths once, as a
 * whole; rounding every part by itself would leave the shown sum off by some tenths, so the parts with the
 * largest remainders take up the difference. A difference beyond rounding is a line of its own: the score is
 * limited to 0 to 100.
 */
export function sumOf(shares: readonly SubScore[], modifiers: readonly SubScore[], score: number): ScoreSum {
  const parts = [
    ...shares.map((part) => ({ ...part, of: part.weight })),
    ...modifiers.map((part) => ({ ...part, of: null })),
  ];
  const exact = parts.map(({ value, weight }) => value * weight * 10);
  const total = Math.round(score * 10);
  const floors = exact.map((tenths) => Math.floor(tenths + 1e-9));
  const wanted = Math.round(exact.reduce((sum, tenths) => sum + tenths, 0));
  // Rounding alone explains at most one tenth between the sum of the parts and the score.
  const target = Math.abs(wanted - total) <= 1 ? total : wanted;
  const missing = target - floors.reduce((sum, tenths) => sum + tenths, 0);
  const byRemainder = exact
    .map((tenths, index) => ({ index, rest: tenths - floors[index]! }))
    .toSorted((a, b) => b.rest - a.rest || a.index - b.index);
  for (let step = 0; step < Math.abs(missing) && byRemainder.length > 0; step++) {
    const one = missing > 0 ? byRemainder[step % byRemainder.length] : byRemainder.at(-1 - step);
    if (one) floors[one.index]! += Math.sign(missing);
  }
  const lines = parts.map(({ name, of, detail }, index) => ({
    name,
    points: floors[index]! / 10,
    of,
    detail,
  }));
  const limited = total - floors.reduce((sum, tenths) => sum + tenths, 0);
  if (limited !== 0) {
    const detail = limited < 0 ? "Scores are limited to 100" : "Scores are not below 0";
    lines.push({ name: "limit", points: limited / 10, of: null, detail });
  }
  return { lines, total: total / 10 };
}

/** Points with one decimal: `64.8`. */
export function formatPoints(points: number): string {
  return points.toFixed(1);
}

/** Signed points: `+4.5`, `−3.0`. */
export function formatAddedPoints(points: number): string {
  return points < 0 ? `−${formatPoints(-points)}` : `+${formatPoints(points)}`;
}
