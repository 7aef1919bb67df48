// The document's content is real: every example matches its schema and the common formats, and nothing that a
// reader needs is missing.

import assert from "node:assert/strict";
import { EXAMPLES } from "../../../src/contract/openapi/examples/operations.ts";
import { type OperationId, type Route, ROUTES } from "../../../src/contract/routes.ts";
import { mismatch, operationOf, theDocument } from "./document.ts";
import { checkFormats } from "./formats.ts";

const routes = Object.entries(ROUTES) as [OperationId, Route][];

for (const [id, route] of routes) {
  Deno.test(`examples: ${id}`, () => {
    const example: { body?: unknown; answer?: unknown } | undefined = EXAMPLES[id];
    assert.ok(example, "say in src/contract/openapi/examples/operations.ts what it takes and gives");
    assert.deepEqual(route.response.parse(example.answer), example.answer);
    checkFormats(example.answer);
    assert.equal("body" in example, route.body !== undefined);
    if (route.body) assert.deepEqual(route.body.parse(example.body), example.body);

    const { requestBody, responses, parameters = [] } = operationOf(id);
    assert.deepEqual(
      responses[route.status]!.content[Object.keys(responses[route.status]!.content)[0]!]!.example,
      example.answer,
    );
    const body = requestBody?.content["application/json"];
    assert.deepEqual(body?.example, example.body);
    if (body) assert.equal(mismatch(body.schema, body.example, "$"), null);
    for (const [status, { content }] of Object.entries(responses)) {
      // Without a body.
      if (status === "304") continue;
      const { schema, example: whole, examples = {} } = Object.values(content)[0]!;
      const shown = [...Object.values(examples).map(({ value }) => value), ...whole ? [whole] : []];
      assert.ok(shown.length > 0, `${status} has no example`);
      for (const value of shown) assert.equal(mismatch(schema, value, "$"), null, status);
    }
    for (const { name, description, example: shown, schema } of parameters) {
      assert.ok(description, `${name} is not described`);
      // A cursor belongs to a list: there is none to try.
      assert.equal(
        shown === undefined,
        ["cursor", "since", "after"].includes(name),
        `${name} and its example`,
      );
      if (shown !== undefined) assert.equal(mismatch(schema, shown, name), null);
      if (name === "limit") assert.match(JSON.stringify(schema), /"minimum":1,"maximum":500/);
    }
  });
}

Deno.test("examples: a parameter's example is accepted by the service", () => {
  for (const [id, route] of routes) {
    const given = operationOf(id).parameters?.filter((one) =>
      one.in === "query" && one.example !== undefined
    );
    const query = Object.fromEntries(
      (given ?? []).map(({ name, example }) => [name, Array.isArray(example) ? example : String(example)]),
    );
    const read = route.query?.safeParse(query);
    assert.ok(read?.success ?? true, `${id}: ${read?.error}`);
  }
});

Deno.test("every group of operations is described", () => {
  for (const { name, description } of theDocument.tags) {
    assert.ok(description, `say in info.ts what ${name} is`);
  }
  const used = routes.map(([, { tag }]) => tag);
  assert.deepEqual(new Set(theDocument.tags.map(({ name }) => name)), new Set(used));
});
