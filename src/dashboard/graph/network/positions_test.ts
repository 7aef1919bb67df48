import assert from "node:assert/strict";
import { parsePositions, printPositions } from "./positions.ts";

Deno.test("positions are read as they were written, rounded", () => {
  const moved = new Map([["device:a", { x: 1.4, y: -2 }]]);
  const placed = new Map([["ip:192.0.2.1", { x: 30, y: 40 }]]);
  assert.deepEqual(parsePositions(printPositions({ moved, placed })), {
    moved: new Map([["device:a", { x: 1, y: -2 }]]),
    placed,
  });
});

Deno.test("the newest positions stay within the bound", () => {
  const many = new Map(Array.from({ length: 4000 }, (_, at) => [`device:${at}`, { x: at, y: 0 }]));
  const { moved } = parsePositions(printPositions({ moved: many, placed: new Map() }));
  assert.equal(moved.size, 1500);
  assert.ok(moved.has("device:3999") && !moved.has("device:0"));
});

Deno.test("unreadable positions count as none", () => {
  for (
    const text of [null, "", "{", "null", "[]", '{"moved":3}', '{"moved":[3,["a"],["b","x",1],["c",1,null]]}']
  ) {
    assert.deepEqual(parsePositions(text), { moved: new Map(), placed: new Map() }, String(text));
  }
});
