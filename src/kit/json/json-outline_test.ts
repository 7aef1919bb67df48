import assert from "node:assert/strict";
import { outlineOf } from "./json-outline.ts";

Deno.test("json outline: counts elements and members at every level, none for empty containers", () => {
  const valuesOf = (text: string) => outlineOf(text).values;
  assert.equal(valuesOf("{}"), 0);
  assert.equal(valuesOf('{"a":[]}'), 1);
  assert.equal(valuesOf('{"a":[[],{ },[ ]]}'), 4);
  assert.equal(valuesOf('{"a":[1,"x,[{",{"b\\"":null}],"c":{"d":1.5}}'), 7);
});

Deno.test("json outline: measures the depth", () => {
  assert.equal(outlineOf('{"a":[[{"b":"[[["}]],"c":1}').depth, 4);
});

Deno.test("json outline: locates the members of the outermost object", () => {
  const text = ' { "a" : { "x": [1, 2] } , "b\\"":"}," ,"c":[ {"a":1} ], "d": -1 } ';
  assert.deepEqual(outlineOf(text).members.map(({ key, start, end }) => [key, text.slice(start, end)]), [
    ['"a"', '{ "x": [1, 2] }'],
    ['"b\\""', '"},"'],
    ['"c"', '[ {"a":1} ]'],
    ['"d"', "-1"],
  ]);
});

Deno.test("json outline: ends on texts that are not JSON", () => {
  for (const text of ["", '"', '{"a', '{"a":', "]]]", '{"a":1', "{]}", '{"a":"\\']) outlineOf(text);
});
