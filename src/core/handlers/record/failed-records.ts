import { Buffer } from "node:buffer";
import {
  type FailedRecord,
  MAX_FAILED_PAGE_BYTES,
  MAX_FAILED_RAW_BYTES,
} from "../../../contract/record/failed-record.ts";
import { kindsMatching } from "../../../contract/record/kinds.ts";
import { stringifyJson } from "../../../kit/json/json.ts";
import type { Tx } from "../../../store/engine/database.ts";
import {
  failedPage,
  type FailedPosition,
  failedRecord,
  type FailedRow,
  failedTexts,
  positionOf,
} from "../../../store/record/failed-records.ts";
import type { Handlers } from "../../handler.ts";
import { readWindow, type Window } from "../../window.ts";
import type { HandlerDeps } from "../deps.ts";
import { DEFAULT_LIMIT } from "../params.ts";

/** Records whose texts are read at once: at most 1.6 MiB of them. */
const TEXTS_AT_ONCE = 25;

export function failedRecordHandlers(deps: HandlerDeps): Pick<Handlers, "listRecords"> {
  return {
    async listRecords({ caller: { tenantId }, query, now }) {
      const limit = query.limit ?? DEFAULT_LIMIT;
      const scope = { tenantId, operation: "listRecords", filter: query };
      const position = deps.cursors.open<{ before: FailedPosition } & Window>(scope, query.cursor, now);
      const { from, to } = position ?? readWindow(query, now, null);
      const filter = {
        status: query.status,
        window: { from, to },
        sensorId: query.sensor_id,
        kinds: kindsMatching(query),
      };
      const { data, next } = await deps.db.tenant(tenantId, async (tx) => {
        const page = await failedPage(tx, tenantId, filter, position?.before ?? null, limit);
        const data = await withTexts(tx, tenantId, page.rows, deps.pageBytes);
        const cutAt = data.length < page.rows.length ? page.rows[data.length - 1]! : null;
        return { data, next: cutAt ? positionOf(cutAt) : page.next };
      });
      return { data, nextCursor: next && deps.cursors.seal(scope, { before: next, from, to }, now) };
    },
  };
}

/** The first of the records, at least one, that fit into a page. */
async function withTexts(
  tx: Tx,
  tenantId: string,
  rows: readonly FailedRow[],
  maxBytes = MAX_FAILED_PAGE_BYTES,
): Promise<FailedRecord[]> {
  const page: FailedRecord[] = [];
  let bytes = 0;
  for (let next = 0; next < rows.length; next += TEXTS_AT_ONCE) {
    const part = rows.slice(next, next + TEXTS_AT_ONCE);
    const texts = await failedTexts(tx, tenantId, part, MAX_FAILED_RAW_BYTES);
    for (const [index, row] of part.entries()) {
      const record = failedRecord(row, texts[index]!);
      bytes += Buffer.byteLength(stringifyJson(record));
      if (bytes > maxBytes && page.length > 0) return page;
      page.push(record);
    }
  }
  return page;
}
