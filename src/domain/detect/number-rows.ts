// Rows of numbers, one behind the other in one array: a few of them take a tenth of what objects with their boxed numbers
// do, and the collector has nothing to follow in them.

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
