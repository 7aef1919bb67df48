import { textTable } from "../table.ts";
import type { FoundEntry } from "./read.ts";

const HEADERS = ["TIME (UTC)", "TENANT", "WHO", "OPERATION", "OUTCOME", "TARGET", "FROM", "WHAT"];

/** Lines for people: a header and one line per entry. `columns`: where to cut lines, null for no limit. */
export function auditTable(entries: readonly FoundEntry[], columns: number | null): string[] {
  return textTable([HEADERS, ...entries.map(cellsOf)], columns);
}

function cellsOf(entry: FoundEntry): string[] {
  const outcome = entry.outcome === "refused" ? `refused ${entry.status ?? ""}`.trim() : entry.outcome;
  return [
    entry.at.replace("T", " ").replace("Z", ""),
    entry.tenant_id ?? "-",
    entry.subject ?? "-",
    entry.operation,
    outcome,
    entry.target_id ?? "-",
    entry.client_address ?? "-",
    whatOf(entry),
  ];
}

function whatOf({ reason, changes }: FoundEntry): string {
  const said = changes.map(({ field, from, to }) =>
    from === null ? `${field}: ${to ?? "-"}` : `${field}: ${from} -> ${to ?? "-"}`
  );
  return (reason === null ? said : [reason, ...said]).join("; ");
}
