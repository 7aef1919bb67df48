// What the document says of the requests that the service itself sends.

import { type OpenAPIHono, z } from "@hono/zod-openapi";
import {
  WEBHOOK_EVENT_TYPES,
  WEBHOOK_HEADERS,
  WEBHOOK_USER_AGENT,
  WebhookEnvelope,
} from "../connector/webhook.ts";
import { WEBHOOK_ENVELOPE } from "./examples/webhook.ts";

/** Member of `webhooks` in the document. */
export const WEBHOOK_NAME = "event";

const DESCRIPTION =
  `One event, sent to each webhook of \`connectors.yaml\` that wants its type, in the order of the tenant's log, at least once.

Verify a request before you believe it: the timestamp lies within five minutes of your clock; the signature is the HMAC-SHA256 of
the timestamp, a dot and the raw body under the key of the instance, compared in constant time; an \`id\` that you know is a repeat.
Ignore fields and types that you do not know: both may come without a new \`schema\`.`;

const HEADERS = z.object({
  "User-Agent": z.literal(WEBHOOK_USER_AGENT).openapi({ description: "Always this." }),
  [WEBHOOK_HEADERS.event]: z.enum(WEBHOOK_EVENT_TYPES).openapi({
    description: "`type` of the body. Not signed: go by the body.",
    example: WEBHOOK_ENVELOPE.type,
  }),
  [WEBHOOK_HEADERS.delivery]: z.uuidv4().openapi({
    description: "Of this request; a retry carries another one.",
    example: "5b0d2f53-4a4e-4f9d-9f4b-7f5d1f3a2c10",
  }),
  [WEBHOOK_HEADERS.timestamp]: z.string().regex(/^[0-9]+$/).openapi({
    description: "Unix seconds at request time; part of what is signed.",
    example: "1769843522",
  }),
  [WEBHOOK_HEADERS.signature]: z.string().regex(/^sha256=[0-9a-f]{64}$/).openapi({
    description: "`sha256=` and the HMAC-SHA256, lower-case hex, of `<timestamp>.<raw body>`.",
    example: "sha256=b1946ac92492d2347c6235b4d2611184f1cd3fbc2f8f6f6a1d3f0c4a7e9b5d21",
  }),
});

const ANSWERS: Readonly<Record<string, string>> = {
  "2XX": "Taken; the event never comes again.",
  "401":
    "The signature is not accepted. The event is held and sent again after 30 s to 15 min; 403 likewise.",
  "429": "Not now. The event is held, for `Retry-After` seconds at least; 408 and 425 likewise.",
  "4XX": "Any other: the event is refused for good and skipped.",
  "3XX": "Never followed; the event is held.",
  "5XX": "Three attempts, then the event is held; no answer and no connection likewise.",
};

export function addWebhook(registry: OpenAPIHono["openAPIRegistry"]): void {
  registry.registerWebhook({
    method: "post",
    path: WEBHOOK_NAME,
    operationId: "receiveEvent",
    summary: "An event for a receiver of webhooks",
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
 * The service sends nothing but what the schema says, and a receiver must take more than that: of the published schema
 * nothing is closed. Changes `schema` in place.
 */
export function opened(schema: unknown): void {
  if (typeof schema !== "object" || schema === null) return;
  if ("additionalProperties" in schema && schema.additionalProperties === false) {
    delete schema.additionalProperties;
  }
  Object.values(schema).forEach(opened);
}
