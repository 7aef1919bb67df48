// The parts of a score, which add up to it.
import { roundScore, type SubScore } from "./result.ts";
import { clamp01 } from "./stats.ts";

/** A share from 0 to 1 of `weight` points. */
export function share(name: string, value: number, weight: number, detail: string): SubScore {
  return { name, value: Math.round(clamp01(value) * 1000) / 1000, weight, detail };
}

/** Points added or subtracted. */
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

/** Growth after which to evaluate again: twice in an order of magnitude. */
const GROWTH = 3;

/** Whether a count is due for evaluation: at `first`, then at every threefold of the count evaluated last. */
export function isDueCount(count: number, evaluated: number, first = 1): boolean {
  return count >= Math.max(first, evaluated * GROWTH);
}
