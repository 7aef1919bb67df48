import { Buffer } from "node:buffer";
import {
  FAILED_STATUSES,
  type FailedRecord,
  type FailedStatus,
} from "../../contract/record/failed-record.ts";
import { type RecordKind, sourceOfKind } from "../../contract/record/kinds.ts";
import { formatMillis } from "../../kit/time.ts";
import { originalLine } from "./block.ts";
import type { Tx } from "../engine/database.ts";
import { plainArray, textArray, timestampLiteral } from "../engine/literals.ts";
import { all, type Sql, sql } from "../engine/sql.ts";
import { readRaw } from "./raw-read.ts";

export interface FailedFilter {
  /** Both if undefined. */
  status?: FailedStatus;
  /** Receipt: half-open, microseconds. */
  window: { from: number; to: number };
  sensorId?: string;
  /** Any of these kinds. */
  kinds?: readonly RecordKind[];
}

/** Where a page ended; later pages have what sorts below. */
export interface FailedPosition {
  receivedAt: number;
  /** Hexadecimal; empty below every id. */
  id: string;
  sensorId: string;
}

/** A failed record without its text. Times in microseconds. */
export interface FailedRow {
  status: FailedStatus;
  /** Hexadecimal. */
  id: string;
  sensorId: string;
  kind: RecordKind | null;
  receivedAt: number;
  observedAt: number | null;
  reason: string;
  /** Where the text of an unparsed record is; null for a rejected line. */
  place: { blockId: number | bigint; position: number } | null;
}

interface RawText {
  text: string;
  /** Size of the whole text. */
  bytes: number;
  truncated: boolean;
}

/** Rows that a page with a filter examines at most; an index of the time answers the rest. */
const EXAMINED = 20_000;

interface Table {
  /** The columns of `StoredRow`. */
  columns: Sql;
  /** FROM and the condition that selects failed records. */
  rows: Sql;
  /** The unique identifier within a sensor. */
  id: Sql;
}

interface StoredRow {
  id: string;
  sensor_id: string;
  kind: RecordKind | null;
  received_at: number;
  observed_at: number | null;
  reason: string;
  block_id: number | bigint | null;
  position: number | null;
}

const TABLES: Record<FailedStatus, Table> = {
  unparsed: {
    columns:
      sql`encode(event_id, 'hex') as id, sensor_id, kind, received_at, observed_at, parse_reason as reason,
      block_id, position`,
    rows: sql`raw_record where parse_status = 'unparsed'`,
    id: sql`event_id`,
  },
  rejected: {
    columns:
      sql`encode(line_hash, 'hex') as id, sensor_id, kind, received_at, null::timestamptz as observed_at, reason,
      null::bigint as block_id, null::smallint as position`,
    rows: sql`rejected_line where true`,
    id: sql`line_hash`,
  },
};

interface Page {
  rows: FailedRow[];
  next: FailedPosition | null;
}

/**
 * A page of at most `limit` failed records by receipt, newest first; and the position of the next page, null
 * after the last. A page that would have to examine too many rows ends early, so it may be short or empty and
 * still have a next page.
 */
export async function failedPage(
  tx: Tx,
  tenantId: string,
  filter: FailedFilter,
  before: FailedPosition | null,
  limit: number,
): Promise<Page> {
  // Every status has an index in the order of the list. Any other plan reads and sorts the whole window.
  await tx.run(sql`
    select set_config('enable_bitmapscan', 'off', true), set_config('enable_seqscan', 'off', true),
      set_config('enable_sort', 'off', true)`);
  const pages: Page[] = [];
  for (const status of filter.status === undefined ? FAILED_STATUSES : [filter.status]) {
    const scan = { tenantId, status, window: filter.window, before };
    pages.push(await pageOfStatus(tx, scan, matching(filter), limit));
  }
  return merged(pages, limit);
}

async function pageOfStatus(tx: Tx, scan: Scan, conditions: readonly Sql[], limit: number): Promise<Page> {
  const reached = conditions.length > 0 ? await nthReceipt(tx, scan, EXAMINED) : null;
  const window = { from: reached ?? scan.window.from, to: scan.window.to };
  const found = await tx.rows<StoredRow>(sql`
    select ${TABLES[scan.status].columns} from ${inOrder({ ...scan, window }, conditions)} limit ${
    limit + 1
  }`);
  const rows = found.slice(0, limit).map((row) => toFailedRow(scan.status, row));
  if (found.length > limit) return { rows, next: positionOf(rows.at(-1)!) };
  return { rows, next: reached === null ? null : { receivedAt: reached, id: "", sensorId: "" } };
}

/** The first rows of several pages, down to where one of them ends. */
function merged(pages: readonly Page[], limit: number): Page {
  const [end = null] = pages.flatMap(({ next }) => next ?? []).sort(newestFirst);
  const rows = pages.flatMap((page) => page.rows)
    .filter((row) => end === null || newestFirst(row, end) <= 0).sort(newestFirst);
  return rows.length > limit
    ? { rows: rows.slice(0, limit), next: positionOf(rows[limit - 1]!) }
    : { rows, next: end };
}

function newestFirst(a: FailedPosition, b: FailedPosition): number {
  return b.receivedAt - a.receivedAt || descending(a.id, b.id) || descending(a.sensorId, b.sensorId);
}

function descending(a: string, b: string): number {
  return a === b ? 0 : a > b ? -1 : 1;
}

/** The position after a row. */
export function positionOf({ receivedAt, id, sensorId }: FailedRow): FailedPosition {
  return { receivedAt, id, sensorId };
}

/**
 * The texts of failed records, in order; null if retention has removed one. Texts above `maxBytes` are cut,
 * and at most a few blocks are in memory at once.
 */
export async function failedTexts(
  tx: Tx,
  tenantId: string,
  rows: readonly FailedRow[],
  maxBytes: number,
): Promise<(RawText | null)[]> {
  const texts = new Map<FailedRow, RawText>();
  const unparsed = rows.filter(({ place }) => place !== null);
  const places = unparsed.map(({ receivedAt, place }) => ({
    received_at: receivedAt,
    block_id: place!.blockId,
    position: place!.position,
  }));
  const raws = await readRaw(tx, tenantId, places, maxBytes);
  unparsed.forEach((row, index) => {
    const raw = raws[index];
    if (raw) texts.set(row, { text: raw.payload, bytes: raw.payloadBytes, truncated: raw.truncated });
  });

  const rejected = rows.filter(({ place }) => place === null);
  const lines = await rejectedLines(tx, tenantId, rejected, maxBytes);
  for (const row of rejected) {
    const line = lines.get(lineKey(row.sensorId, row.id));
    if (line) texts.set(row, line);
  }
  return rows.map((row) => texts.get(row) ?? null);
}

/** A failed record as the API shows it. */
export function failedRecord(row: FailedRow, raw: RawText | null): FailedRecord {
  return {
    record_id: row.id,
    status: row.status,
    sensor_id: row.sensorId,
    source: row.kind && sourceOfKind(row.kind),
    kind: row.kind,
    received_at: formatMillis(row.receivedAt),
    observed_at: row.observedAt === null ? null : formatMillis(row.observedAt),
    reason: row.reason,
    raw: raw?.text ?? null,
    raw_bytes: raw?.bytes ?? null,
    truncated: raw?.truncated ?? false,
  };
}

interface Scan {
  tenantId: string;
  status: FailedStatus;
  window: { from: number; to: number };
  before: FailedPosition | null;
}

/** Receipt of the `n`th row of a scan in microseconds; null if it has fewer. */
async function nthReceipt(tx: Tx, scan: Scan, n: number): Promise<number | null> {
  const [row] = await tx.rows<{ received_at: number }>(
    sql`select received_at from ${inOrder(scan, [])} offset ${n - 1} limit 1`,
  );
  return row?.received_at ?? null;
}

/** FROM, WHERE and ORDER BY of the rows of a scan that match further conditions. */
function inOrder({ tenantId, status, window, before }: Scan, conditions: readonly Sql[]): Sql {
  const { rows, id } = TABLES[status];
  const within = [
    sql`tenant_id = ${tenantId}`,
    sql`received_at >= ${timestampLiteral(window.from)}::timestamptz`,
    sql`received_at < ${timestampLiteral(window.to)}::timestamptz`,
    ...before === null ? [] : isBefore(before, id),
  ];
  return sql`${rows} and ${
    all([...within, ...conditions])
  } order by received_at desc, ${id} desc, sensor_id desc`;
}

function isBefore(position: FailedPosition, id: Sql): Sql[] {
  const at = timestampLiteral(position.receivedAt);
  const bytes = Buffer.from(position.id, "hex");
  // Not a row comparison: the first condition is the one that uses the index.
  return [
    sql`received_at <= ${at}::timestamptz`,
    sql`(received_at < ${at}::timestamptz or ${id} < ${bytes}::bytea
      or (${id} = ${bytes}::bytea and sensor_id < ${position.sensorId}))`,
  ];
}

function matching({ sensorId, kinds }: FailedFilter): Sql[] {
  return [
    ...sensorId === undefined ? [] : [sql`sensor_id = ${sensorId}`],
    ...kinds === undefined ? [] : [sql`kind = any(${textArray(kinds)}::text[])`],
  ];
}

function toFailedRow(status: FailedStatus, row: StoredRow): FailedRow {
  return {
    status,
    id: row.id,
    sensorId: row.sensor_id,
    kind: row.kind,
    receivedAt: row.received_at,
    observedAt: row.observed_at,
    reason: row.reason,
    place: row.block_id === null ? null : { blockId: row.block_id, position: row.position! },
  };
}

const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });

/** Rejected lines in memory at once: each may have megabytes. */
const LINES_AT_ONCE = 4;

/** Rejected lines by sensor and hash, decoded. */
async function rejectedLines(
  tx: Tx,
  tenantId: string,
  wanted: readonly FailedRow[],
  maxBytes: number,
): Promise<Map<string, RawText>> {
  const found = new Map<string, RawText>();
  for (let next = 0; next < wanted.length; next += LINES_AT_ONCE) {
    const part = wanted.slice(next, next + LINES_AT_ONCE);
    const sensors = textArray(part.map(({ sensorId }) => sensorId));
    const hashes = plainArray(part.map(({ id }) => id));
    const rows = await tx.rows<
      { sensor_id: string; id: string; line: Uint8Array; line_bytes: number | null }
    >(sql`
      select u.sensor_id, u.id, l.line, l.line_bytes
      from unnest(${sensors}::text[], ${hashes}::text[]) as u (sensor_id, id)
      cross join lateral (
        select line, line_bytes from rejected_line
        where tenant_id = ${tenantId} and sensor_id = u.sensor_id and line_hash = decode(u.id, 'hex') limit 1
      ) l`);
    for (const row of rows) {
      const line = originalLine(row.line, row.line_bytes);
      const truncated = line.length > maxBytes;
      // A streaming decoder keeps back a character that the cut divides.
      const text = truncated
        ? new TextDecoder("utf-8", { ignoreBOM: true }).decode(line.subarray(0, maxBytes), { stream: true })
        : utf8.decode(line);
      found.set(lineKey(row.sensor_id, row.id), { text, bytes: line.length, truncated });
    }
  }
  return found;
}

function lineKey(sensorId: string, id: string): string {
  return `${id} ${sensorId}`;
}
