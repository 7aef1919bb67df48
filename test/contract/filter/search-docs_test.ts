// The documentation of the search language: its examples are valid, and its field list is complete.

import assert from "node:assert/strict";
import { FIELD_NAMES } from "../../../src/contract/filter/fields.ts";
import { parseText } from "../../../src/contract/filter/parser.ts";
import { searchReference } from "../../../src/contract/filter/reference.ts";

const page = await Deno.readTextFile(new URL("../../../src/docs/search.md", import.meta.url));

Deno.test("search docs: every example is a valid text", () => {
  const [, table] = /## Examples\n(.*?)\n## /s.exec(page)!;
  const examples = [...table!.matchAll(/`([^`]+)`/g)].map(([, example]) => example!);
  assert.ok(examples.length > 10);
  for (const example of examples) {
    const parsed = parseText(example);
    assert.ok(parsed.ok, `${example}: ${JSON.stringify(parsed)}`);
  }
});

Deno.test("search docs: the page and the API's reference list every field", () => {
  for (const text of [page, searchReference(3)]) {
    const missing = FIELD_NAMES.filter((name) => name !== "any" && !text.includes(`- \`${name}\` (`));
    assert.deepEqual(missing, []);
  }
});
