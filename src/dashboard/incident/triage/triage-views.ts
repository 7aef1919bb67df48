import type { IncidentSort } from "../../../contract/incident/incident.ts";
import { parseText } from "../../../contract/filter/parser.ts";

/** One view of triage: a fixed part of the filter, and whether suppressed incidents are left out. */
interface TriageView {
  label: string;
  /** In the text form. */
  filter: string;
  /** The API's parameter. */
  suppressed: "true" | "false";
  /** The usual order. */
  sort: IncidentSort;
  empty: string;
}

const OPEN = "(status:open or status:investigating)";
const WORST = "-severity";

export const DEFAULT_VIEW = "open";
export const TRIAGE_VIEWS = {
  open: {
    label: "All open",
    filter: OPEN,
    suppressed: "false",
    sort: WORST,
    empty: "No open incident. New ones appear here within seconds of the records that show them.",
  },
  mine: {
    label: "Mine",
    filter: `${OPEN} assignee:me`,
    suppressed: "false",
    sort: WORST,
    empty: "No open incident is assigned to you.",
  },
  unassigned: {
    label: "Unassigned",
    filter: `${OPEN} -assignee:*`,
    suppressed: "false",
    sort: WORST,
    empty: "Every open incident is assigned to a person.",
  },
  high: {
    label: "High+",
    filter: `${OPEN} severity>=high`,
    suppressed: "false",
    sort: WORST,
    empty: "No open incident is of high or critical severity.",
  },
  closed: {
    label: "Closed",
    filter: "(status:resolved or status:false_positive)",
    suppressed: "false",
    sort: "-last_seen",
    empty: "No incident was closed yet.",
  },
  suppressed: {
    label: "Suppressed",
    filter: "",
    suppressed: "true",
    sort: "-last_seen",
    empty: "No suppression covers an incident.",
  },
} as const satisfies Record<string, TriageView>;

export type TriageViewName = keyof typeof TRIAGE_VIEWS;
export const VIEW_NAMES = Object.keys(TRIAGE_VIEWS) as TriageViewName[];

export function viewOf(name: string | undefined): TriageViewName {
  return VIEW_NAMES.find((one) => one === name) ?? DEFAULT_VIEW;
}

/**
 * The filter of a view together with the one in the query bar. A text that cannot be read is sent as it is: the
 * API answers with what is wrong, and nothing is listed as if it matched.
 */
export function combinedFilter(view: TriageViewName, text: string): string {
  const { filter }: TriageView = TRIAGE_VIEWS[view];
  if (text === "" || filter === "") return text || filter;
  if (!parseText(text).ok) return text;
  return `${filter} (${text})`;
}
