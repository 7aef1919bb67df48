// Path and header parameters, which the route table implies, and the common format of all parameters.

import { z } from "@hono/zod-openapi";
import type { Route } from "../request/route.ts";
import {
  ACTION_ID,
  ANALYST_RUN_ID,
  CONN_EVIDENCE_ID,
  DEVICE_ID,
  FLOW_ID,
  INCIDENT_ID,
  NEXT_CURSOR,
  PROPOSAL_ID,
  SAVED_SEARCH_ID,
  SUPPRESSION_ID,
} from "./examples/ids.ts";

/** Longest `If-None-Match` that is documented, in characters. */
const MAX_ETAG_HEADER = 256;
/** Longest `Last-Event-ID` that is documented, in characters. */
const MAX_CURSOR_HEADER = 4096;

const PATH_PARAMETERS: Record<string, { description: string; example: string }> = {
  device_id: {
    description: "Device id; for a merged device the response shows the device it was merged into.",
    example: DEVICE_ID,
  },
  flow_id: { description: "Flow id.", example: FLOW_ID },
  evidence_id: { description: "Evidence id.", example: CONN_EVIDENCE_ID },
  incident_id: { description: "Incident id.", example: INCIDENT_ID },
  suppression_id: { description: "Suppression id.", example: SUPPRESSION_ID },
  run_id: { description: "Analyst run id.", example: ANALYST_RUN_ID },
  action_id: { description: "Response action id.", example: ACTION_ID },
  saved_search_id: { description: "Saved search id.", example: SAVED_SEARCH_ID },
  proposal_id: { description: "Proposal id.", example: PROPOSAL_ID },
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
        "Chosen by the client, unique per request. Bound to tenant, user, method, path, query and body; the response " +
        "is replayed for 24 hours.",
      example: "5f0c2e1a-9d3b-4c55-8a53-0e6a0a6c2d10",
    });
  }
  if (route.revisioned) {
    headers["If-Match"] = z.string().regex(/^"[1-9][0-9]{0,8}"$/).openapi({
      description:
        "The revision that the change is based on, quoted: the `ETag` of the response that was read.",
      example: '"3"',
    });
  }
  if (route.conditional) {
    headers["If-None-Match"] = z.string().max(MAX_ETAG_HEADER).optional().openapi({
      description: "The `ETag` of the previous answer; 304 if the content is still the same.",
      example: '"zV2k8oYbJ7nT0aXw"',
    });
  }
  if (route.stream) {
    headers["Last-Event-ID"] = z.string().max(MAX_CURSOR_HEADER).optional().openapi({
      description: "The `id` of the last event, as an EventSource sends it; takes precedence over `since`.",
      example: NEXT_CURSOR,
    });
  }
  return Object.keys(headers).length > 0 ? z.object(headers) : undefined;
}

interface Parameter {
  description?: string;
  example?: unknown;
  schema: { description?: string; example?: unknown };
}

/** Moves a parameter's description and example from the generated schema to the parameter itself. */
export function tidyParameter(parameter: Parameter): Parameter {
  const { description, example, ...schema } = parameter.schema;
  return {
    ...parameter,
    ...(description === undefined ? {} : { description }),
    ...(example === undefined ? {} : { example }),
    schema,
  };
}
