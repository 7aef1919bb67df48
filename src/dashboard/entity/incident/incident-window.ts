import type { Incident } from "../../../contract/incident/incident.ts";

const MARGIN_MILLISECONDS = 60_000;
const LONGEST_MILLISECONDS = 31 * 86_400_000;

/** The incident's own time for its flows; the flow list accepts at most 31 days. */
export function windowAround(
  { first_seen, last_seen }: Pick<Incident, "first_seen" | "last_seen">,
): { from: string; to: string } {
  const to = Date.parse(last_seen) + MARGIN_MILLISECONDS;
  const from = Math.max(Date.parse(first_seen) - MARGIN_MILLISECONDS, to - LONGEST_MILLISECONDS);
  return { from: new Date(from).toISOString(), to: new Date(to).toISOString() };
}
