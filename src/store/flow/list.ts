import type { Tx } from "../engine/database.ts";
import type { FlowPosition, FlowSearch } from "./filter.ts";
import { type FlowPath, keepPlan, nthStart, pathsOf, withKeptPlan } from "./paths.ts";
import { type FlowScan, scanKnown, scanPaths } from "./scans.ts";
import { type ShownFlow, type ShownFlowRow, toShownFlow } from "./shown-flows.ts";
import { setting, sql } from "../engine/sql.ts";

/**
 * A window is read in pieces, newest first, each piece `GROWTH` times as long as the one before: most pages
 * need only the first, and a statement on few day partitions is planned faster than one on all.
 */
const FIRST_PIECE = 86_400_000_000;
const GROWTH = 4;
/**
 * Rows that a page examines at most, piece by piece, when no index answers all of its conditions: of a list, which
 * programs page through, and of a search, of which most pages are rare.
 */
const SCAN_LIMITS = { list: [1500, 3000], search: [2000, 20_000] } as const;
/** How far a page goes to be full. */
export type ScanEffort = keyof typeof SCAN_LIMITS;
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
  search: FlowSearch,
  { after, limit, effort }: { after: FlowPosition | null; limit: number; effort: ScanEffort },
): Promise<FlowPage> {
  // Every path has an index in time order. Any other plan fetches and sorts all flows of a busy device or of
  // a day.
  const indexesOnly = setting(sql`
    select set_config('enable_bitmapscan', 'off', true), set_config('enable_seqscan', 'off', true)`);
  const page = { tenantId, after, limit: limit + 1 };
  const [, { rows, reached }] = await Promise.all([
    tx.run(indexesOnly),
    search.access?.by === "id"
      ? readKnown(tx, page, search, search.access)
      : pathsOf(tx, tenantId, search.access).then((paths) =>
        readPieces(tx, page, { ...search, paths }, SCAN_LIMITS[effort])
      ),
  ]);
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

type Page = Pick<FlowScan, "tenantId" | "after" | "limit">;

interface Found {
  rows: ShownFlowRow[];
  /** The start (microseconds) that the scan stopped at when it gave up before the end of the window. */
  reached: number | null;
}

/** Reads the part of the window in which the flows are known. */
async function readKnown(
  tx: Tx,
  page: Page,
  { window, conditionsIn, hasUsualForm }: FlowSearch,
  { flowIds, from }: { flowIds: readonly string[]; from: number },
): Promise<Found> {
  const part = { ...window, from: Math.max(window.from, from) };
  const statement = scanKnown(flowIds, { ...page, window: part, conditions: conditionsIn(part) });
  const rows = await tx.rows<ShownFlowRow>(hasUsualForm ? keepPlan(statement) : statement);
  const isWhole = part.from === window.from || rows.length >= page.limit;
  return { rows, reached: isWhole ? null : part.from };
}

/** Reads the window piece by piece, newest first. */
async function readPieces(
  tx: Tx,
  { tenantId, after, limit }: Page,
  { window, paths, conditionsIn, hasUsualForm }: FlowSearch & { paths: readonly FlowPath[] },
  limits: readonly number[],
): Promise<Found> {
  const longest = window.anchorTo - window.to;
  const rows: ShownFlowRow[] = [];
  const areFew = paths.every(({ few }) => few);
  const isIndexed = areFew ||
    (conditionsIn(window).length === 0 && paths.every(({ rest }) => rest.length === 0));
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
    const conditions = conditionsIn(piece);
    const statement = scanPaths(paths, {
      tenantId,
      window: piece,
      conditions,
      after,
      limit: limit - rows.length,
    });
    rows.push(
      ...await tx.rows<ShownFlowRow>(hasUsualForm ? withKeptPlan(statement, piece, paths) : statement),
    );
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
