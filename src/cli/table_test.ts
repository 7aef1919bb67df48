import assert from "node:assert/strict";
import { textTable } from "./table.ts";

Deno.test("a table lines up its columns and cuts what is too wide, but not the last column of a file", () => {
  const wide = "w".repeat(40);
  const rows = [["A", "B", "C"], ["1", wide, wide], ["22", "", ""]];
  assert.deepEqual(textTable(rows, null), [
    `A   B${" ".repeat(35)}  C`,
    `1   ${"w".repeat(35)}…  ${wide}`,
    "22",
  ]);
  assert.deepEqual(textTable(rows, 8), ["A   B  …", "1   www…", "22"]);
});

Deno.test("what a table shows moves no cursor and turns no writing around", () => {
  assert.deepEqual(textTable([["a\u001b[2Jb\nc\u202ed", "x"]], null), ["a [2Jb c d  x"]);
});

Deno.test("a table without rows has no lines", () => assert.deepEqual(textTable([], 80), []));
