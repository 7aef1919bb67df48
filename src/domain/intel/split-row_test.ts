import assert from "node:assert/strict";
import fc from "fast-check";
import { splitRow } from "./split-row.ts";

Deno.test("fields of a row, quoted and unquoted", () => {
  assert.deepEqual(splitRow("a, b ,c", ","), ["a", "b", "c"]);
  assert.deepEqual(splitRow('"a","b, c", "d ""e"""', ","), ["a", "b, c", 'd "e"']);
  assert.deepEqual(splitRow("a\tb c\t", "\t"), ["a", "b c", ""]);
  assert.deepEqual(splitRow("", ","), [""]);
  assert.deepEqual(splitRow(",,", ","), ["", "", ""]);
  assert.deepEqual(splitRow('"a"junk,b', ","), ["a", "b"]);
  assert.deepEqual(splitRow('x,"never closed, y', ","), ["x", "never closed, y"]);
});

Deno.test("a quoted row round-trips", () => {
  const field = fc.string({ unit: fc.constantFrom(...'ab ,";'), maxLength: 8 });
  fc.assert(fc.property(fc.array(field, { minLength: 1, maxLength: 8 }), (fields) => {
    const line = fields.map((text) => `"${text.replaceAll('"', '""')}"`).join(",");
    assert.deepEqual(splitRow(line, ","), fields);
  }));
});

Deno.test("a row of separators only is bounded", () => {
  assert.equal(splitRow(",".repeat(10_000), ",").length, 256);
});
