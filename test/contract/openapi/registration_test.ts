// The registration server's document: linted by a third-party linter, and compared with the server.

import assert from "node:assert/strict";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { HEARTBEAT_FIELDS } from "../../../src/contract/telemetry/heartbeat.ts";
import { DOCUMENT_PATH, registrationDocument } from "../../support/telemetry/registration/protocol.ts";
import { RegistrationServer } from "../../support/telemetry/registration-server.ts";
import { RELEASE } from "../../support/telemetry/telemetry.ts";

interface Operation {
  responses: Record<string, { content?: Record<string, { example?: unknown }> }>;
  requestBody?: { content: Record<string, { example: unknown }> };
  parameters?: { name: string; in: string; example?: unknown; schema: { example?: unknown } }[];
}
type Paths = Record<string, Record<string, Operation>>;

Deno.test("the linter reports no problem in the registration server's document", async () => {
  const config = await createConfig({ extends: ["recommended-strict"] });
  const source = registrationDocument();
  const problems = await lintFromString({ source, absoluteRef: "registration.json", config });
  assert.deepEqual(problems.map(({ ruleId, message }) => `${ruleId}: ${message}`), []);
});

Deno.test("the document has the complete payload, and no other key may exist", () => {
  const { components: { schemas } } = JSON.parse(registrationDocument());
  assert.deepEqual(Object.keys(schemas.Heartbeat.properties), Object.keys(HEARTBEAT_FIELDS));
  assert.deepEqual(schemas.Heartbeat.required, Object.keys(HEARTBEAT_FIELDS));
  for (const name of ["Heartbeat", "Registration"]) {
    assert.equal(schemas[name].additionalProperties, false, name);
  }
});

Deno.test("every example request of the document gets a documented answer", async () => {
  const folder = await Deno.makeTempDir({ prefix: "ndr-registration-" });
  await Deno.writeTextFile(`${folder}/release.json`, JSON.stringify(RELEASE));
  const server = await RegistrationServer.start({ port: 0, data: folder, release: `${folder}/release.json` });
  try {
    const document = await (await fetch(`${server.origin}${DOCUMENT_PATH}`)).json();
    assert.deepEqual(document, JSON.parse(registrationDocument()));
    const expected: Record<string, number> = {
      register: 201,
      heartbeat: 200,
      newestRelease: 200,
      forgetInstallation: 204,
    };
    for (const [path, methods] of Object.entries(document.paths as Paths)) {
      for (const [method, operation] of Object.entries(methods)) {
        const { operationId } = operation as Operation & { operationId: string };
        const exampleOf = ({ example, schema }: NonNullable<Operation["parameters"]>[0]) =>
          String(example ?? schema.example);
        const given = operation.parameters ?? [];
        const filled = given.filter((one) => one.in === "path")
          .reduce((text, one) => text.replace(`{${one.name}}`, exampleOf(one)), path);
        const query = new URLSearchParams(
          given.filter((one) => one.in === "query").map((one) => [one.name, exampleOf(one)]),
        );
        const body = operation.requestBody?.content["application/json"]?.example;
        const response = await fetch(`${server.origin}${filled}${query.size > 0 ? `?${query}` : ""}`, {
          method: method.toUpperCase(),
          ...body === undefined
            ? {}
            : { body: JSON.stringify(body), headers: { "content-type": "application/json" } },
        });
        await response.body?.cancel();
        assert.equal(response.status, expected[operationId], operationId);
        assert.ok(Object.hasOwn(operation.responses, String(response.status)), operationId);
      }
    }
  } finally {
    await server.close();
    await Deno.remove(folder, { recursive: true });
  }
});
