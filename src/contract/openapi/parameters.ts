// Parameters that the route table does not spell out, and the common form of all of them.

import { z } from "@hono/zod-openapi";
import type { Route } from "../request/route.ts";
import { ACTION_ID, DEVICE_ID, FLOW_ID, INCIDENT_ID, PROPOSAL_ID, SUPPRESSION_ID } from "./examples/ids.ts";

const PATH_PARAMETERS: Record<string, { description: string; example: string }> = {
  device_id: {
    description: "A device; also one that was merged, which answers as the other.",
    example: DEVICE_ID,
  },
  flow_id: { description: "A flow.", example: FLOW_ID },
  incident_id: { description: "An incident.", example: INCIDENT_ID },
  suppression_id: { description: "A suppression.", example: SUPPRESSION_ID },
  action_id: { description: "A response action.", example: ACTION_ID },
  proposal_id: { description: "A proposal.", example: PROPOSAL_ID },
};

export function pathParameters(route: Route): z.ZodObject | undefined {
  const names = [...route.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!);
  if (names.length === 0) return undefined;
  return z.object(
    Object.fromEntries(
      names.map((name) => [name, z.string().min(1).max(128).openapi(PATH_PARAMETERS[name] ?? {})]),
    ),
  );
}

export function headerParameters(route: Route): z.ZodObject | undefined {
  const headers: Record<string, z.ZodType> = {};
  if (route.write) {
    headers["Idempotency-Key"] = z.string().regex(/^[\x21-\x7e]{1,128}$/).openapi({
      description:
        "Of your choice, new for each new request. Bound to tenant, person, method, path, query and body; the answer " +
        "is replayed for 24 hours.",
      example: "5f0c2e1a-9d3b-4c55-8a53-0e6a0a6c2d10",
    });
  }
  if (route.revisioned) {
    headers["If-Match"] = z.string().regex(/^"[1-9][0-9]{0,8}"$/).openapi({
      description: "The revision that this change was made from, quoted: the `ETag` of what you read.",
      example: '"3"',
    });
  }
  return Object.keys(headers).length > 0 ? z.object(headers) : undefined;
}

interface Parameter {
  description?: string;
  example?: unknown;
  schema: { description?: string; example?: unknown };
}

/** The generator says a parameter's description twice and its example in the schema; here they stand at the parameter. */
export function tidyParameter(parameter: Parameter): Parameter {
  const { description, example, ...schema } = parameter.schema;
  return {
    ...parameter,
    ...(description === undefined ? {} : { description }),
    ...(example === undefined ? {} : { example }),
    schema,
  };
}
