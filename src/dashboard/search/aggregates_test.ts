import assert from "node:assert/strict";
import { bucketOf, summed } from "./aggregates.ts";

const DAY = { from: "2026-01-31T07:15:00.000Z", to: "2026-02-01T07:15:00.000Z" };

Deno.test("buckets are as short as the number of them allows", () => {
  assert.equal(bucketOf(DAY, 36).name, "1h");
  assert.equal(bucketOf(DAY, 100).name, "15m");
  assert.equal(bucketOf({ from: "2026-01-01T00:00:00Z", to: "2026-01-31T00:00:00Z" }, 36).name, "1d");
  assert.equal(bucketOf({ from: "2020-01-01T00:00:00Z", to: "2026-01-31T00:00:00Z" }, 36).name, "1d");
});

Deno.test("the total includes the groups that are not listed", () => {
  const found = summed({
    window: DAY,
    buckets: ["2026-01-31T06:00:00.000Z", "2026-01-31T12:00:00.000Z"],
    groups: [{ key: ["high"], total: 3, values: [1, 2n] }],
    other: { total: 1, values: [0, 1] },
    complete: true,
    examined_from: null,
    warnings: [],
  }, { window: DAY, step: 6 * 3_600_000 });
  assert.equal(found.starts[1]! - found.starts[0]!, found.step);
  assert.deepEqual(found.groups[0]?.values, [1, 2]);
  assert.equal(found.total, 4);
});
