import assert from "node:assert/strict";
import { checkFilter } from "./check.ts";
import { FILTER_LIMITS } from "./limits.ts";
import { normalise } from "./normalise.ts";
import type { Comparison, Condition } from "./tree.ts";

const port: Comparison = { field: "port", op: "=", value: 443 };
const tag: Comparison = { field: "tag", op: "matches", value: "critical" };

Deno.test("filter check: a fault has its path and what was expected", () => {
  const nested = (levels: number): Condition => levels === 1 ? port : { all: [nested(levels - 1), tag] };
  const cases: [Condition, path: string, message: RegExp][] = [
    [{ field: "src.ip", op: "<", value: "10.0.0.1" }, "op", /does not apply to `src\.ip`/],
    [{ field: "time", op: "exists" }, "op", /does not apply/],
    [
      { all: [port, { any: [tag, { not: { field: "port", op: "=", value: "443" } }] }] },
      "all[1].any[1].not.value",
      /is written 443/,
    ],
    [{ field: "port", op: "=", value: [80, 99_999] }, "value[1]", /not a port/],
    [{ field: "src.ip", op: "matches", value: "10.1.2.3/8" }, "value", /is written "10\.0\.0\.0\/8"/],
    [{ field: "service", op: "=", value: "ssl" }, "value", /is written "tls"/],
    [{ field: "packets", op: "=", value: 1e300 }, "value", /not a number/],
    [{ field: "packets", op: "=", value: NaN }, "value", /not a number/],
    [{ field: "bytes", op: ">", value: 0.5 }, "value", /is written/],
    [{ field: "port", op: "exists", value: 1 }, "value", /takes no value/],
    [{ field: "port", op: "=" }, "value", /needs a value/],
    [{ field: "port", op: "<", value: [1, 2] }, "value", /takes one value/],
    [{ field: "port", op: "=", value: [] }, "value", /1 to 100 values/],
    [{ field: "port", op: "=", value: Array(101).fill(1) }, "value", /1 to 100 values/],
    [{ field: "port", op: "range", value: [5, 1] }, "value", /stands first/],
    [{ field: "port", op: "range", value: [1] }, "value", /two values/],
    [{ field: "ip", op: "range", value: ["10.0.0.1", "::1"] }, "value", /one family/],
    [{ field: "ip", op: "range", value: ["10.0.0.0/8", "11.0.0.0"] }, "value", /no end of one/],
    [{ field: "severity", op: "range", value: ["high", "low"] }, "value", /stands first/],
    [{ field: "title", op: "matches", value: "a\0" }, "value", /no text has/],
    [{ all: [] }, "all", /empty/],
    [{ not: { any: [] } }, "not.any", /empty/],
    [nested(11), "", /at most 10 levels/],
    [{ any: Array(65).fill(port) }, "", /at most 64 comparisons/],
  ];
  for (const [condition, path, message] of cases) {
    const [fault] = checkFilter(condition);
    assert.ok(fault !== undefined, JSON.stringify(condition));
    assert.equal(fault.path, path, JSON.stringify(condition));
    assert.match(fault.message, message);
  }
  for (const good of [port, tag, nested(FILTER_LIMITS.depth), { any: Array(64).fill(port) }]) {
    assert.deepEqual(checkFilter(good), []);
  }
});

Deno.test("filter: the simplest form of a condition", () => {
  const cases: [Condition, Condition][] = [
    [{ all: [port] }, port],
    [{ all: [port, { all: [tag, { any: [port] }] }] }, { all: [port, tag, port] }],
    [{ any: [port, { any: [tag, port] }] }, { any: [port, tag, port] }],
    [{ not: { not: port } }, port],
    [{ not: { all: [{ not: port }] } }, port],
    [{ field: "port", op: "=", value: [1, 2, 1] }, { field: "port", op: "=", value: [1, 2] }],
    [{ field: "port", op: "!=", value: [1, 1] }, { field: "port", op: "!=", value: 1 }],
    [{ field: "port", op: "range", value: [1, 1] }, { field: "port", op: "range", value: [1, 1] }],
    [{ any: [{ field: "any", op: "matches", value: ["a", "b"] }, port] }, {
      any: [{ field: "any", op: "matches", value: "a" }, { field: "any", op: "matches", value: "b" }, port],
    }],
  ];
  for (const [condition, expected] of cases) assert.deepEqual(normalise(condition), expected);
});
