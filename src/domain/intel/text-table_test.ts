import assert from "node:assert/strict";
import fc from "fast-check";
import {
  addText,
  emptyTexts,
  findName,
  findText,
  hashStep,
  MAX_PROBES,
  textAt,
  trimTexts,
} from "./text-table.ts";

const texts = fc.array(
  fc.oneof(
    fc.string({ maxLength: 12 }),
    fc.string({ unit: "grapheme", maxLength: 6 }),
    fc.constantFrom("a", "aa", "a.b", "é.b"),
  ),
  { maxLength: 200 },
).map((list) => list.filter((text) => text.isWellFormed()));

Deno.test("a table finds exactly the texts that were added, each with its first value", () => {
  fc.assert(fc.property(texts, texts, (added, others) => {
    const table = emptyTexts();
    const expected = new Map<string, number>();
    for (const [value, text] of added.entries()) {
      addText(table, text, value);
      if (!expected.has(text)) expected.set(text, value);
    }
    trimTexts(table);
    assert.equal(table.count, expected.size);
    for (const [text, value] of expected) {
      const index = findText(table, text);
      assert.equal(table.values[index], value);
      assert.equal(textAt(table, index), text);
    }
    for (const text of others) assert.equal(findText(table, text) !== -1, expected.has(text));
  }));
});

Deno.test("a name is found by its longest listed parent", () => {
  const label = fc.constantFrom("a", "b", "c", "é", "");
  const name = fc.array(label, { minLength: 1, maxLength: 5 }).map((labels) => labels.join("."));
  fc.assert(
    fc.property(fc.array(name, { maxLength: 20 }), name, fc.boolean(), (added, asked, belowCounts) => {
      const table = emptyTexts();
      for (const text of added) addText(table, text, 0);
      const counts = (_index: number, whole: boolean) => whole || belowCounts;
      const expected = added
        .filter((text) => asked === text || (belowCounts && asked.endsWith(`.${text}`)))
        .sort((a, b) => b.length - a.length)[0];
      const index = findName(table, asked, counts);
      assert.equal(index === -1 ? undefined : textAt(table, index), expected);
    }),
  );
});

Deno.test("many texts are all found again", () => {
  const table = emptyTexts();
  for (let i = 0; i < 50_000; i++) assert.equal(addText(table, `host-${i}.evil.example`, i), i);
  trimTexts(table);
  for (let i = 0; i < 50_000; i++) assert.equal(table.values[findText(table, `host-${i}.evil.example`)], i);
  assert.equal(findText(table, "host-50000.evil.example"), -1);
});

/**
 * Texts with the same hash: concatenations of four-character pairs that lead from one state to the same next
 * state.
 */
function collidingTexts(stages: number): string[] {
  let state = 0x811c9dc5;
  let all = [""];
  for (let stage = 0; stage < stages; stage++) {
    const seen = new Map<number, string>();
    for (let i = 0;; i++) {
      const block = i.toString(36).padStart(4, "-");
      let next = state;
      for (let at = block.length - 1; at >= 0; at--) next = hashStep(next, block.charCodeAt(at));
      const twin = seen.get(next);
      if (twin !== undefined) {
        all = all.flatMap((text) => [block + text, twin + text]);
        state = next;
        break;
      }
      seen.set(next, block);
    }
  }
  return all;
}

Deno.test("crafted collisions are rejected eventually, and the search stays bounded", () => {
  const attack = collidingTexts(10);
  assert.ok(attack.length > MAX_PROBES);
  const table = emptyTexts();
  const added = attack.filter((text) => addText(table, text, 0) !== -1);
  assert.equal(added.length, MAX_PROBES);
  addText(table, "harmless", 1);
  for (const text of [...added, "harmless"]) assert.equal(textAt(table, findText(table, text)), text);
  assert.equal(findText(table, attack.at(-1)!), -1);
});
