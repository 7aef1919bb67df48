import assert from "node:assert/strict";
import fc from "fast-check";
import { all, identifier, Sql, sql } from "./sql.ts";

Deno.test("every value becomes a numbered parameter", () => {
  assert.deepEqual(sql`select ${1}, ${"two"} where ${null}`.compile(), {
    text: "select $1, $2 where $3",
    values: [1, "two", null],
  });
  assert.deepEqual(sql`select 1`.compile(), { text: "select 1", values: [] });
});

Deno.test("nested statements are spliced in, with continuous numbering", () => {
  const inner = sql`b = ${2} and c = ${3}`;
  assert.deepEqual(sql`a = ${1} and (${inner}) and d = ${4}`.compile(), {
    text: "a = $1 and (b = $2 and c = $3) and d = $4",
    values: [1, 2, 3, 4],
  });
  const deep = sql`(${sql`(${sql`${"x"}`})`}${sql``}${inner})`;
  assert.deepEqual(deep.compile(), { text: "(($1)b = $2 and c = $3)", values: ["x", 2, 3] });
});

Deno.test("a statement that is used twice keeps its own values", () => {
  const tenant = sql`tenant_id = ${"main"}`;
  const twice = sql`${tenant} or ${tenant}`;
  assert.deepEqual(twice.compile(), { text: "tenant_id = $1 or tenant_id = $2", values: ["main", "main"] });
  assert.deepEqual(twice.compile(), twice.compile());
});

Deno.test("hostile values stay parameters", () => {
  const hostile = ["'; drop table flow; --", "$1", "${x}", '"', "\\", "{a,b}", "\u2028", "' or ''='"];
  for (const value of hostile) {
    assert.deepEqual(sql`select ${value}`.compile(), { text: "select $1", values: [value] });
  }
  const looksLikeSql = { strings: ["drop table flow"], values: [] };
  assert.deepEqual(sql`select ${looksLikeSql}`.compile().text, "select $1", "only the tag makes statements");
});

Deno.test("NUL, which PostgreSQL cannot store, is replaced", () => {
  assert.deepEqual(sql`select ${"a\0b"}`.compile().values, ["a\ufffdb"]);
});

Deno.test("conditions are joined with and; no condition is true", () => {
  assert.deepEqual(all([]).compile(), { text: "true", values: [] });
  assert.deepEqual(all([sql`a = ${1}`, sql`b`, sql`c = ${2}`]).compile(), {
    text: "a = $1 and b and c = $2",
    values: [1, 2],
  });
});

Deno.test("identifiers are quoted, and rejected unless plain", () => {
  assert.equal(identifier("flow_20260131").compile().text, '"flow_20260131"');
  for (const name of ["", "Flow", "a b", 'a"b', "1a", "a;b", "é", "a".repeat(64), "a\n"]) {
    assert.throws(() => identifier(name), TypeError, JSON.stringify(name));
  }
});

Deno.test("for any nesting, parameters match values and are numbered in order", () => {
  const statement: fc.Arbitrary<Sql> = fc.letrec<{ node: Sql }>((tie) => ({
    node: fc.oneof(
      { maxDepth: 4 },
      fc.anything().filter((value) => !(value instanceof Sql)).map((value) => sql`a = ${value}`),
      fc.constant(sql`b`),
      fc.tuple(tie("node"), tie("node")).map(([left, right]) => sql`(${left} and ${1} ${right})`),
    ),
  })).node;
  fc.assert(fc.property(statement, (made) => {
    const { text, values } = made.compile();
    assert.deepEqual(
      [...text.matchAll(/\$(\d+)/g)].map((parameter) => Number(parameter[1])),
      values.map((_, i) => i + 1),
    );
  }));
});
