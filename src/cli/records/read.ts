import { type FailedRecord, MAX_FAILED_RAW_BYTES } from "../../contract/record/failed-record.ts";
import type { Database } from "../../store/engine/database.ts";
import { listTenants } from "../../store/engine/tenants.ts";
import {
  type FailedFilter,
  failedPage,
  type FailedPosition,
  failedRecord,
  type FailedRow,
  failedTexts,
} from "../../store/record/failed-records.ts";
import type { AnswerOf, QueryOf } from "../../contract/request/client.ts";
import { coreApi } from "../search/core-api.ts";
import type { SearchInstallation } from "../search/installation.ts";
import { DatabaseInputError } from "../existing-database.ts";

/** A failed record with its tenant. */
export type FoundRecord = { tenant_id: string } & FailedRecord;

interface FoundRow {
  tenantId: string;
  row: FailedRow;
}

type FailedRecordsQuery = QueryOf<"listRecords">;

/** Rows read in one statement. */
const PAGE = 500;
/** Records whose texts are read at once: at most 6.25 MiB of them. */
const TEXTS_AT_ONCE = 100;

/**
 * The newest `limit` failed records, oldest first; of one tenant, or of all. Texts are read as they are
 * consumed, so that memory is bounded.
 *
 * @throws DatabaseInputError for an unknown tenant
 */
export async function* readFailed(
  db: Database,
  tenantId: string | null,
  filter: FailedFilter,
  limit: number,
): AsyncGenerator<FoundRecord> {
  const known = await listTenants(db);
  requireTenant(tenantId, known);
  let newest: FoundRow[] = [];
  for (const id of tenantId === null ? known : [tenantId]) {
    const rows = await newestRows(db, id, filter, limit);
    newest = [...newest, ...rows.map((row) => ({ tenantId: id, row }))]
      .sort((a, b) => a.row.receivedAt - b.row.receivedAt).slice(-limit);
  }
  for (let next = 0; next < newest.length; next += TEXTS_AT_ONCE) {
    yield* await withTexts(db, newest.slice(next, next + TEXTS_AT_ONCE));
  }
}

/**
 * As `readFailed`, from the running core; all texts are in memory.
 *
 * @throws DatabaseInputError for an unknown tenant; Refused, CoreUnreachable
 */
export async function askFailed(
  installation: SearchInstallation,
  tenantId: string | null,
  query: Pick<FailedRecordsQuery, "status" | "sensor_id" | "source" | "kind" | "from" | "to">,
  limit: number,
): Promise<FoundRecord[]> {
  const known = installation.tenantIds;
  requireTenant(tenantId, known);
  let newest: FoundRecord[] = [];
  for (const id of tenantId === null ? known : [tenantId]) {
    const call = coreApi(installation, id, { subject: "ndr records", role: "admin" });
    const found: FailedRecord[] = [];
    let cursor: string | null = null;
    do {
      const wanted = Math.min(PAGE, limit - found.length);
      const page: AnswerOf<"listRecords"> = await call("listRecords", {
        query: { ...query, cursor, limit: wanted },
      });
      found.push(...page.data);
      cursor = page.next_cursor;
    } while (cursor !== null && found.length < limit);
    const own = found.reverse().map((record) => ({ tenant_id: id, ...record }));
    newest = [...newest, ...own]
      .sort((a, b) => Date.parse(a.received_at) - Date.parse(b.received_at)).slice(-limit);
  }
  return newest;
}

function requireTenant(tenantId: string | null, known: readonly string[]): void {
  if (tenantId === null || known.includes(tenantId)) return;
  throw new DatabaseInputError(`there is no tenant ${tenantId}; there are: ${known.join(", ") || "none"}`);
}

/** The newest rows, oldest first. */
async function newestRows(
  db: Database,
  tenantId: string,
  filter: FailedFilter,
  limit: number,
): Promise<FailedRow[]> {
  const rows: FailedRow[] = [];
  let before: FailedPosition | null = null;
  do {
    const wanted = Math.min(PAGE, limit - rows.length);
    const page: Awaited<ReturnType<typeof failedPage>> = await db.tenant(
      tenantId,
      (tx) => failedPage(tx, tenantId, filter, before, wanted),
    );
    rows.push(...page.rows);
    before = page.next;
  } while (before !== null && rows.length < limit);
  return rows.reverse();
}

async function withTexts(db: Database, found: readonly FoundRow[]): Promise<FoundRecord[]> {
  const texts = new Map<FailedRow, FailedRecord>();
  for (const [tenantId, own] of Map.groupBy(found, (one) => one.tenantId)) {
    const rows = own.map(({ row }) => row);
    const raws = await db.tenant(tenantId, (tx) => failedTexts(tx, tenantId, rows, MAX_FAILED_RAW_BYTES));
    rows.forEach((row, index) => texts.set(row, failedRecord(row, raws[index]!)));
  }
  return found.map(({ tenantId, row }) => ({ tenant_id: tenantId, ...texts.get(row)! }));
}
