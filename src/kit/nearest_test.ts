import assert from "node:assert/strict";
import { nearest } from "./nearest.ts";

Deno.test("nearest: the candidate with the fewest edits, whatever its case; the first of equals", () => {
  assert.equal(nearest("Limits", ["cursor", "limit"]), "limit");
  assert.equal(nearest("form", ["to", "from"]), "from");
  assert.equal(nearest("", ["ab", "cd"]), "ab");
  assert.equal(nearest("x", []), null);
});
