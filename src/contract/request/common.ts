import { z } from "@hono/zod-openapi";
import { canonicalIp } from "../../kit/net/ip.ts";
import { parseTimestamp } from "../../kit/time.ts";

/** RFC 3339 UTC with exactly three fraction digits. */
export const Timestamp = z.string().regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/).openapi({
  format: "date-time",
  example: "2026-01-31T07:15:00.125Z",
});

/** A timestamp as a client may send it: RFC 3339 with any offset and fraction. */
export const TimestampInput = z.string()
  .refine((text) => parseTimestamp(text) !== null, "expected an RFC 3339 timestamp")
  .openapi({ format: "date-time", example: "2026-01-31T07:15:00Z" });

export const Id = z.string().min(1).max(128).openapi({ description: "Opaque identifier." });
export const Score = z.number().min(0).max(100);
export const Confidence = z.number().min(0).max(1);

/** One line that a person typed, without control characters; PostgreSQL cannot even store all of those. */
export function line(max: number) {
  return z.string().trim().min(1).max(max).regex(/^\P{Cc}*$/u, "expected no control characters");
}

/** Text that a person typed and that may have several lines. */
export function prose(max: number) {
  return z.string().trim().min(1).max(max)
    .regex(/^(?:[\t\n\r]|\P{Cc})*$/u, "expected no control characters but tab and line ends");
}

/** A counter: a JSON integer of full precision; `bigint` inside only above 2^53 - 1. */
const Count = z.union([z.number().int().nonnegative(), z.bigint().nonnegative()]).openapi({
  type: "integer",
  minimum: 0,
});

/** A counter that a sensor may not have measured. */
export const NullableCount = Count.nullable().openapi({ type: ["integer", "null"], minimum: 0 });

export const Ip = z.string().openapi({
  description: "Canonical address: dotted decimal or RFC 5952.",
  example: "192.0.2.7",
});

/** An address as a client may send it: another spelling is refused, so that it cannot silently match nothing. */
export const IpInput = z.string().max(64).superRefine((text, context) => {
  const canonical = canonicalIp(text);
  if (canonical === text) return;
  const message = canonical === null
    ? "expected an IP address"
    : `expected the canonical address ${canonical}`;
  context.addIssue({ code: "custom", message });
}).openapi({ description: "Canonical address: dotted decimal or RFC 5952.", example: "192.0.2.7" });

export const Meta = z.object({ request_id: z.string(), generated_at: Timestamp }).openapi("Meta");

/** `{ data, meta }` around one resource. */
export function single<T extends z.ZodType>(data: T) {
  return z.object({ data, meta: Meta });
}

/** `{ data: [...], meta, next_cursor }`; `next_cursor` is null on the last page. */
export function collection<T extends z.ZodType>(item: T) {
  return z.object({ data: z.array(item), meta: Meta, next_cursor: z.string().nullable() });
}

const LIMIT = "expected an integer from 1 to 500";

/** Query parameters of every collection. A bad limit is refused, never clamped. */
export const PageQuery = z.object({
  limit: z.string().regex(/^\d{1,3}$/, LIMIT).transform(Number)
    .pipe(z.number().int().min(1, LIMIT).max(500, LIMIT)).optional()
    .openapi({
      type: "integer",
      minimum: 1,
      maximum: 500,
      default: 100,
      description: "How many a page holds at most.",
      example: 50,
    }),
  cursor: z.string().min(1).max(4096).optional().openapi({
    description: "`next_cursor` of the page before; the rest of the query stays the same, but for `limit`. " +
      "Good for 24 hours (then 410 `cursor_expired`). A list that changes meanwhile shows what it had when the first " +
      "page was read, each object once; what came later may be missing.",
  }),
});

/** Half-open time window; the default is the last 15 minutes. */
export const WindowQuery = z.object({
  from: TimestampInput.optional().openapi({
    description: "Start of the window, inclusive. Default: 15 minutes before `to`.",
    example: "2026-01-31T07:00:00Z",
  }),
  to: TimestampInput.optional().openapi({
    description: "End of the window, exclusive. Default: now.",
    example: "2026-01-31T07:15:00Z",
  }),
});
