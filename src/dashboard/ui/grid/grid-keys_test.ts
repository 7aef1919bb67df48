import assert from "node:assert/strict";
import { movedCell } from "./grid-keys.ts";

const EXTENT = { rows: 100, columns: 5, page: 20 };

Deno.test("keys move within the grid as the WAI-ARIA pattern has it", () => {
  const from = { row: 10, column: 2 };
  const moved = (key: string, ctrlKey = false) => movedCell(from, { key, ctrlKey }, EXTENT);
  assert.deepEqual(moved("ArrowDown"), { row: 11, column: 2 });
  assert.deepEqual(moved("ArrowUp"), { row: 9, column: 2 });
  assert.deepEqual(moved("ArrowRight"), { row: 10, column: 3 });
  assert.deepEqual(moved("ArrowLeft"), { row: 10, column: 1 });
  assert.deepEqual(moved("Home"), { row: 10, column: 0 });
  assert.deepEqual(moved("End"), { row: 10, column: 4 });
  assert.deepEqual(moved("Home", true), { row: 0, column: 0 });
  assert.deepEqual(moved("End", true), { row: 99, column: 4 });
  assert.deepEqual(moved("PageDown"), { row: 30, column: 2 });
  assert.deepEqual(moved("PageUp"), { row: 0, column: 2 });
  assert.deepEqual(moved("j"), { row: 11, column: 2 });
  assert.deepEqual(moved("k"), { row: 9, column: 2 });
  assert.equal(moved("a"), null);
  assert.equal(moved("j", true), null);
});

Deno.test("keys stop at the edges; only the arrow reaches the header", () => {
  assert.deepEqual(movedCell({ row: 0, column: 0 }, { key: "ArrowUp" }, EXTENT), { row: -1, column: 0 });
  assert.deepEqual(movedCell({ row: 0, column: 0 }, { key: "k" }, EXTENT), { row: 0, column: 0 });
  assert.deepEqual(movedCell({ row: 99, column: 4 }, { key: "j" }, EXTENT), { row: 99, column: 4 });
  assert.deepEqual(movedCell({ row: 99, column: 4 }, { key: "ArrowRight" }, EXTENT), { row: 99, column: 4 });
});
