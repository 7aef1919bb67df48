import type { Severity } from "../../contract/record/kinds.ts";

// The dashboard imports only types of the contract, so the scale of severity stands here once more; a test holds it
// against the service's own.

/** The worst first. */
export const SEVERITY_ORDER = ["critical", "high", "medium", "low", "info"] as const satisfies Severity[];

/** The least score of each severity. */
export const LEAST_SCORE = { critical: 80, high: 60, medium: 40, low: 20, info: 0 } as const satisfies Record<
  Severity,
  number
>;

/** The severity an incident of this score has; devices carry only the score. */
export function severityOfScore(score: number): Severity {
  return SEVERITY_ORDER.find((severity) => score >= LEAST_SCORE[severity]) ?? "info";
}
