import type { Severity } from "../../contract/record/kinds.ts";

// Repeats the contract's severity scale, because the dashboard imports only types of the contract; a test
// compares them.

/** Highest first. */
export const SEVERITY_ORDER = ["critical", "high", "medium", "low", "info"] as const satisfies Severity[];

/** The least score of each severity. */
export const LEAST_SCORE = { critical: 80, high: 60, medium: 40, low: 20, info: 0 } as const satisfies Record<
  Severity,
  number
>;

/** The severity of a score; devices only carry the score. */
export function severityOfScore(score: number): Severity {
  return SEVERITY_ORDER.find((severity) => score >= LEAST_SCORE[severity]) ?? "info";
}
