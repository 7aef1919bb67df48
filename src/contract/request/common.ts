import { plainLine, plainLines } from "../../kit/plain-text.ts";
import { z } from "@hono/zod-openapi";
import { canonicalIp } from "../../kit/net/ip.ts";
import { parseTimestamp } from "../../kit/time.ts";

/** RFC 3339 UTC with exactly three fraction digits. */
export const Timestamp = z.string().regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/).openapi({
  format: "date-time",
  example: "2026-01-31T07:15:00.125Z",
});

/** Timestamp input: RFC 3339 with any offset and fraction. */
export const TimestampInput = z.string()
  .refine((text) => parseTimestamp(text) !== null, "expected an RFC 3339 timestamp")
  .openapi({ format: "date-time", example: "2026-01-31T07:15:00Z" });

export const Id = z.string().min(1).max(128).openapi({ description: "Opaque identifier." });

const ID_FORM = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Whether `text` has the form of our identifiers; anything else cannot exist. */
export function isId(text: string): boolean {
  return ID_FORM.test(text);
}

/** An identifier that limits a list: a name or an address in its place would find nothing without a word. */
export const FilterId = Id.refine(
  isId,
  "expected an identifier as the API returns it, not a name or an address",
).openapi({ format: "uuid" });

export const Score = z.number().min(0).max(100);
export const Confidence = z.number().min(0).max(1);

/** A single line of user text, in which deceptive characters are shown as codes (`plainLine`), without control characters, some of which PostgreSQL cannot store. */
export function line(max: number) {
  // The length that is bounded is that of the stored text.
  return z.string().trim().min(1).regex(/^\P{Cc}*$/u, "expected no control characters").overwrite(plainLine)
    .max(max);
}

/** User text of one or more lines. */
export function prose(max: number) {
  return z.string().trim().min(1)
    .regex(/^(?:[\t\n\r]|\P{Cc})*$/u, "expected no control characters except tabs and line breaks")
    .overwrite(plainLines).max(max);
}

/** A counter: a JSON integer of full precision, represented as `bigint` only above 2^53 - 1. */
export const Count = z.union([z.number().int().nonnegative(), z.bigint().nonnegative()]).openapi({
  type: "integer",
  minimum: 0,
});

/** A counter; null if the sensor did not measure it. */
export const NullableCount = Count.nullable().openapi({ type: ["integer", "null"], minimum: 0 });

export const Ip = z.string().openapi({
  description: "Canonical address: dotted decimal or RFC 5952.",
  example: "192.0.2.7",
});

/** Address input. Non-canonical spellings are rejected, because they would silently match nothing. */
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

/** A page of a collection ends after this many bytes of JSON as well as by rows. */
export const MAX_PAGE_BYTES = 4 * 1024 * 1024;

/** Query parameters of every collection. An invalid limit is rejected, never clamped. */
export const PageQuery = z.object({
  limit: z.string().regex(/^\d{1,3}$/, LIMIT).transform(Number)
    .pipe(z.number().int().min(1, LIMIT).max(500, LIMIT)).optional()
    .openapi({
      type: "integer",
      minimum: 1,
      maximum: 500,
      default: 100,
      description:
        "Maximum number of items per page. A page also ends after 4 MiB; only a null `next_cursor` marks the end.",
      example: 50,
    }),
  cursor: z.string().min(1).max(4096).optional().openapi({
    description:
      "`next_cursor` of the previous page. All other parameters except `limit` must stay the same. Valid for " +
      "24 hours (then 410 `cursor_expired`). A list that changes between pages shows the objects that existed when the " +
      "first page was read, each once unless `sort` states otherwise; later ones may be missing.",
  }),
});

/** A query parameter that may be repeated: any of the values matches. Their order and repetitions do not matter. */
export function anyOf<T extends z.ZodType<string>>(value: T) {
  return z.array(value).min(1).overwrite((given) => [...new Set(given)].sort()).optional();
}

/** The orders of fields in both directions, of the first field descending first: the default of a list. */
export function bothWays<const T extends readonly [string, ...string[]]>(
  fields: T,
): readonly [`-${T[0]}`, ...(T[number] | `-${T[number]}`)[]] {
  const [first, ...others] = fields;
  return [`-${first}`, first, ...others.flatMap((field) => [`-${field}`, field] as const)] as const;
}

/**
 * The order of a collection: a field, with `-` for descending.
 *
 * @param stable The order in which no row moves ahead of the page that a scan has reached.
 * @param more A further sentence of the description.
 */
export function sortOf<T extends string>(
  orders: readonly [T, ...T[]],
  stable: T,
  { more }: { more?: string } = {},
) {
  return z.enum(orders).default(orders[0] as z.core.util.NoUndefined<T>).openapi({
    description:
      `Order: a field, descending after \`-\`. An object whose field changes during a scan may appear twice, ` +
      `or, if it moves ahead of the page that was reached, not at all; \`${stable}\` shows each object that ` +
      `existed at the start. A cursor is valid for the order it was issued for.${more ? ` ${more}` : ""}`,
    example: orders[0],
  });
}

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
