// Rows of numbers, one after another in one array. They take a tenth of the memory of objects with boxed
// numbers, and the garbage collector has no references to trace in them.

/**
 * Inserts a row into rows that ascend by their first `ordered` words, and keeps the newest `limit`. Searches
 * from the end, where most rows belong. Of equal rows the last to arrive comes first.
 */
export function addRow(rows: number[], row: readonly number[], ordered: number, limit: number): void {
  const width = row.length;
  let at = rows.length;
  while (at > 0 && !isBefore(rows, at - width, row, ordered)) at -= width;
  if (rows.length < limit * width) insertRow(rows, row, at);
  else if (at > 0) replaceFirst(rows, row, at);
}

/** Drops the rows whose first word is less than `least`. */
export function dropRowsBefore(rows: number[], width: number, least: number): void {
  let words = 0;
  while (words < rows.length && rows[words]! < least) words += width;
  if (words > 0) rows.splice(0, words);
}

function isBefore(rows: readonly number[], at: number, row: readonly number[], ordered: number): boolean {
  for (let word = 0; word < ordered; word++) {
    const difference = rows[at + word]! - row[word]!;
    if (difference !== 0) return difference < 0;
  }
  return false;
}

/** Inserts a row before index `at`. */
export function insertRow(rows: number[], row: readonly number[], at: number): void {
  const width = row.length;
  for (let word = 0; word < width; word++) rows.push(row[word]!);
  for (let word = rows.length - 1; word >= at + width; word--) rows[word] = rows[word - width]!;
  for (let word = 0; word < width; word++) rows[at + word] = row[word]!;
}

/** Drops the first row and inserts another before index `at`, which is not the first. */
export function replaceFirst(rows: number[], row: readonly number[], at: number): void {
  const width = row.length;
  const place = at - width;
  for (let word = 0; word < place; word++) rows[word] = rows[word + width]!;
  for (let word = 0; word < width; word++) rows[place + word] = row[word]!;
}
