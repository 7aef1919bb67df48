import type { IncidentDetail, ModelResult } from "../../../contract/incident/incident.ts";

/** The result that leads: the strongest, of equal ones the first. */
export function leadingResult({ model_results }: Pick<IncidentDetail, "model_results">): ModelResult | null {
  return model_results.toSorted((a, b) => b.score - a.score)[0] ?? null;
}

/** Peer addresses named by an incident's results. */
export function blockableOf({ model_results }: Pick<IncidentDetail, "model_results">): string[] {
  const ips = model_results.flatMap(({ destinations }) => destinations.flatMap(({ ip }) => ip ?? []));
  return [...new Set(ips)];
}
