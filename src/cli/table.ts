// Tables on a terminal.

/** No column but the last is wider; identifiers are 36 characters long. */
const WIDEST = 36;

/**
 * One line for each row, with the cells in columns; the last column takes what it needs. `columns`: where to cut a line,
 * null to cut nothing.
 */
export function textTable(rows: readonly (readonly string[])[], columns: number | null): string[] {
  const cells = rows.map((row) =>
    row.map((cell, index) => {
      const text = printable(cell);
      return index === row.length - 1 ? text : cut(text, WIDEST);
    })
  );
  const widths = (cells[0] ?? []).map((_, index) => Math.max(...cells.map((row) => row[index]!.length)));
  return cells.map((row) => {
    const line = row.map((cell, index) => index === row.length - 1 ? cell : cell.padEnd(widths[index]!))
      .join("  ").trimEnd();
    return columns === null ? line : cut(line, columns);
  });
}

/** A name or a comment must not move the cursor of a terminal, nor turn the writing around. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, " ");
}

function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length - 1)}…` : text;
}
