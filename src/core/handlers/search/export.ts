import type { Filter } from "../../../contract/filter/tree.ts";
import { ApiError } from "../../../contract/request/errors.ts";
import type { Download } from "../../../contract/request/envelope.ts";
import { type ExportFormat, MAX_EXPORTED_ROWS } from "../../../contract/search/export.ts";
import { csvHeader, csvLine, type Found } from "../../../domain/search/csv.ts";
import type { SearchPlan } from "../../../domain/search/plan.ts";
import { stringifyJson } from "../../../kit/json/json.ts";
import { formatMillis } from "../../../kit/time.ts";
import { NoPlace, StoreUnavailable } from "../../../store/engine/database.ts";
import { countFound } from "../../../store/search/count.ts";
import { fieldError } from "../../field-error.ts";
import type { Handlers } from "../../handler.ts";
import type { HandlerDeps } from "../deps.ts";
import { filterParameter, planOf } from "./plan.ts";
import { recordLines } from "./record-lines.ts";
import { searching } from "../../search/searching.ts";
import { type Position, type RunSearch, searchRunner } from "./run.ts";

/** Rows read at once; each has up to 20 records. */
const PAGE_ROWS = { csv: 500, ndjson: 500, records: 50 };
/** How long one export may take, in milliseconds: the next one goes on where it ended. */
const LONGEST = 300_000;

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
      const { after, ...asked } = query;
      const scope = { tenantId, operation: "exportSearch", filter: asked };
      const cursor = deps.cursors.open<ExportCursor>(scope, after, now, "after");
      const since = cursor?.now ?? now;
      const where = filter === undefined ? null : filterParameter(filter);
      const window: Filter["window"] = from === undefined ? null : { from, to: to ?? "now" };
      const plan = {
        ...planOf(deps, caller, { version: 1, kind, where, window, zone }, since),
        suppressed: suppressed === undefined ? undefined : { is: suppressed, at: since },
      };
      const found = cursor === null
        ? await searching(deps.db, tenantId, (tx) => countFound(tx, tenantId, plan, MAX_EXPORTED_ROWS + 1))
          .catch(unlessBusy)
        : null;
      const truncated = found === null ? "unknown" : String(found > MAX_EXPORTED_ROWS);
      const next = (at: Position | null) =>
        deps.cursors.seal(scope, { now: since, at } satisfies ExportCursor, deps.clock.now());
      const of = { tenantId, plan, format, now, after: cursor?.at ?? null, next };
      return { data: download(lines(deps, run, of), { plan, format, truncated, now }) };
    },
  };
}

/** Without a turn for the count the file begins all the same. */
function unlessBusy(error: unknown): null {
  if (error instanceof NoPlace) return null;
  throw error;
}

/** Where an export goes on. Relative times stay those of its first part. */
interface ExportCursor {
  /** Microseconds. */
  now: number;
  at: Position | null;
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
  /** Where the part before ended; null for the first. */
  after: Position | null;
  /** The cursor of the part that begins there. */
  next: (at: Position | null) => string;
}

/** The lines of the file, page by page: the next one is read when the client has taken the one before. */
async function* lines(
  deps: HandlerDeps,
  run: RunSearch,
  { tenantId, plan, format, now, after: first, next: cursorOf }: Export,
): AsyncGenerator<string> {
  if (format === "csv") yield csvHeader(plan.kind);
  const ends = performance.now() + (deps.exportMs ?? LONGEST);
  let after = first;
  let rows = 0;
  let cause = `${MAX_EXPORTED_ROWS} rows are the most of one file`;
  try {
    while (rows < MAX_EXPORTED_ROWS) {
      if (rows > 0 && performance.now() > ends) {
        cause = "its time is over";
        break;
      }
      const limit = Math.min(PAGE_ROWS[format], MAX_EXPORTED_ROWS - rows);
      const paging = { after, limit, now };
      const { items, next } = await run(tenantId, plan, paging);
      if (format === "records") yield* recordLines(deps.db, tenantId, items);
      else if (items.length > 0) yield items.map((item) => lineOf(item, plan, format)).join("");
      rows += items.length;
      if (next === null) return;
      after = next;
    }
  } catch (error) {
    if (!(error instanceof StoreUnavailable || error instanceof ApiError)) throw error;
    // The web layer gives up 30 s after the last chunk, so a page that got no turn is not tried again.
    if (error instanceof NoPlace) cause = "too many requests are waiting";
    else cause = error instanceof ApiError ? error.message : "the database did not answer in time";
  }
  yield cutLine(format, rows, cause, cursorOf(after));
}

function lineOf(item: Found, plan: SearchPlan, format: ExportFormat): string {
  return format === "csv" ? csvLine(plan.kind, item) : `${stringifyJson(item)}\n`;
}

/** The last line of a file that is not complete; rows after the last page may be in the file already. */
function cutLine(format: ExportFormat, rows: number, reason: string, cursor: string): string {
  return format === "csv"
    ? `# cut after ${rows} rows: ${reason}; the next part: after=${cursor}\r\n`
    : `${stringifyJson({ truncated: true, rows, reason, after: cursor })}\n`;
}
