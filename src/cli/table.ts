// Tables on a terminal.

/** Default limit of all columns but the last; identifiers are 36 characters long. */
const WIDEST = 36;

/**
 * One line per row with aligned columns; the last column takes what it needs. `columns`: where to cut a line,
 * null for no limit. `widest`: where to cut a cell.
 */
export function textTable(
  rows: readonly (readonly string[])[],
  columns: number | null,
  widest = WIDEST,
): string[] {
  const cells = rows.map((row) =>
    row.map((cell, index) => {
      const text = printable(cell);
      return index === row.length - 1 ? text : cut(text, widest);
    })
  );
  const widths = (cells[0] ?? []).map((_, index) => Math.max(...cells.map((row) => row[index]!.length)));
  return cells.map((row) => {
    const line = row.map((cell, index) => index === row.length - 1 ? cell : cell.padEnd(widths[index]!))
      .join("  ").trimEnd();
    return columns === null ? line : cut(line, columns);
  });
}

/** A name or comment must neither move a terminal's cursor nor change the text direction. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, " ");
}

function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length - 1)}…` : text;
}
