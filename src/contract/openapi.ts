import { OpenAPIHono } from "@hono/zod-openapi";
import { EXAMPLES } from "./openapi/examples/operations.ts";
import { DESCRIPTION, TAGS, TITLE } from "./openapi/info.ts";
import { headerParameters, pathParameters, tidyParameter } from "./openapi/parameters.ts";
import { responsesOf } from "./openapi/responses.ts";
import { addSecuritySchemes, securityOf } from "./openapi/security.ts";
import { addWebhook, openSchema } from "./openapi/webhook.ts";
import { type OperationId, type Route, ROUTES } from "./routes.ts";

export const OPENAPI_PATH = "/api/v1/openapi.json";

let text: string | undefined;

/** The API's OpenAPI 3.1 document as JSON text, generated from the route table on first use. */
export function openApiText(): string {
  text ??= JSON.stringify(buildOpenApi(), repairGenerated);
  return text;
}

function buildOpenApi(): unknown {
  const builder = new OpenAPIHono();
  const registry = builder.openAPIRegistry;
  addSecuritySchemes(registry);

  for (const [id, route] of Object.entries(ROUTES) as [OperationId, Route][]) {
    const example: { body?: unknown; answer?: unknown } = EXAMPLES[id] ?? {};
    registry.registerPath({
      method: route.method.toLowerCase() as "get" | "post" | "put" | "patch",
      path: route.path,
      operationId: id,
      summary: route.summary,
      description: describe(route),
      tags: [route.tag],
      security: securityOf(route),
      request: {
        params: pathParameters(route),
        query: route.query,
        headers: headerParameters(route),
        body: route.body
          ? {
            required: true,
            content: {
              "application/json": {
                schema: route.body,
                ...(example.body === undefined ? {} : { example: example.body }),
              },
            },
          }
          : undefined,
      },
      responses: responsesOf(route, example.answer),
      "x-required-role": route.role,
      ...(route.stream ? { "x-events": eventSchemas(route.stream) } : {}),
    });
  }
  addWebhook(registry);
  const document = builder.getOpenAPI31Document({
    openapi: "3.1.0",
    info: {
      title: TITLE,
      version: "1",
      description: DESCRIPTION,
      license: { name: "Apache-2.0", url: "https://www.apache.org/licenses/LICENSE-2.0" },
    },
    servers: [{ url: "/", description: "This appliance." }],
    tags: usedTags(),
  });
  openSchema(document.components?.schemas?.WebhookEnvelope);
  return document;
}

/** The schema of each event's data, which the document can only reference in an extension. */
function eventSchemas(events: NonNullable<Route["stream"]>): Record<string, { $ref: string }> {
  return Object.fromEntries(
    Object.entries(events).map(([event, name]) => [event, { $ref: `#/components/schemas/${name}` }]),
  );
}

function describe(route: Route): string {
  const parts = [
    route.description,
    `Role: \`${route.role}\`${route.role === "reader" ? " (any role)" : ""}.` +
    (route.tenant ? " Requires a selected tenant." : ""),
  ];
  return parts.filter((part) => part !== undefined).join("\n\n");
}

/** In the order in which the route table first names them. */
function usedTags() {
  const names = new Set((Object.values(ROUTES) as Route[]).map(({ tag }) => tag));
  return [...names].map((name) => ({ name, description: TAGS[name] ?? "" }));
}

/** Corrects the generator's output; a replacer for `JSON.stringify`. */
function repairGenerated(key: string, value: unknown): unknown {
  if (key === "pattern" && typeof value === "string") return value.replace(/\/[a-z]*$/, "");
  if (key === "parameters" && Array.isArray(value)) return value.map(tidyParameter);
  return nullableReference(value);
}

/**
 * The generator describes a nullable object as `allOf` object and null, which nothing satisfies; makes it
 * `anyOf`.
 */
function nullableReference(value: unknown): unknown {
  const parts = (value as { allOf?: Record<string, unknown>[] } | null)?.allOf;
  const isNullable = parts?.length === 2 && parts[0]!.$ref !== undefined &&
    Object.keys(parts[1]!).length === 1 && Array.isArray(parts[1]!.type) && parts[1]!.type.includes("null");
  return isNullable ? { anyOf: [parts[0], { type: "null" }] } : value;
}
