import type { Filter } from "../../../contract/filter/tree.ts";
import type { Download } from "../../../contract/request/envelope.ts";
import { type ExportFormat, MAX_EXPORTED_ROWS } from "../../../contract/search/export.ts";
import { csvHeader, csvLine, type Found } from "../../../domain/search/csv.ts";
import type { SearchPlan } from "../../../domain/search/plan.ts";
import { stringifyJson } from "../../../kit/json/json.ts";
import { formatMillis } from "../../../kit/time.ts";
import { countFound } from "../../../store/search/count.ts";
import { fieldError } from "../../field-error.ts";
import type { Handlers } from "../../handler.ts";
import type { HandlerDeps } from "../deps.ts";
import { filterParameter, planOf } from "./plan.ts";
import { recordLines } from "./record-lines.ts";
import { searching } from "../../search/searching.ts";
import { type Position, type RunSearch, searchRunner } from "./run.ts";

/** Rows read at once. */
const PAGE_ROWS = 500;
/** Pages of one export: with conditions that find little, each examines many rows. */
const MAX_PAGES = 400;

export function exportHandlers(deps: HandlerDeps): Pick<Handlers, "exportSearch"> {
  const run = searchRunner(deps);
  return {
    async exportSearch({ caller, query, now }) {
      const { tenantId } = caller;
      const { kind, format, filter, zone = "UTC", from, to, suppressed } = query;
      if (format === "records" && kind === "devices") {
        throw fieldError("format", "expected csv or ndjson: devices have no records of their own");
      }
      if (to !== undefined && from === undefined) {
        throw fieldError("from", "expected a time together with `to`");
      }
      const where = filter === undefined ? null : filterParameter(filter);
      const window: Filter["window"] = from === undefined ? null : { from, to: to ?? "now" };
      const plan = {
        ...planOf(deps, caller, { version: 1, kind, where, window, zone }, now),
        suppressed: suppressed === undefined ? undefined : { is: suppressed, at: now },
      };
      const found = await searching(
        deps.db,
        tenantId,
        (tx) => countFound(tx, tenantId, plan, MAX_EXPORTED_ROWS + 1),
      );
      const truncated = found === null ? "unknown" : String(found > MAX_EXPORTED_ROWS);
      return {
        data: download(lines(deps, run, { tenantId, plan, format, now }), { plan, format, truncated, now }),
      };
    },
  };
}

function download(
  texts: AsyncGenerator<string>,
  { plan, format, truncated, now }: {
    plan: SearchPlan;
    format: ExportFormat;
    truncated: string;
    now: number;
  },
): Download {
  const time = formatMillis(now).slice(0, 19).replaceAll(":", "").replace("T", "-");
  return {
    fileName: `${format === "records" ? "records" : plan.kind}-${time}.${
      format === "csv" ? "csv" : "ndjson"
    }`,
    contentType: format === "csv" ? "text/csv; charset=utf-8" : "application/x-ndjson; charset=utf-8",
    bytes: null,
    headers: { "X-Result-Limit": String(MAX_EXPORTED_ROWS), "X-Result-Truncated": truncated },
    body: ReadableStream.from(texts).pipeThrough(new TextEncoderStream()),
  };
}

interface Export {
  tenantId: string;
  plan: SearchPlan;
  format: ExportFormat;
  now: number;
}

/** The lines of the file, page by page: the next one is read when the client has taken the one before. */
async function* lines(
  deps: HandlerDeps,
  run: RunSearch,
  { tenantId, plan, format, now }: Export,
): AsyncGenerator<string> {
  if (format === "csv") yield csvHeader(plan.kind);
  let after: Position | null = null;
  let rows = 0;
  for (let page = 0; page < MAX_PAGES; page++) {
    const limit = Math.min(PAGE_ROWS, MAX_EXPORTED_ROWS - rows);
    const { items, next } = await run(tenantId, plan, { after, limit, now });
    rows += items.length;
    if (format === "records") yield* recordLines(deps.db, tenantId, items);
    else if (items.length > 0) yield items.map((item) => lineOf(item, plan, format)).join("");
    if (next === null) return;
    if (rows >= MAX_EXPORTED_ROWS) break;
    after = next;
  }
  yield cutLine(rows, format);
}

function lineOf(item: Found, plan: SearchPlan, format: ExportFormat): string {
  return format === "csv" ? csvLine(plan.kind, item) : `${stringifyJson(item)}\n`;
}

/** The last line of a file that was cut. */
function cutLine(rows: number, format: ExportFormat): string {
  return format === "csv" ? `# cut after ${rows} rows\r\n` : `${stringifyJson({ truncated: true, rows })}\n`;
}
