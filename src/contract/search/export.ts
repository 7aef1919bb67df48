import { z } from "@hono/zod-openapi";
import { TimestampInput } from "../request/common.ts";
import { FilterQuery, ResultKindSchema } from "./filter.ts";

const EXPORT_FORMATS = ["csv", "ndjson", "records"] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** Rows of one export. */
export const MAX_EXPORTED_ROWS = 100_000;

export const ExportQuery = z.object({
  kind: ResultKindSchema.default("flows").openapi({
    description: "What to export.",
    example: "flows",
  }),
  format: z.enum(EXPORT_FORMATS).default("csv").openapi({
    description:
      "`csv`: one line per object; `ndjson`: the objects as lists show them; `records`: the raw records behind flows or the " +
      "evidence of incidents, one JSON object per line.",
    example: "csv",
  }),
  ...FilterQuery,
  from: TimestampInput.optional().openapi({
    description: "Start of the window. Default: as for a search.",
    example: "2026-01-31T07:00:00Z",
  }),
  suppressed: z.enum(["true", "false"]).transform((text) => text === "true").optional().openapi({
    type: "boolean",
    example: false,
    description:
      "Of incidents only those that are suppressed when the export begins, or only others. Default: both. Without effect on " +
      "other kinds.",
  }),
  to: TimestampInput.optional().openapi({
    description: "End of the window, with `from` only.",
    example: "2026-01-31T07:15:00Z",
  }),
  after: z.string().min(1).max(4096).optional().openapi({
    description:
      "The value of `after` in the last line of a file that was cut: this one goes on there. All other parameters must stay the same. " +
      "Valid for 24 hours.",
  }),
});

export const ExportFile = z.string().openapi("SearchExport", {
  description: "Lines of text.",
  example: "flow_id,start,end",
});

export const EXPORT_TEXT =
  `At most ${
    MAX_EXPORTED_ROWS.toLocaleString("en")
  } rows, newest first. \`X-Result-Limit\` states the limit; ` +
  "`X-Result-Truncated` is `true` if there are more rows, `false` if there are not, and `unknown` if that would take too " +
  "long to find out. A file that is not complete, for whatever reason (its rows, five minutes, a database that does not " +
  "answer), ends with a line that states the reason and the `after` of the next part, which may begin with some rows again: " +
  '`# cut after 500 rows: ...` in CSV, `{"truncated":true,"rows":500,"reason":"...","after":"..."}` otherwise. In CSV, texts that a spreadsheet ' +
  "would take for a formula begin with an apostrophe.";
