import assert from "node:assert/strict";
import { SearchFilter } from "./filter.ts";

/** Path and message of the first fault of a condition. */
function faultOf(where: unknown): [string, string] {
  const parsed = SearchFilter.safeParse({ version: 1, kind: "flows", where });
  assert.ok(!parsed.success, JSON.stringify(where));
  const [issue] = parsed.error.issues;
  return [issue!.path.join("."), issue!.message];
}

const LEAF = { field: "dst.port", op: "=", value: 443 };

Deno.test("a fault of a structured filter names its place, what belongs there and the nearest name", () => {
  const cases: [where: unknown, path: string, message: RegExp][] = [
    [
      { ...LEAF, field: "dst.prt" },
      "where.field",
      /^there is no field `dst\.prt`; did you mean `dst\.port`\?$/,
    ],
    [{ ...LEAF, field: "dport" }, "where.field", /did you mean `dst\.port`\?$/],
    [{ ...LEAF, op: "equals" }, "where.op", /^expected one of matches, =, !=/],
    [{ ...LEAF, value: true }, "where.value", /^expected a port from 0 to 65535$/],
    [{ ...LEAF, value: [80, null] }, "where.value", /each value is a port/],
    [{ ...LEAF, value: [] }, "where.value", /list of 1 to 100 values/],
    [{ op: "=", value: 443 }, "where.field", /^expected the name of a field$/],
    [{ field: "dst.port" }, "where.op", /^expected one of/],
    [{ ...LEAF, more: 1 }, "where.more", /^expected only field, op, value here$/],
    [{ and: [LEAF] }, "where.and", /^expected \{all: \[\.\.\.\]\}/],
    [{}, "where.field", /name of a field/],
    [{ all: [] }, "where.all", /list of 1 to 64 conditions/],
    [{ all: [LEAF], any: [LEAF] }, "where.any", /^expected only all here$/],
    [{ all: [LEAF, { any: [LEAF, { ...LEAF, op: "is" }] }] }, "where.all.1.any.1.op", /^expected one of/],
    [{ not: { not: "x" } }, "where.not.not", /^expected \{all/],
    [
      Array.from({ length: 12 }).reduce((inner) => ({ not: inner }), LEAF as unknown),
      "where",
      /at most 10 levels/,
    ],
  ];
  for (const [where, path, message] of cases) {
    const [at, text] = faultOf(where);
    assert.equal(at, path, JSON.stringify(where));
    assert.match(text, message);
  }
});
