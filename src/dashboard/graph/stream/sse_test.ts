import assert from "node:assert/strict";
import * as fc from "fast-check";
import { eventParser } from "./sse.ts";

const STREAM =
  ': comment\r\nid: 1\nevent: delta\ndata: {"a":\ndata: 1}\n\nevent: heartbeat\rdata:x\r\rdata\n\n\n\n';
const EVENTS = [
  { event: "delta", data: '{"a":\n1}', id: "1" },
  { event: "heartbeat", data: "x", id: "1" },
  { event: "message", data: "", id: "1" },
];

Deno.test("events are read in whatever chunks they arrive", () => {
  assert.deepEqual(eventParser()(STREAM), EVENTS);
  fc.assert(fc.property(fc.array(fc.nat(STREAM.length)), (cuts) => {
    const at = [0, ...cuts.sort((a, b) => a - b), STREAM.length];
    const parse = eventParser();
    const events = at.slice(1).flatMap((end, index) => parse(STREAM.slice(at[index], end)));
    assert.deepEqual(events, EVENTS);
  }));
});

Deno.test("an unfinished event is not reported", () => {
  assert.deepEqual(eventParser()("data: 1\n"), []);
});

Deno.test("an event without an end does not fill the memory", () => {
  const parse = eventParser();
  const line = `data: ${"x".repeat(1024 * 1024)}\n`;
  assert.throws(() => {
    for (let count = 0; count < 20; count++) parse(line);
  }, /too large/);
});
