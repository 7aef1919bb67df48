import assert from "node:assert/strict";
import fc from "fast-check";
import type { NumberedHead } from "../store/connector/connectors.ts";
import { PendingQueue } from "./queue.ts";

function head(eventNo: number, type = "incident.created"): NumberedHead {
  return { eventNo, type, severity: null };
}

function queue(bookmark: number, most = 10, wants = (_: NumberedHead) => true): PendingQueue {
  return new PendingQueue(bookmark, most, wants);
}

Deno.test("an instance off longer resumes at the pruned edge, and the gap is counted exactly", () => {
  const one = queue(5);
  assert.equal(one.take({ heads: [head(9), head(10)], end: 10 }), 3);
  assert.deepEqual([one.first, one.length, one.read, one.done], [9, 2, 10, 8]);
  const emptied = queue(5);
  assert.equal(emptied.take({ heads: [], end: 12 }), 7, "nothing is left");
  assert.deepEqual([emptied.length, emptied.read, emptied.done], [0, 12, 12]);
});

Deno.test("beyond max_pending the oldest are dropped and counted", () => {
  const one = queue(0, 10);
  assert.equal(one.take({ heads: Array.from({ length: 25 }, (_, i) => head(i + 1)), end: 25 }), 15);
  assert.deepEqual([one.first, one.length, one.done], [16, 10, 15]);
});

Deno.test("beyond max_pending lower severities never displace a higher one", () => {
  const one = queue(0, 10);
  const heads = Array.from({ length: 30 }, (_, i): NumberedHead => ({
    eventNo: i + 1,
    type: "incident.created",
    severity: i === 0 ? "critical" : i === 1 ? "high" : "low",
  }));
  assert.equal(one.take({ heads, end: 30 }), 20);
  const kept = [];
  for (; one.first !== undefined; one.shift()) kept.push(one.first);
  assert.deepEqual(kept, [1, 2, 23, 24, 25, 26, 27, 28, 29, 30]);
});

Deno.test("events held back advance the bookmark and are not counted", () => {
  const one = queue(0, 10, ({ type }) => type !== "health.transition");
  assert.equal(one.take({ heads: [head(1, "health.transition"), head(2, "health.transition")], end: 2 }), 0);
  assert.deepEqual([one.length, one.done], [0, 2]);
  assert.equal(
    one.take({ heads: [head(3, "health.transition"), head(4), head(5, "health.transition")], end: 5 }),
    0,
  );
  assert.deepEqual([one.first, one.done], [4, 3]);
  one.shift();
  assert.equal(one.done, 5);
});

Deno.test("every number is kept, skipped or lost exactly once, and the rest is in order", () => {
  const pages = fc.array(fc.array(fc.record({ skip: fc.nat(3), wanted: fc.boolean() }), { maxLength: 30 }), {
    maxLength: 8,
  });
  fc.assert(fc.property(pages, fc.integer({ min: 1, max: 20 }), (pages, most) => {
    let number = 0;
    let passedOver = 0;
    let lost = 0;
    const one = queue(0, most, ({ type }) => type === "wanted");
    for (const page of pages) {
      const heads = page.map(({ skip, wanted }) => {
        number += skip + 1;
        if (!wanted) passedOver++;
        return head(number, wanted ? "wanted" : "other");
      });
      lost += one.take({ heads, end: number });
      assert.ok(one.length <= most);
      assert.equal(one.read, number);
    }
    let kept = 0;
    for (let before = 0; one.first !== undefined; one.shift(), kept++) {
      assert.ok(one.first > before && one.has(one.first));
      assert.equal(one.done, one.first - 1);
      before = one.first;
    }
    assert.equal(kept + passedOver + lost, number);
    assert.equal(one.done, number);
  }));
});
