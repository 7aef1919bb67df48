import type { AnalystAnswer } from "../../contract/analyst/analyst-run.ts";
import type { IncidentDetail } from "../../contract/incident/incident.ts";

/** The number of each cited record, by its first citation. */
export function citationNumbers({ reasoning }: Pick<AnalystAnswer, "reasoning">): Map<string, number> {
  const numbers = new Map<string, number>();
  for (const { evidence_ids } of reasoning) {
    for (const id of evidence_ids) if (!numbers.has(id)) numbers.set(id, numbers.size + 1);
  }
  return numbers;
}

export type Reach = "shown" | "not_retained" | "not_listed";

/** Whether the incident's page can show a record. */
export function reachOf(
  { evidence, unresolved_evidence_ids }: Pick<IncidentDetail, "evidence" | "unresolved_evidence_ids">,
  id: string,
): Reach {
  if (evidence.some(({ evidence_id }) => evidence_id === id)) return "shown";
  return unresolved_evidence_ids.includes(id) ? "not_retained" : "not_listed";
}
