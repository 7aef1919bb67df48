// Rows of numbers, one behind the other in one array: a few of them take a tenth of what objects with their boxed numbers
// do, and the collector has nothing to follow in them.

/**
 * Takes a row into others, ascending by their first `ordered` words, and keeps the newest `limit`; searches from the end, where
 * most belong. Of equal ones the last to come is the first.
 */
export function addRow(rows: number[], row: readonly number[], ordered: number, limit: number): void {
  const width = row.length;
  let at = rows.length;
  while (at > 0 && !isBefore(rows, at - width, row, ordered)) at -= width;
  if (rows.length < limit * width) insertRow(rows, row, at);
  else if (at > 0) insertForFirst(rows, row, at);
}

/** Lets the rows go whose first word is less. */
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

/** Puts a row before place `at`. */
export function insertRow(rows: number[], row: readonly number[], at: number): void {
  const width = row.length;
  for (let word = 0; word < width; word++) rows.push(row[word]!);
  for (let word = rows.length - 1; word >= at + width; word--) rows[word] = rows[word - width]!;
  for (let word = 0; word < width; word++) rows[at + word] = row[word]!;
}

/** Puts a row before place `at`, which is not the first, and lets the first row go. */
export function insertForFirst(rows: number[], row: readonly number[], at: number): void {
  const width = row.length;
  const place = at - width;
  for (let word = 0; word < place; word++) rows[word] = rows[word + width]!;
  for (let word = 0; word < width; word++) rows[place + word] = row[word]!;
}
