import type { FieldVersions } from "../../ui/conflict/compare.ts";
import { ABSENT, formatLabel } from "../../ui/format.ts";
import type { Change, Seen } from "./changes.ts";

type Shown = Pick<Seen, "title" | "status" | "severity" | "assignee">;

/** An incident's change in three versions: as the person saw it, as it is stored, as wanted. */
export function conflictFields(
  base: Shown,
  stored: Shown,
  change: Change,
  nameOf: (subject: string) => string,
): FieldVersions[] {
  const person = (subject: string | null) => subject === null ? "unassigned" : nameOf(subject);
  return [
    {
      label: "Status",
      base: formatLabel(base.status),
      theirs: formatLabel(stored.status),
      mine: change.kind === "status" ? formatLabel(change.status) : null,
    },
    {
      label: "Assignee",
      base: person(base.assignee),
      theirs: person(stored.assignee),
      mine: change.kind === "assignee" ? person(change.assignee) : null,
    },
    {
      label: "Severity",
      base: formatLabel(base.severity),
      theirs: formatLabel(stored.severity),
      mine: null,
    },
    { label: "Title", base: base.title, theirs: stored.title, mine: null },
    ...(change.kind === "status"
      ? [{ label: "Comment", base: ABSENT, theirs: ABSENT, mine: change.comment || ABSENT }]
      : []),
  ];
}
