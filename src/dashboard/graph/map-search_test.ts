import assert from "node:assert/strict";
import {
  askedWindow,
  boundedWindow,
  comparedWindow,
  expandedOf,
  incidentShown,
  readMap,
  toggleExpanded,
  windowOfFlows,
} from "./map-search.ts";

const NOW = Date.parse("2026-03-02T12:00:30Z");

Deno.test("unknown values of the address are dropped", () => {
  const search = readMap({
    view: "globe",
    hops: "4",
    colour: "red",
    overlay: "new",
    node: "",
    focus: "a",
  });
  assert.deepEqual(
    Object.entries(search).filter(([, value]) => value !== undefined),
    [["view", "globe"], ["focus", "a"], ["overlay", "new"]],
  );
});

Deno.test("only identifiers of groups expand, each once", () => {
  assert.deepEqual(expandedOf({ expand: "vlan:10,asn:none,vlan:10,device:a,,x" }), ["vlan:10", "asn:none"]);
  assert.equal(toggleExpanded({}, "vlan:10"), "vlan:10");
  assert.equal(toggleExpanded({ expand: "vlan:10,asn:5" }, "vlan:10"), "asn:5");
  assert.equal(toggleExpanded({ expand: "vlan:10" }, "vlan:10"), undefined);
});

Deno.test("the evidence of an incident is shown until the filter or the scope is another one", () => {
  const scope = { from: "2026-02-01T00:00:00Z", to: "2026-03-01T00:00:00Z" };
  const search = { incident: "abc", filter: "incident:abc" };
  assert.equal(incidentShown(search, scope), "abc");
  assert.equal(incidentShown(search, null), undefined);
  assert.equal(incidentShown({ ...search, filter: "incident:abc service:dns" }, scope), undefined);
  assert.equal(incidentShown({ filter: "incident:abc" }, scope), undefined);
  assert.equal(incidentShown({}, scope), undefined);
});

Deno.test("flows of a map are looked for in at most 31 days", () => {
  const to = "2026-03-01T00:00:00Z";
  assert.equal(windowOfFlows({ from: "2026-01-01T00:00:00Z", to }).from, "2026-01-29T00:00:00.000Z");
  assert.equal(windowOfFlows({ from: "2026-02-01T00:00:00Z", to }).from, "2026-02-01T00:00:00Z");
});

Deno.test("a longer window is shortened to its last 24 hours", () => {
  assert.deepEqual(boundedWindow({ from: "2026-02-01T00:00:00Z", to: "2026-03-01T00:00:00Z" }), {
    from: "2026-02-28T00:00:00.000Z",
    to: "2026-03-01T00:00:00Z",
    shortened: true,
  });
  assert.equal(boundedWindow({ from: "2026-03-01T00:00:00Z", to: "2026-03-01T01:00:00Z" }).shortened, false);
});

Deno.test("a preset is asked for without an end, so that it is live", () => {
  assert.deepEqual(askedWindow({ preset: "1h" }, NOW), { from: "2026-03-02T11:01:00.000Z" });
  assert.deepEqual(askedWindow({ preset: "30d" }, NOW), { from: "2026-03-01T12:01:00.000Z" });
  const past = { from: "2026-03-01T00:00:00Z", to: "2026-03-01T01:00:00Z" };
  assert.deepEqual(askedWindow(past, NOW), past);
});

Deno.test("the day before covers the same time, extended to whole steps", () => {
  assert.deepEqual(comparedWindow({ from: "2026-03-01T23:03:00Z", to: "2026-03-01T23:18:00Z" }), {
    from: "2026-02-28T23:00:00.000Z",
    to: "2026-02-28T23:20:00.000Z",
  });
  assert.deepEqual(comparedWindow({ from: "2026-03-01T22:20:00Z", to: "2026-03-01T23:20:00Z" }), {
    from: "2026-02-28T22:20:00.000Z",
    to: "2026-02-28T23:20:00.000Z",
  });
  // At most 24 hours.
  assert.deepEqual(comparedWindow({ from: "2026-03-01T12:01:00Z", to: "2026-03-02T12:01:00Z" }), {
    from: "2026-02-28T13:00:00.000Z",
    to: "2026-03-01T13:00:00.000Z",
  });
});
