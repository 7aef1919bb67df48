// What the readable formats have in common: the wording of a case.

import type { IncidentCase } from "../../../contract/incident/case.ts";
import type { IncidentParty } from "../../../contract/incident/talk.ts";
import type { IncidentStatus, Severity } from "../../../contract/record/kinds.ts";
import { plainLine } from "../../../kit/plain-text.ts";
import { hostPort, plural, size } from "../../../kit/text.ts";
import { sumOf } from "../talks.ts";

export const SEVERITY_WORDS: Record<Severity, string> = {
  info: "Info",
  low: "Low",
  medium: "Medium",
  high: "High",
  critical: "Critical",
};

export const STATUS_WORDS: Record<IncidentStatus, string> = {
  open: "Open",
  investigating: "Investigating",
  resolved: "Resolved",
  false_positive: "False positive",
};

/** `2026-01-31 07:15:00` of a timestamp of the API; the report names the zone once. */
export function timeText(timestamp: string): string {
  return timestamp.slice(0, 19).replace("T", " ");
}

/** `2026-01-31 07:15:00 to 07:20:00`; the second date only if it differs. */
export function spanText(first: string, last: string): string {
  const [from, to] = [timeText(first), timeText(last)];
  if (from === to) return from;
  return `${from} to ${from.slice(0, 10) === to.slice(0, 10) ? to.slice(11) : to}`;
}

/** `Desk 1 (10.0.0.5)`, `10.0.0.5:443`, `not stated`. */
export function partyText({ ip, port, name }: IncidentParty): string {
  const address = ip === null ? null : port === null ? ip : hostPort(ip, port);
  if (name === null) return address ?? "not stated";
  return address === null ? name : `${name} (${address})`;
}

/** `1.2 MB`, or a dash if no flow states it. */
export function bytesText(bytes: IncidentCase["talks"][number]["bytes_out"]): string {
  return bytes === null ? "–" : size(bytes);
}

/** `3 flows, 33.6 MB`: all flows of two ends during the incident; a dash if they were not added up. */
export function allFlowsText({ all_flows }: IncidentCase["talks"][number]): string {
  if (all_flows === null) return "–";
  const { flows, bytes_out, bytes_in } = all_flows;
  const bytes = sumOf([bytes_out, bytes_in]);
  return bytes === null ? plural(flows, "flow") : `${plural(flows, "flow")}, ${size(bytes)}`;
}

/** A whole number, or one decimal: as scores are shown. */
export function scoreText(score: number): string {
  return String(Math.round(score * 10) / 10);
}

/** `Status: open to resolved`, `Assigned to Alex`. */
export function entryText({ action, from, to }: IncidentCase["history"][number]): string {
  const word = (value: string | null) => STATUS_WORDS[value as IncidentStatus] ?? value ?? "";
  switch (action) {
    case "status_changed":
      return `Status changed from ${word(from)} to ${word(to)}`;
    case "assigned":
      return to === null ? "Assignment removed" : `Assigned to ${to}`;
    case "commented":
      return "Comment";
    default:
      return plainLine(action.replaceAll("_", " "));
  }
}

/** How much of the evidence the case has, for a reader; null if it has all. */
export function truncationText(
  { evidence, evidence_truncated, unresolved_evidence_ids }: IncidentCase,
): string | null {
  const parts = [
    evidence_truncated
      ? `The incident has more evidence; these are the newest ${evidence.length} records.`
      : "",
    unresolved_evidence_ids.length > 0
      ? `${unresolved_evidence_ids.length} further records are no longer retained.`
      : "",
  ].filter((part) => part !== "");
  return parts.length === 0 ? null : parts.join(" ");
}
