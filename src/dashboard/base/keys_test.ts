import assert from "node:assert/strict";
import { isComposing, listShortcuts, matchesKeys, shortcutKey } from "./keys.ts";

const press = (key: string, more: object = {}) => ({
  key,
  code: "",
  shiftKey: false,
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

Deno.test("a shortcut works on other layouts and with Caps Lock", () => {
  const pressed = (key: string, code: string, shiftKey = false) => press(key, { code, shiftKey });
  assert.ok(matchesKeys("j", pressed("о", "KeyJ"), null), "Cyrillic");
  assert.ok(matchesKeys("j", pressed("ξ", "KeyJ"), null), "Greek");
  assert.ok(matchesKeys("j", pressed("J", "KeyJ"), null), "Caps Lock");
  assert.ok(matchesKeys("g t", pressed("е", "KeyT"), "g"));
  assert.ok(matchesKeys("Ctrl+k", { ...pressed("л", "KeyK"), ctrlKey: true }, null));
  // A Latin letter counts as printed on the key: Dvorak has `j` where QWERTY has `c`.
  assert.ok(matchesKeys("j", pressed("j", "KeyC"), null));
  assert.ok(!matchesKeys("c", pressed("j", "KeyC"), null));
  assert.equal(shortcutKey(pressed("J", "KeyJ", true)), "J");
  assert.equal(shortcutKey(pressed("j", "KeyJ", true)), "J", "Caps Lock and Shift");
  assert.equal(shortcutKey(pressed("?", "KeyM", true)), "?");
  assert.equal(shortcutKey(pressed("Enter", "Enter")), "Enter");
});

Deno.test("a key press of an input method is no shortcut", () => {
  assert.ok(isComposing({ isComposing: true, keyCode: 13 }));
  assert.ok(isComposing({ isComposing: false, keyCode: 229 }));
  assert.ok(!isComposing({ isComposing: false, keyCode: 13 }));
});
