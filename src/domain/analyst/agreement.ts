import type { Assessment } from "../../contract/analyst/analyst-run.ts";
import type { IncidentStatus } from "../../contract/record/kinds.ts";

export type Agreement = "agrees" | "disagrees" | "undecided";

/**
 * Whether a model's assessment agrees with how people closed the incident: `resolved` is a finding that was real,
 * `false_positive` one that was not. An inconclusive assessment, or an incident that is not closed, decides nothing.
 */
export function agreementOf(assessment: Assessment, closed: IncidentStatus): Agreement {
  if (assessment === "inconclusive" || (closed !== "resolved" && closed !== "false_positive")) {
    return "undecided";
  }
  const isReal = assessment === "malicious" || assessment === "suspicious";
  return isReal === (closed === "resolved") ? "agrees" : "disagrees";
}
