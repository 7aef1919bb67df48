import assert from "node:assert/strict";
import type { Aggregate } from "../../../contract/search/search.ts";
import { firstBucket } from "./entity-queries.ts";

const AGGREGATE: Aggregate = {
  window: { from: "2026-01-01T00:00:00Z", to: "2026-01-01T03:00:00Z" },
  buckets: ["2026-01-01T00:00:00Z", "2026-01-01T01:00:00Z", "2026-01-01T02:00:00Z"],
  groups: [{ key: ["outbound"], total: 3, values: [0, 0, 3] }],
  other: null,
  complete: true,
  examined_from: null,
  warnings: [],
};

Deno.test("the first bucket with a flow is the span of the first sighting", () => {
  assert.deepEqual(firstBucket(AGGREGATE), { from: "2026-01-01T02:00:00Z", to: "2026-01-01T03:00:00Z" });
  const earlier = { key: ["inbound"], total: 1, values: [1, 0, 0] };
  assert.deepEqual(firstBucket({ ...AGGREGATE, groups: [...AGGREGATE.groups, earlier] }), {
    from: "2026-01-01T00:00:00Z",
    to: "2026-01-01T01:00:00Z",
  });
  assert.equal(firstBucket({ ...AGGREGATE, groups: [] }), null);
});
