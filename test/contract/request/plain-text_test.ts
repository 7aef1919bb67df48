// Free text of every write is kept and shown as plain text: no control, bidirectional or invisible characters, in
// no answer, row, audit entry or event. The fields are found through the OpenAPI document.

import assert from "node:assert/strict";
import { type OperationId, type Route, ROUTES } from "../../../src/contract/routes.ts";
import { testDatabase } from "../../support/database.ts";
import { CORE_ROUTES, wholeTenant, World } from "../isolation/world.ts";
import { flatten, operationOf, type Schema } from "../openapi/document.ts";

/** Right-to-left override, zero-width space, isolate, line separator, tag. */
const HOSTILE = "\u202ea\u200bb\u2066c\u2028d\u{e0041}e";
const DECEPTIVE = /[\p{Cf}\u2028\u2029]|(?![\t\n\r])\p{Cc}/u;

/** Fields of a body that take any text, in nested objects too. */
function textFields(schema: Schema, path: string[] = []): string[][] {
  return Object.entries(flatten(schema).properties ?? {}).flatMap(([name, property]) => {
    const field = [...path, name];
    const plain = flatten(property);
    return plain.pattern?.includes("Cc") ? [field] : textFields(plain, field);
  });
}

function withText(body: unknown, [name, ...rest]: string[], text: string): unknown {
  const object = body as Record<string, unknown> | null | undefined;
  return { ...object, [name!]: rest.length === 0 ? text : withText(object?.[name!], rest, text) };
}

function bodySchema(id: OperationId): Schema {
  return operationOf(id).requestBody!.content["application/json"]!.schema;
}

testDatabase("plain text: what people write is neutralised in answers, rows and events", async (db) => {
  const world = await World.create(db);
  const { core } = world.api;
  const accepted: string[] = [];
  for (const [id, route] of CORE_ROUTES.filter(([, { write, body }]) => write && body)) {
    for (const field of textFields(bodySchema(id))) {
      const send = async (text: string, revision: number): Promise<Response> => {
        const request = world.request(route, world.ids("main"));
        const headers: Record<string, string> = {
          ...request.headers,
          "idempotency-key": crypto.randomUUID(),
        };
        if (route.revisioned) headers["if-match"] = `"${revision}"`;
        const body = withText(request.body, field, text);
        return await core.send({ ...request, body, headers, roles: [route.role] });
      };
      const name = `${id}.${field.join(".")}`;
      const control = await send("a\u0007b", 1);
      assert.equal(control.status, 400, `${name}: a control character`);
      assert.doesNotMatch(await control.text(), DECEPTIVE, name);
      let answer = await send(HOSTILE, 1);
      if (answer.status === 412) answer = await send(HOSTILE, (await answer.json()).error.details.revision);
      const text = await answer.text();
      // A name must exist, and a second decision about an object is refused.
      assert.ok([route.status, 400, 404, 409].includes(answer.status), `${name}: ${text}`);
      assert.doesNotMatch(text, DECEPTIVE, name);
      if (answer.status === route.status) accepted.push(name);
    }
  }
  const everywhere = [
    "patchDevice.display_name",
    "patchDevice.owner",
    "patchIncident.comment",
    "createSuppression.reason",
    "createModelFeedback.comment",
    "proposeModelChange.details",
    "decideProposal.comment",
    "decideResponseAction.comment",
  ];
  assert.deepEqual(everywhere.filter((name) => !accepted.includes(name)), [], String(accepted));

  const { record_block: _raw, ...rows } = await wholeTenant(db, "main");
  assert.ok(JSON.stringify(rows.device).includes("u{202e}"), "the text is stored, neutralised");
  for (const [table, texts] of Object.entries(rows)) {
    for (const row of texts) assert.doesNotMatch(row, DECEPTIVE, table);
  }
});

Deno.test("plain text: the length of a text is bounded as it is stored", () => {
  const { body } = ROUTES.patchDevice as Route;
  const read = (owner: string) => body!.safeParse({ owner });
  assert.equal((read("\u202e".repeat(16)).data as { owner: string }).owner, "\\u{202e}".repeat(16));
  assert.equal(read("\u202e".repeat(17)).success, false, "136 characters");
  // What was read can be written back unchanged.
  const stored = (read(HOSTILE).data as { owner: string }).owner;
  assert.equal((read(stored).data as { owner: string }).owner, stored);
});
