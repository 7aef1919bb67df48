import assert from "node:assert/strict";
import { textTable } from "./table.ts";

Deno.test("a table aligns its columns and cuts wide cells, but not the last column of a file", () => {
  const wide = "w".repeat(40);
  const rows = [["A", "B", "C"], ["1", wide, wide], ["22", "", ""]];
  assert.deepEqual(textTable(rows, null), [
    `A   B${" ".repeat(35)}  C`,
    `1   ${"w".repeat(35)}…  ${wide}`,
    "22",
  ]);
  assert.deepEqual(textTable(rows, 8), ["A   B  …", "1   www…", "22"]);
});

Deno.test("table cells cannot move the cursor or change the text direction", () => {
  assert.deepEqual(textTable([["a\u001b[2Jb\nc\u202ed", "x"]], null), ["a [2Jb c d  x"]);
});

Deno.test("a table without rows has no lines", () => assert.deepEqual(textTable([], 80), []));
