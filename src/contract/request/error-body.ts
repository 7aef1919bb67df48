import { z } from "@hono/zod-openapi";
import { ERROR_CODES, type ErrorCode } from "./errors.ts";

/** The body of an error that has one of some codes, named after them in the document: `ForbiddenError`. */
export function errorBody(codes: readonly ErrorCode[], name = `${codes.map(pascal).join("Or")}Error`) {
  return z.object({
    error: z.object({
      code: z.enum(codes),
      message: z.string().openapi({ description: "For people; may change." }),
      request_id: z.string().openapi({ description: "Names the lines of the service's log." }),
      details: z.record(z.string(), z.unknown()).openapi({
        description: "`issues` with `path` and `message`, `reason`, `header` and the like, by code.",
      }),
    }),
  }).openapi(name);
}

/** The body of any error. */
export const ErrorBody = errorBody(Object.keys(ERROR_CODES) as ErrorCode[], "Error");

function pascal(code: string): string {
  return code.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
}
