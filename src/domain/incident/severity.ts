import type { Severity } from "../../contract/record/kinds.ts";

/** Minimum score per severity; anything lower is `info`. */
const SEVERITY_SCORES = { low: 20, medium: 40, high: 60, critical: 80 } as const;

/**
 * No incident opens below this score, so none opens as `info`. Results below it still raise an existing
 * incident.
 */
export const INCIDENT_THRESHOLD = SEVERITY_SCORES.low;

/** Points that a score may gain without reaching the next severity; unlimited from `critical` on. */
export function roomWithinSeverity(score: number): number {
  const next = Object.values(SEVERITY_SCORES).find((least) => least > score);
  return next === undefined ? Infinity : Math.round((next - score) * 10 - 1) / 10;
}

export function severityOf(score: number): Severity {
  if (score >= SEVERITY_SCORES.critical) return "critical";
  if (score >= SEVERITY_SCORES.high) return "high";
  if (score >= SEVERITY_SCORES.medium) return "medium";
  return score >= SEVERITY_SCORES.low ? "low" : "info";
}
