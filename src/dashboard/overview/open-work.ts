// Filters of incidents that the overview counts, as conditions and in the text form of the links to the same list.
// The parser and printer of the search language are too large for the first page; `open-work_test.ts` compares.

import type { Condition } from "../../contract/filter/tree.ts";
import type { Severity } from "../../contract/record/kinds.ts";
import type { Window } from "../base/time/range.ts";

/** Incidents that are not closed. */
export const OPEN_WORK = "status:open or status:investigating";

export const IS_OPEN_WORK: Condition = {
  any: [
    { field: "status", op: "matches", value: "open" },
    { field: "status", op: "matches", value: "investigating" },
  ],
};

/** The search language writes fractions of a second without zeros at the end. */
function shortest(at: string): string {
  return at.replace(/\.0+Z$/, "Z").replace(/(\.\d*?)0+Z$/, "$1Z");
}

/** Open work with its last activity in the window. */
export function openWorkIn({ from, to }: Window): Condition {
  return {
    all: [
      IS_OPEN_WORK,
      { field: "last_seen", op: ">=", value: shortest(from) },
      { field: "last_seen", op: "<", value: shortest(to) },
    ],
  };
}

/** Incidents of a severity with their last activity in the window. */
export function ofSeverityIn(severity: Severity, { from, to }: Window): string {
  return `severity:${severity} last_seen>=${shortest(from)} last_seen<${shortest(to)}`;
}

/** Incidents with an ATT&CK technique, such as `T1071.001`. */
export function ofTechnique(technique: string): string {
  return `technique:${technique}`;
}
