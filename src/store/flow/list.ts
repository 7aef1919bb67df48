import type { Tx } from "../engine/database.ts";
import type { FlowFilter, FlowPosition, FlowWindow } from "./filter.ts";
import { keepPlan, longestFlow, nthStart, pathsOf, withKeptPlan } from "./paths.ts";
import { type FlowScan, scanKnown, scanPaths } from "./scans.ts";
import { type ShownFlow, type ShownFlowRow, toShownFlow } from "./shown-flows.ts";
import { setting, sql } from "../engine/sql.ts";

/**
 * A window is read in pieces, newest first, each piece `GROWTH` times as long as the one before: most pages
 * need only the first, and a statement on few day partitions is planned faster than one on all.
 */
const FIRST_PIECE = 86_400_000_000;
const GROWTH = 4;
/** Rows that a page examines at most, piece by piece, when no index answers the whole filter. */
const SCAN_LIMITS = [1500, 3000];
/** As `SCAN_LIMITS`, for the conditions of a search, of which most pages are rare. */
const SEARCH_LIMITS = [2000, 20_000];
/** Sorts after every other flow of the same start in a descending list. */
const LOWEST_ID = "00000000-0000-0000-0000-000000000000";

export interface FlowPage {
  flows: ShownFlow[];
  next: FlowPosition | null;
  /** The start (microseconds) down to which flows were examined, if the page ended before it was full. */
  reached: number | null;
}

/**
 * A page of at most `limit` flows by start, newest first, ids breaking ties; and the position of the next
 * page, null after the last. A page that would have to examine too many flows ends early, so it may be short
 * or empty and still have a next page.
 *
 * Paging is by key, without a snapshot: a flow whose start moves back between two pages may appear twice; a
 * flow is never skipped because others were inserted. The page itself takes several statements: see
 * `useRepeatableRead`. The flows carry the devices of their own addresses; `asShown` replaces merged ones.
 */
export async function flowPage(
  tx: Tx,
  tenantId: string,
  filter: FlowFilter,
  after: FlowPosition | null,
  limit: number,
): Promise<FlowPage> {
  // Every path has an index in time order. Any other plan fetches and sorts all flows of a busy device or of
  // a day.
  const indexesOnly = setting(sql`
    select set_config('enable_bitmapscan', 'off', true), set_config('enable_seqscan', 'off', true)`);
  const [, longest, paths] = await Promise.all([
    tx.run(indexesOnly),
    filter.window === null || filter.incidentId !== undefined ? 0 : longestFlow(tx, tenantId),
    pathsOf(tx, tenantId, filter),
  ]);
  const scan = { tenantId, filter, paths, after, limit: limit + 1 };
  const { rows, reached } = await readRows(tx, scan, longest);
  const flows = rows.slice(0, limit).map(toShownFlow);
  if (rows.length > limit) {
    const last = rows[limit - 1]!;
    return { flows, next: { start: last.start_at, flowId: last.flow_id }, reached: null };
  }
  return { flows, next: reached === null ? null : { start: reached, flowId: LOWEST_ID }, reached };
}

/** Makes all statements of a transaction read the same rows; must be its first statement. */
export async function useRepeatableRead(tx: Tx): Promise<void> {
  await tx.run(sql`set transaction isolation level repeatable read`);
}

interface Found {
  rows: ShownFlowRow[];
  /** The start (microseconds) that the scan stopped at when it gave up before the end of the window. */
  reached: number | null;
}

async function readRows(tx: Tx, scan: FlowScan, longest: number): Promise<Found> {
  const { incidentId, search, window } = scan.filter;
  if (search?.access?.by === "id" && window !== null) {
    return await readSearched(tx, scan, search.access, window);
  }
  if (incidentId !== undefined) return { rows: await readKnown(tx, scan, incidentId), reached: null };
  if (window !== null) return await readPieces(tx, scan, window, longest);
  return { rows: await readPiece(tx, scan, null), reached: null };
}

/** The flows of an incident. */
async function readKnown(tx: Tx, scan: FlowScan, incidentId: string): Promise<ShownFlowRow[]> {
  const flowIds = await incidentFlows(tx, scan.tenantId, incidentId);
  return await tx.rows<ShownFlowRow>(keepPlan(scanKnown(flowIds, scan)));
}

/** The part of a search's window in which its flows are known. */
async function readSearched(
  tx: Tx,
  scan: FlowScan,
  { flowIds, from }: { flowIds: readonly string[]; from: number },
  window: FlowWindow,
): Promise<Found> {
  const part = { ...window, from: Math.max(window.from, from) };
  const statement = scanKnown(flowIds, { ...scan, filter: { ...scan.filter, window: part } });
  const rows = await tx.rows<ShownFlowRow>(statement);
  const isWhole = part.from === window.from || rows.length >= scan.limit;
  return { rows, reached: isWhole ? null : part.from };
}

/** Reads the window piece by piece, newest first. */
async function readPieces(
  tx: Tx,
  scan: FlowScan,
  window: FlowWindow,
  longest: number,
): Promise<Found> {
  const { tenantId, paths, after, limit } = scan;
  const rows: ShownFlowRow[] = [];
  const areFew = paths.every(({ few }) => few);
  const { search } = scan.filter;
  const limits = search === undefined ? SCAN_LIMITS : SEARCH_LIMITS;
  const isIndexed = areFew || (search === undefined && paths.every(({ rest }) => rest.length === 0));
  // The position's own microsecond is included: flows of the same start may follow.
  let to = after === null ? window.to : Math.min(window.to, after.start + 1);
  let length = areFew ? Infinity : FIRST_PIECE;
  let from = Math.max(window.from, to - length);
  let scans = 0;
  while (to > window.from) {
    // Flows that a wild clock dates before 1970 have their anchor in 1970.
    const bounded = { from, to, anchorTo: Math.max(to + longest, 0) };
    const reach = isIndexed ? null : await nthStart(tx, tenantId, bounded, paths, limits[scans]!);
    const piece = { ...bounded, from: reach ?? from };
    rows.push(...await readPiece(tx, { ...scan, limit: limit - rows.length }, piece));
    if (rows.length >= limit) return { rows, reached: null };
    to = piece.from;
    if (reach !== null && ++scans === limits.length && to > window.from) return { rows, reached: to };
    if (to > from) continue;
    // With a kept plan, all days cost no more than a few.
    length *= paths.every(({ unseen }) => unseen) ? Infinity : GROWTH;
    from = Math.max(window.from, to - length);
  }
  return { rows, reached: null };
}

/** Reads one piece of the window; null reads without a window. */
async function readPiece(tx: Tx, scan: FlowScan, piece: FlowWindow | null): Promise<ShownFlowRow[]> {
  const statement = scanPaths({ ...scan, filter: { ...scan.filter, window: piece } });
  // A search has a form of its own, and no plan is kept for it.
  if (scan.filter.search !== undefined) return await tx.rows<ShownFlowRow>(statement);
  return await tx.rows<ShownFlowRow>(piece === null ? statement : withKeptPlan(statement, piece, scan.paths));
}

async function incidentFlows(tx: Tx, tenantId: string, incidentId: string): Promise<string[]> {
  const rows = await tx.rows<{ flow_id: string }>(sql`
    select distinct flow_id from incident_evidence
    where tenant_id = ${tenantId} and incident_id = ${incidentId}::uuid`);
  return rows.map((row) => row.flow_id);
}
