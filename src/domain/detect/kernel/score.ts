// Parts of a score, so that they add up to it.
import { roundScore, type SubScore } from "./result.ts";
import { clamp01 } from "./stats.ts";

/** A share, 0 to 1, of the points that a full one is worth. */
export function share(name: string, value: number, weight: number, detail: string): SubScore {
  return { name, value: Math.round(clamp01(value) * 1000) / 1000, weight, detail };
}

/** Points added or taken. */
export function extra(name: string, points: number, detail: string): SubScore {
  return { name, value: Math.round(points * 10) / 10, weight: 1, detail };
}

/** 0 up to `from`, 1 from `full` on, on a log scale. */
export function logShare(value: number, from: number, full: number): number {
  return value <= from ? 0 : clamp01(Math.log(value / from) / Math.log(full / from));
}

/** 0 to 100, one decimal. */
export function total(...parts: (readonly SubScore[])[]): number {
  return roundScore(parts.flat().reduce((sum, { value, weight }) => sum + value * weight, 0));
}

/** How many more than before it takes to judge anew: twice in an order of magnitude. */
const NEXT = 3;

/** Whether so many are to be judged: at `first`, then at every threefold. */
export function isDueCount(count: number, judged: number, first = 1): boolean {
  return count >= Math.max(first, judged * NEXT);
}
