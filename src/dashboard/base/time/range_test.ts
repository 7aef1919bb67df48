import assert from "node:assert/strict";
import {
  chosenRange,
  dayAround,
  rangeKey,
  rangeOf,
  readRangeSearch,
  searchOf,
  shifted,
  windowOf,
  zoomedOut,
} from "./range.ts";

const NOW = Date.parse("2026-01-31T07:15:30.250Z");

Deno.test("the default is the last 24 hours", () => {
  const range = rangeOf(readRangeSearch({}));
  assert.deepEqual(range, { preset: "24h" });
  assert.deepEqual(windowOf(range, NOW), {
    from: "2026-01-30T07:16:00.000Z",
    to: "2026-01-31T07:16:00.000Z",
  });
});

Deno.test("the present lies inside the window, also on the full minute", () => {
  const full = Date.parse("2026-01-31T07:15:00.000Z");
  assert.equal(windowOf({ preset: "15m" }, full).to, "2026-01-31T07:16:00.000Z");
  assert.equal(windowOf({ preset: "15m" }, full).from, "2026-01-31T07:01:00.000Z");
});

Deno.test("a mistyped address cannot break the range", () => {
  assert.deepEqual(readRangeSearch({ range: "1y" }), {});
  assert.deepEqual(readRangeSearch({ range: "7d", from: "x", to: "y" }), { range: "7d" });
  assert.deepEqual(readRangeSearch({ from: "2026-01-02T00:00:00Z", to: "2026-01-01T00:00:00Z" }), {});
  assert.deepEqual(readRangeSearch({ from: 5, to: null }), {});
});

Deno.test("a fixed range survives the address", () => {
  const range = { from: "2018-03-24T00:00:00.000Z", to: "2018-03-25T00:00:00.000Z" };
  assert.deepEqual(rangeOf(readRangeSearch({ ...searchOf(range) })), range);
  assert.deepEqual(windowOf(range, NOW), range);
  assert.deepEqual(searchOf({ preset: "7d" }), {
    range: "7d",
    from: undefined,
    to: undefined,
    scope: undefined,
  });
});

Deno.test("keys distinguish ranges and stay while time moves on", () => {
  assert.equal(rangeKey({ preset: "7d" }), "7d");
  assert.notEqual(rangeKey({ from: "a", to: "b" }), rangeKey({ from: "a", to: "c" }));
});

Deno.test("the day around an instant contains it and the day before", () => {
  assert.deepEqual(dayAround("2018-03-24T12:00:00.000Z"), {
    from: "2018-03-23T13:00:00.000Z",
    to: "2018-03-24T13:00:00.000Z",
  });
});

Deno.test("the scope of a pivot takes the place of the range and leaves it as it is", () => {
  const search = readRangeSearch({ range: "7d", scope: "2026-01-01T00:00:00Z/2026-01-02T00:00:00Z" });
  assert.deepEqual(rangeOf(search), { from: "2026-01-01T00:00:00Z", to: "2026-01-02T00:00:00Z" });
  assert.deepEqual(chosenRange(search), { preset: "7d" });
  for (const scope of ["x", "2026-01-02T00:00:00Z/2026-01-01T00:00:00Z", "2026-01-01T00:00:00Z/now/then"]) {
    assert.deepEqual(readRangeSearch({ scope }), {}, scope);
  }
});

Deno.test("a step keeps the length and ends at the latest now", () => {
  const earlier = shifted({ preset: "24h" }, -1, NOW);
  assert.deepEqual(earlier, { from: "2026-01-29T07:16:00.000Z", to: "2026-01-30T07:16:00.000Z" });
  assert.deepEqual(shifted(earlier, 1, NOW), {
    from: "2026-01-30T07:16:00.000Z",
    to: "2026-01-31T07:16:00.000Z",
  });
  assert.deepEqual(shifted({ preset: "24h" }, 1, NOW), windowOf({ preset: "24h" }, NOW));
});

Deno.test("zooming out doubles the length up to 31 days", () => {
  const hour = { from: "2026-01-10T10:00:00.000Z", to: "2026-01-10T11:00:00.000Z" };
  assert.deepEqual(zoomedOut(hour, NOW), {
    from: "2026-01-10T09:30:00.000Z",
    to: "2026-01-10T11:30:00.000Z",
  });
  assert.equal(windowOf(zoomedOut({ preset: "1h" }, NOW), NOW).to, "2026-01-31T07:16:00.000Z");
  const month = windowOf(zoomedOut({ preset: "30d" }, NOW), NOW);
  assert.equal(Date.parse(month.to) - Date.parse(month.from), 31 * 86_400_000);
});
