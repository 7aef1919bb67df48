import assert from "node:assert/strict";
import { changesOf } from "./history-changes.ts";

Deno.test("a single value is shown as it is", () => {
  assert.deepEqual(changesOf("open", "resolved"), [{ field: null, from: "open", to: "resolved" }]);
  assert.deepEqual(changesOf(null, "open"), [{ field: null, from: null, to: "open" }]);
  assert.deepEqual(changesOf("open", null), []);
  assert.deepEqual(changesOf(null, "{no object"), [{ field: null, from: null, to: "{no object" }]);
});

Deno.test("of several fields only differences are shown", () => {
  const from = '{"display_name":"10.0.0.5","device_type":"unknown","owner":null,"tags":[]}';
  const to = '{"display_name":"Front desk","device_type":"unknown","owner":"Facilities","tags":["a","b"]}';
  assert.deepEqual(changesOf(from, to), [
    { field: "Name", from: "10.0.0.5", to: "Front desk" },
    { field: "Owner", from: "–", to: "Facilities" },
    { field: "Tags", from: "–", to: "a, b" },
  ]);
  assert.deepEqual(changesOf(from, from), []);
});
