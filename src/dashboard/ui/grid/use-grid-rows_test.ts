import assert from "node:assert/strict";
import { shownSelection } from "./use-grid-rows.ts";

Deno.test("grid rows: what left the list is not selected any more", () => {
  const selection = new Set(["a", "b", "c"]);
  assert.equal(shownSelection(selection, ["c", "b", "a", "d"]), selection);
  assert.deepEqual([...shownSelection(selection, ["d", "b"])], ["b"]);
  assert.deepEqual([...shownSelection(selection, [])], []);
});
