import assert from "node:assert/strict";
import fc from "fast-check";
import { conditions } from "../../../test/support/filter/conditions.ts";
import { scaled } from "../../../test/support/scale.ts";
import { completeText, type CompletionContext } from "./complete.ts";
import { FIELD_NAMES, FIELDS } from "./fields.ts";
import { parseText } from "./parser.ts";
import { printCondition } from "./printer.ts";
import { RESULT_KINDS } from "./tree.ts";

/** Completes at the `|` of the text. */
function complete(marked: string, kind?: "flows" | "devices" | "incidents") {
  const caret = marked.indexOf("|");
  const text = marked.replace("|", "");
  const { from, to, context, items } = completeText(text, caret, kind);
  return { replaced: text.slice(from, to), context, inserts: items.map(({ insert }) => insert) };
}

Deno.test("filter completion: the context is known anywhere in an unfinished text", () => {
  const cases: [marked: string, context: CompletionContext, replaced: string][] = [
    ["|", { type: "field", prefix: "" }, ""],
    ["sr|", { type: "field", prefix: "sr" }, "sr"],
    ["sr|c.i", { type: "field", prefix: "sr" }, "src.i"],
    ["-s|", { type: "field", prefix: "s" }, "s"],
    ["port:80 or |", { type: "field", prefix: "" }, ""],
    ["port:80 and de|", { type: "field", prefix: "de" }, "de"],
    ["(|", { type: "field", prefix: "" }, ""],
    ["not |", { type: "field", prefix: "" }, ""],
    ["src.ip|", { type: "operator", field: "src.ip" }, "src.ip"],
    ["src.ip |", { type: "operator", field: "src.ip" }, ""],
    ["sr|c.ip:10.1", { type: "field", prefix: "sr" }, "src.ip"],
    ["port>|=5", { type: "operator", field: "port" }, ">="],
    ["dst.port:|", { type: "value", field: "dst.port", prefix: "" }, ""],
    ["dst.port: |", { type: "value", field: "dst.port", prefix: "" }, ""],
    ["sni:ex|", { type: "value", field: "server_name", prefix: "ex" }, "ex"],
    ["sni:ex|ample.com x", { type: "value", field: "server_name", prefix: "ex" }, "example.com"],
    ['alert:"ET M|', { type: "value", field: "alert", prefix: "ET M" }, '"ET M'],
    ["port:(80, |", { type: "value", field: "port", prefix: "" }, ""],
    ["port:(80 or 4|", { type: "value", field: "port", prefix: "4" }, "4"],
    ["port:(80 |", { type: "connective" }, ""],
    ["port:1..|", { type: "value", field: "port", prefix: "" }, ""],
    ["port:80 |", { type: "connective" }, ""],
    ["(port:80) |", { type: "connective" }, ""],
    ["printer |", { type: "connective" }, ""],
    ['"printer" |', { type: "connective" }, ""],
    ['"print|', { type: "text" }, '"print'],
    ["foo:b|", { type: "text" }, "b"],
    ["foo:b (port:x or status:op|", { type: "value", field: "status", prefix: "op" }, "op"],
  ];
  for (const [marked, context, replaced] of cases) {
    const found = complete(marked);
    assert.deepEqual([found.context, found.replaced], [context, replaced], marked);
  }
});

Deno.test("filter completion: fields by prefix, alias and part, those of the kind first", () => {
  assert.deepEqual(complete("src.p|").inserts, ["src.port:"]);
  assert.ok(complete("sn|").inserts.includes("server_name:"));
  assert.ok(complete("quer|").inserts.includes("dns.query:"));
  assert.deepEqual(complete("not s|rc").replaced, "src");
  const first = (kind: (typeof RESULT_KINDS)[number]) =>
    FIELDS[complete("|", kind).inserts[0]!.slice(0, -1) as "port"].owner;
  assert.deepEqual(RESULT_KINDS.map(first), ["flow", "device", "incident"]);
  assert.deepEqual(complete("s|", "incidents").inserts.slice(0, 3), ["severity:", "status:", "score:"]);
  assert.ok(complete("o|").inserts.includes("or"));
  // The operator that is there already is kept.
  assert.deepEqual(complete("src.por|:80").inserts, ["src.port"]);
});

Deno.test("filter completion: operators of the type, values and units that the grammar knows", () => {
  assert.deepEqual(complete("src.ip |").inserts, [":", "=", "!=", ":*"]);
  assert.deepEqual(complete("severity|").inserts.slice(0, 4), [
    "severity:",
    "severity=",
    "severity!=",
    "severity>",
  ]);
  assert.deepEqual(complete("severity:|").inserts, ["info", "low", "medium", "high", "critical", "*"]);
  assert.deepEqual(complete("severity>=|").inserts, ["info", "low", "medium", "high", "critical"]);
  assert.deepEqual(complete("severity:cr|").inserts, ["critical"]);
  assert.deepEqual(complete("severity:(high, |").inserts, ["info", "low", "medium", "high", "critical"]);
  assert.deepEqual(complete("country:Rom|").inserts, ["RO"]);
  assert.deepEqual(complete("time:yes|").inserts, ["yesterday"]);
  assert.deepEqual(complete("time:-|").inserts, ["-1h", "-24h", "-7d", "-30d"]);
  assert.deepEqual(complete("bytes>5|").inserts, ["5B", "5kB", "5MB", "5GB", "5TB"]);
  assert.deepEqual(complete("bytes>5M|").inserts, ["5MB"]);
  assert.deepEqual(complete("duration>9|").inserts, ["9ms", "9s", "9m", "9h", "9d"]);
});

Deno.test("filter completion: what is inserted for a field leads to a valid text", () => {
  for (const field of FIELD_NAMES.filter((name) => name !== "any")) {
    const { inserts } = complete(`${field}|`);
    assert.ok(inserts.length > 1, field);
    for (const insert of complete(`x ${field}:|`).inserts) {
      assert.ok(parseText(`x ${field}:${insert} y`).ok, insert);
    }
  }
});

Deno.test("filter completion: any text and caret gives items for a part of it", () => {
  const texts = fc.oneof(conditions().map(printCondition), fc.string({ unit: "binary", maxLength: 40 }));
  fc.assert(
    fc.property(texts, fc.nat(), fc.constantFrom(...RESULT_KINDS), (text, seed, kind) => {
      const caret = seed % (text.length + 2);
      const { from, to, items } = completeText(text, caret, kind);
      assert.ok(0 <= from && from <= Math.min(caret, text.length) && from <= to && to <= text.length);
      assert.ok(items.length <= 50);
      assert.equal(new Set(items.map(({ insert }) => insert)).size, items.length);
    }),
    { numRuns: scaled(1000) },
  );
});
