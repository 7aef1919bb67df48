import assert from "node:assert/strict";
import { listShortcuts, matchesKeys } from "./keys.ts";

const press = (key: string, more: object = {}) => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  ...more,
});

Deno.test("a key matches alone, in a sequence or in a combination", () => {
  assert.ok(matchesKeys("j", press("j"), null));
  assert.ok(!matchesKeys("j", press("j"), "g"));
  assert.ok(matchesKeys("g t", press("t"), "g"));
  assert.ok(!matchesKeys("g t", press("t"), null));
  assert.ok(matchesKeys("Ctrl+k", press("k", { ctrlKey: true }), null));
  assert.ok(matchesKeys("Ctrl+k", press("k", { metaKey: true }), null));
  assert.ok(!matchesKeys("Ctrl+k", press("k"), null));
  assert.ok(!matchesKeys("k", press("k", { ctrlKey: true }), null));
  assert.ok(matchesKeys(["j", "ArrowDown"], press("ArrowDown"), null));
});

Deno.test("the list has the groups in order, and each action once", () => {
  const found = listShortcuts([
    { keys: "?", label: "Keyboard shortcuts", group: "General" },
    { keys: "j", label: "Next row", group: "List" },
    { keys: ["ArrowDown", "j"], label: "Next row", group: "List" },
    { keys: "g t", label: "Triage", group: "Go to" },
  ]);
  assert.deepEqual(found.map(({ group }) => group), ["Go to", "List", "General"]);
  assert.deepEqual(found[1]!.lines, [{ label: "Next row", keys: ["j", "ArrowDown"] }]);
});
