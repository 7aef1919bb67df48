import { printable } from "../table.ts";
import type { Refused } from "./core-api.ts";

/** Faults of one text that are shown. */
const MOST_FAULTS = 3;

/** Why a query was refused, for people: each fault under the text where it stands, then what would be right. */
export function faultLines(query: string, { message, details }: Refused): string[] {
  const issues = (details.issues ?? []).filter(({ path, position }) =>
    path === "query" && position !== undefined
  );
  if (issues.length === 0) return [message];
  const lines: string[] = [];
  for (const { message, position, expected = [], suggestion } of issues.slice(0, MOST_FAULTS)) {
    const { from, to } = position!;
    lines.push(message);
    lines.push(`  ${printable(query)}`);
    lines.push(
      `  ${" ".repeat(widthOf(query.slice(0, from)))}${
        "^".repeat(Math.max(1, widthOf(query.slice(from, to))))
      }`,
    );
    if (expected.length > 0) lines.push(`  expected: ${expected.join(", ")}`);
    if (suggestion) {
      lines.push(`  did you mean: ${printable(query.slice(0, from) + suggestion + query.slice(to))}`);
    }
  }
  const more = issues.length - MOST_FAULTS;
  if (more > 0) lines.push(`and ${more} more`);
  if (details.suggestion !== undefined) lines.push(`a question that works: ${details.suggestion}`);
  return lines;
}

/** Columns on a terminal, of characters that take one. */
function widthOf(text: string): number {
  return [...printable(text)].length;
}
