import assert from "node:assert/strict";
import { stableOrder } from "./stable-rows.ts";

Deno.test("rows: the first list is shown as it is", () => {
  assert.deepEqual(stableOrder(null, ["a", "b"]), { ids: ["a", "b"], added: 0, moved: 0 });
});

Deno.test("rows: a new row above waits, and the others stay where they are", () => {
  assert.deepEqual(stableOrder(["a", "b"], ["new", "a", "b"]), { ids: ["a", "b"], added: 1, moved: 0 });
  assert.deepEqual(stableOrder(["a", "b"], ["b", "a"]), { ids: ["a", "b"], added: 0, moved: 1 });
});

Deno.test("rows: the next page is appended, a row that left goes", () => {
  assert.deepEqual(stableOrder(["a", "b"], ["b", "c", "d"]), { ids: ["b", "c", "d"], added: 0, moved: 0 });
});

Deno.test("rows: a list whose rows all left starts afresh", () => {
  assert.deepEqual(stableOrder(["a"], ["x", "y"]), { ids: ["x", "y"], added: 0, moved: 0 });
  assert.deepEqual(stableOrder(["a"], []), { ids: [], added: 0, moved: 0 });
});

Deno.test("rows: a list that only grows holds its rows, however many new ones came in", () => {
  assert.deepEqual(stableOrder(["a", "b"], ["x", "y", "z"], true), { ids: ["a", "b"], added: 3, moved: 0 });
  assert.deepEqual(stableOrder(["a"], [], true), { ids: [], added: 0, moved: 0 });
  assert.deepEqual(stableOrder([], ["x"], true), { ids: ["x"], added: 0, moved: 0 });
});
