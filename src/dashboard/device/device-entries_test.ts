import assert from "node:assert/strict";
import { conflictFields, merged, patchOf, readDraft } from "./device-entries.ts";

const BASE = { display_name: "desk", device_type: "unknown", owner: "", tags: "a" };

Deno.test("the form sends trimmed text, no owner as null and each tag once", () => {
  assert.deepEqual(patchOf({ ...BASE, display_name: " desk ", tags: "a, b,, a" }), {
    display_name: "desk",
    device_type: "unknown",
    owner: null,
    tags: ["a", "b"],
  });
});

Deno.test("what only the other person changed stays when mine is applied on top", () => {
  const mine = { ...BASE, display_name: "front desk" };
  const theirs = { ...BASE, display_name: "reception", owner: "Maria" };
  assert.deepEqual(merged(BASE, mine, theirs), { ...BASE, display_name: "front desk", owner: "Maria" });
  assert.deepEqual(conflictFields(BASE, theirs, mine)[0], {
    label: "Name",
    base: "desk",
    theirs: "reception",
    mine: "front desk",
  });
});

Deno.test("an unusable draft is no draft", () => {
  assert.equal(readDraft(""), null);
  assert.equal(readDraft('{"display_name":1}'), null);
  assert.deepEqual(readDraft(JSON.stringify(BASE)), BASE);
});
