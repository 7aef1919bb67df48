import { z } from "@hono/zod-openapi";
import { ERROR_CODES, type ErrorCode } from "./errors.ts";

export const ErrorBody = z.object({
  error: z.object({
    code: z.enum(Object.keys(ERROR_CODES) as [ErrorCode, ...ErrorCode[]]),
    message: z.string(),
    request_id: z.string(),
    details: z.record(z.string(), z.unknown()),
  }),
}).openapi("Error");
