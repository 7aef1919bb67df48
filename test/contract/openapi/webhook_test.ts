// The document describes what webhook receivers get.

import assert from "node:assert/strict";
import { openApiText } from "../../../src/contract/openapi.ts";
import { WEBHOOK_ENVELOPE } from "../../../src/contract/openapi/examples/webhook.ts";
import { WEBHOOK_NAME } from "../../../src/contract/openapi/webhook.ts";
import { WEBHOOK_HEADERS, WebhookEnvelope } from "../../../src/contract/connector/webhook.ts";
import { checkFormats } from "./formats.ts";

const document = JSON.parse(openApiText());
const { post } = document.webhooks[WEBHOOK_NAME];

Deno.test("document: the webhook with headers, example, and the meaning of every answer", () => {
  const headers = post.parameters.map((one: { name: string; in: string }) => `${one.in} ${one.name}`);
  assert.deepEqual(
    headers,
    ["User-Agent", ...Object.values(WEBHOOK_HEADERS)].map((name) => `header ${name}`),
  );
  const { schema, example } = post.requestBody.content["application/json"];
  assert.equal(schema.$ref, "#/components/schemas/WebhookEnvelope");
  assert.deepEqual(WebhookEnvelope.parse(example), WEBHOOK_ENVELOPE);
  checkFormats(example);
  assert.deepEqual(Object.keys(post.responses).sort(), ["2XX", "3XX", "401", "429", "4XX", "5XX"]);
});

Deno.test("document: envelopes may gain fields, so the published schema is open, and what we send is closed", () => {
  const published = JSON.stringify(document.components.schemas.WebhookEnvelope);
  assert.ok(!published.includes('"additionalProperties":false'), published);
  assert.ok(!WebhookEnvelope.safeParse({ ...WEBHOOK_ENVELOPE, host: "ndr-1" }).success);
});
