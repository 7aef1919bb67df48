import { z } from "@hono/zod-openapi";
import type { ErrorCode } from "./errors.ts";

/** The body of an error with one of `codes`; the schema is named after them: `ForbiddenError`. */
export function errorBody(codes: readonly ErrorCode[], name = `${codes.map(pascal).join("Or")}Error`) {
  return z.object({
    error: z.object({
      code: z.enum(codes),
      message: z.string().openapi({ description: "Human-readable; may change." }),
      request_id: z.string().openapi({ description: "Identifies the log entries of this request." }),
      details: z.looseObject({
        reason: z.string().regex(/^[a-z][a-z0-9_]*$/).openapi({
          description: "Stable name of the cause; see the table under Errors. More may be added.",
        }),
      }).openapi({
        description:
          "Other members depend on the reason: `issues` with `path` and `message`, `header`, `allowed` and others.",
      }),
    }),
  }).openapi(name);
}

function pascal(code: string): string {
  return code.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
}
