// The webhook requests that the service sends.

import { type OpenAPIHono, z } from "@hono/zod-openapi";
import {
  WEBHOOK_EVENT_TYPES,
  WEBHOOK_HEADERS,
  WEBHOOK_USER_AGENT,
  WebhookEnvelope,
} from "../connector/webhook.ts";
import { WEBHOOK_ENVELOPE } from "./examples/webhook.ts";

/** Key in the document's `webhooks`. */
export const WEBHOOK_NAME = "event";

const DESCRIPTION =
  `One event, sent at least once to each webhook in \`connectors.yaml\` that subscribes to its type, in the order of the tenant's
event log.

Verify each request: the timestamp must be within five minutes of your clock; the signature must equal the HMAC-SHA256 of the
timestamp, a dot and the raw body with the key of the instance, compared in constant time. A known \`id\` is a repeated delivery.
Ignore unknown fields and types: both may be added without a new \`schema\`.`;

const HEADERS = z.object({
  "User-Agent": z.literal(WEBHOOK_USER_AGENT).openapi({ description: "Always this value." }),
  [WEBHOOK_HEADERS.event]: z.enum(WEBHOOK_EVENT_TYPES).openapi({
    description: "`type` of the body. Not signed, so rely on the body.",
    example: WEBHOOK_ENVELOPE.type,
  }),
  [WEBHOOK_HEADERS.delivery]: z.uuidv4().openapi({
    description: "Identifies this request; a retry has a different one.",
    example: "5b0d2f53-4a4e-4f9d-9f4b-7f5d1f3a2c10",
  }),
  [WEBHOOK_HEADERS.timestamp]: z.string().regex(/^[0-9]+$/).openapi({
    description: "Unix seconds at request time; covered by the signature.",
    example: "1769843522",
  }),
  [WEBHOOK_HEADERS.signature]: z.string().regex(/^sha256=[0-9a-f]{64}$/).openapi({
    description: "`sha256=` followed by the lower-case hex HMAC-SHA256 of `<timestamp>.<raw body>`.",
    example: "sha256=b1946ac92492d2347c6235b4d2611184f1cd3fbc2f8f6f6a1d3f0c4a7e9b5d21",
  }),
});

const ANSWERS: Readonly<Record<string, string>> = {
  "2XX": "Acknowledged; the event is not sent again.",
  "401":
    "The signature is not accepted. The event is held and sent again after 30 s to 15 min. The same applies to 403.",
  "429":
    "Temporarily unavailable. The event is held for at least `Retry-After` seconds. The same applies to 408 and 425.",
  "4XX": "Any other: the event is permanently rejected and skipped.",
  "3XX": "Redirects are not followed; the event is held.",
  "5XX": "Three attempts, then the event is held. The same applies if there is no response or no connection.",
};

export function addWebhook(registry: OpenAPIHono["openAPIRegistry"]): void {
  registry.registerWebhook({
    method: "post",
    path: WEBHOOK_NAME,
    operationId: "receiveEvent",
    summary: "Deliver an event to a webhook receiver",
    description: DESCRIPTION,
    security: [],
    request: {
      headers: HEADERS,
      body: {
        required: true,
        content: { "application/json": { schema: WebhookEnvelope, example: WEBHOOK_ENVELOPE } },
      },
    },
    responses: Object.fromEntries(
      Object.entries(ANSWERS).map(([status, description]) => [status, { description }]),
    ),
  });
}

/**
 * Removes `additionalProperties: false` from a schema, in place. The service sends exactly the schema's
 * fields, but receivers must accept additional ones.
 */
export function openSchema(schema: unknown): void {
  if (typeof schema !== "object" || schema === null) return;
  if ("additionalProperties" in schema && schema.additionalProperties === false) {
    delete schema.additionalProperties;
  }
  Object.values(schema).forEach(openSchema);
}
