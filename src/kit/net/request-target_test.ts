import assert from "node:assert/strict";
import { requestTarget } from "./request-target.ts";

Deno.test("a target has its parameters encoded, none of them empty, and several values repeated", () => {
  assert.equal(requestTarget("/flows"), "/flows");
  assert.equal(requestTarget("/flows/{id}/evidence", { id: "a/b ?" }), "/flows/a%2Fb%20%3F/evidence");
  const query = { limit: 0, cursor: null, filter: "", sort: undefined, shown: false, expand: ["a&b", "c"] };
  assert.equal(requestTarget("/flows", {}, query), "/flows?limit=0&shown=false&expand=a%26b&expand=c");
  assert.equal(requestTarget("/flows", {}, { expand: [] }), "/flows");
});
