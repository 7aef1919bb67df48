import type { FoundEntry } from "./read.ts";

const HEADERS = ["TIME (UTC)", "TENANT", "WHO", "OPERATION", "OUTCOME", "TARGET", "FROM", "WHAT"];
/** No column but the last is wider; identifiers are 36 characters long. */
const WIDEST = 36;

/** Lines for people: a header, and one line for each entry. `columns`: where to cut, null to cut nothing. */
export function auditTable(entries: readonly FoundEntry[], columns: number | null): string[] {
  const cells = [HEADERS, ...entries.map(cellsOf)];
  const widths = HEADERS.map((_, index) => Math.max(...cells.map((row) => row[index]!.length)));
  return cells.map((row) => {
    const line = row.map((cell, index) => index === row.length - 1 ? cell : cell.padEnd(widths[index]!))
      .join("  ").trimEnd();
    return columns !== null && line.length > columns ? `${line.slice(0, columns - 1)}…` : line;
  });
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
  ].map((cell) => cut(printable(cell), WIDEST)).concat(printable(whatOf(entry)));
}

function whatOf({ reason, changes }: FoundEntry): string {
  const said = changes.map(({ field, from, to }) =>
    from === null ? `${field}: ${to ?? "-"}` : `${field}: ${from} -> ${to ?? "-"}`
  );
  return (reason === null ? said : [reason, ...said]).join("; ");
}

/** A name or a comment must not move the cursor of a terminal, nor turn the writing around. */
function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, " ");
}

function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length - 1)}…` : text;
}
