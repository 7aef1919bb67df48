import { z } from "@hono/zod-openapi";
import { MAX_LISTED_PAYLOAD_BYTES } from "../flow/flow.ts";
import { Id, PageQuery, Timestamp, WindowQuery } from "../request/common.ts";
import { EVIDENCE_SOURCES, RECORD_KINDS } from "./kinds.ts";

/**
 * Why a record became no observation. `unparsed`: a valid record that cannot be normalised. `rejected`: a
 * line that is not a record.
 */
export const FAILED_STATUSES = ["unparsed", "rejected"] as const;
export type FailedStatus = (typeof FAILED_STATUSES)[number];

/** A page ends after this many bytes of JSON. */
export const MAX_FAILED_PAGE_BYTES = 4 * 1024 * 1024;
/** Longest raw text in a list, in bytes. */
export const MAX_FAILED_RAW_BYTES = MAX_LISTED_PAYLOAD_BYTES;

export const FailedRecord = z.object({
  record_id: Id.openapi({
    description:
      "Hexadecimal. The event identifier of an unparsed record; the SHA-256 of the bytes of a rejected line, which is the " +
      "same for an equal line of another sensor.",
  }),
  status: z.enum(FAILED_STATUSES),
  sensor_id: z.string(),
  source: z.enum(EVIDENCE_SOURCES).nullable().openapi({ description: "Null if `kind` is." }),
  kind: z.enum(RECORD_KINDS).nullable().openapi({
    description: "Null for a rejected line from which no kind could be read.",
  }),
  received_at: Timestamp.openapi({
    description: "When the core received it, for the first time if it was sent again.",
  }),
  observed_at: Timestamp.nullable().openapi({
    description: "The record's own time; null for a rejected line.",
  }),
  reason: z.string().max(200).openapi({
    description: "What was expected where.",
    example: "id.orig_h: expected an address",
  }),
  raw: z.string().nullable().openapi({
    description:
      `The payload's exact JSON text, or the rejected line; only its first ${MAX_FAILED_RAW_BYTES} bytes if \`truncated\`. ` +
      "Bytes that are not UTF-8 appear as U+FFFD. Null if retention has removed the text before its key.",
  }),
  raw_bytes: z.number().int().nonnegative().nullable().openapi({
    description: "Size of the whole text in bytes; null if `raw` is.",
  }),
  truncated: z.boolean().openapi({
    description: `Whether \`raw\` was cut because the text is larger than ${MAX_FAILED_RAW_BYTES} bytes.`,
  }),
}).openapi("FailedRecord", { description: "A record that became no observation, with the reason." });
export type FailedRecord = z.infer<typeof FailedRecord>;

export const FAILED_RECORDS_TEXT =
  `The records behind \`unparsed_last_5m\` and \`rejected_last_5m\` of the health report. Neither kind becomes a flow or reaches a
detector: an unparsed record lacks what its kind needs (the reason names the field and what was expected), a rejected line is
not a record. A line that is sent again is listed once. Both are kept for the retention period. On the appliance, \`ndr records\`
prints the same.`;

export const FailedRecordQuery = PageQuery.extend(WindowQuery.shape).extend({
  limit: PageQuery.shape.limit.openapi({
    type: "integer",
    minimum: 1,
    maximum: 500,
    default: 100,
    description:
      "Maximum number of records per page. A page also ends after 4 MiB, or when few of the records examined match the " +
      "filter, so it may be short or empty; only a null `next_cursor` marks the end.",
    example: 50,
  }),
  status: z.enum(FAILED_STATUSES).optional().openapi({
    description:
      "`unparsed`: valid records that could not be normalised. `rejected`: lines that are no valid records. Default: both.",
    example: "rejected",
  }),
  sensor_id: z.string().min(1).max(128).optional().openapi({
    description: "Records of this sensor.",
    example: "zeek-1",
  }),
  source: z.enum(EVIDENCE_SOURCES).optional().openapi({
    description: "Records whose kind belongs to this source.",
    example: "zeek",
  }),
  kind: z.enum(RECORD_KINDS).optional().openapi({
    description: "Records of this kind.",
    example: "zeek.conn",
  }),
});
