import type { EvidenceSource } from "../../contract/record/kinds.ts";
import type { Tx } from "../engine/database.ts";
import { asShown } from "../device/group.ts";
import { type FlowPath, keepPlan, longestFlow, nthStart, pathsOf, withKeptPlan } from "./paths.ts";
import { anyMoved, scanKnown, scanMoved, scanPaths, type StoodFlow } from "./scans.ts";
import { type ShownFlow, toShownFlow } from "./shown-flows.ts";
import { sql } from "../engine/sql.ts";
import { portableSnapshot, SNAPSHOT_COLUMN } from "./walk.ts";

export interface FlowWindow {
  from: number;
  to: number;
  /** No flow of the window has a later anchor; where that is not known all later days are looked at. */
  anchorTo?: number;
}

export interface FlowFilter {
  /** Microseconds, half-open, on the flow's start. Null: no window (an incident's flows). */
  window: FlowWindow | null;
  deviceId?: string;
  /** Canonical address of either end. */
  peerIp?: string;
  proto?: string;
  /** In any case; one of several is enough. */
  service?: string;
  source?: EvidenceSource;
  incidentId?: string;
}

/** Where a page ended: start and id of its last flow. */
export interface FlowPosition {
  start: number;
  flowId: string;
  /** The snapshot that the walk began with; its later pages have flows where they stood then. */
  asOf?: string;
}

/** Flows by start, newest first, the id breaking ties; at most `limit`. Their devices are those that show. */
export async function listFlows(
  tx: Tx,
  tenantId: string,
  filter: FlowFilter,
  after: FlowPosition | null,
  limit: number,
): Promise<ShownFlow[]> {
  return await asShown(tx, tenantId, (await flowPage(tx, tenantId, filter, after, limit)).flows);
}

/**
 * A window is looked through in pieces, the newest first and each so much longer than the last: few pages need more than
 * the first, and few days are quicker to plan for than all.
 */
const FIRST_PIECE = 86_400_000_000;
const LONGER = 4;
/** Rows that a page looks through at most, piece by piece, where an index alone does not tell what is asked for. */
const STEPS = [1500, 3000];
/** Before every other flow of the same start. */
const LOWEST_ID = "00000000-0000-0000-0000-000000000000";

/**
 * A page of them, and the position of the next one, null after the last. A page that would have to look through too many
 * flows ends before it is full. It takes several statements: see `seeOneSnapshot`. Their devices are those of their own
 * addresses: see `asShown`.
 */
export async function flowPage(
  tx: Tx,
  tenantId: string,
  filter: FlowFilter,
  after: FlowPosition | null,
  limit: number,
): Promise<{ flows: ShownFlow[]; next: FlowPosition | null }> {
  // Every path has an index in the order of time: anything else would fetch all of a busy device's or a day's flows to sort
  // them.
  const indexesOnly = sql`
    select set_config('enable_bitmapscan', 'off', true), set_config('enable_seqscan', 'off', true), ${SNAPSHOT_COLUMN}`;
  const [[settled], longest, paths] = await Promise.all([
    tx.rows<{ as_of: string }>(indexesOnly),
    filter.window === null || filter.incidentId !== undefined ? 0 : longestFlow(tx, tenantId),
    pathsOf(tx, tenantId, filter),
  ]);
  const { rows, reached } = await readRows({ tx, tenantId, filter, paths, after }, longest, limit + 1);
  const flows = rows.slice(0, limit).map(toShownFlow);
  const isFull = rows.length > limit;
  if (!isFull && reached === null) return { flows, next: null };
  const asOf = after?.asOf ?? portableSnapshot(settled!.as_of);
  if (!isFull) return { flows, next: { start: reached!, flowId: LOWEST_ID, asOf } };
  const last = rows[limit - 1]!;
  return { flows, next: { start: placeOf(last), flowId: last.flow_id, asOf } };
}

/** Lets all statements of a transaction see the same rows; it must be the first of them. */
export async function seeOneSnapshot(tx: Tx): Promise<void> {
  await tx.run(sql`set transaction isolation level repeatable read`);
}

/** What a page is looked for with. */
interface Search {
  tx: Tx;
  tenantId: string;
  filter: FlowFilter;
  paths: readonly FlowPath[];
  after: FlowPosition | null;
}

/** At most `limit` rows; `reached` is where looking through them stopped before the end of the window, if it did. */
async function readRows(
  search: Search,
  longest: number,
  limit: number,
): Promise<{ rows: StoodFlow[]; reached: number | null }> {
  const { filter } = search;
  if (filter.incidentId !== undefined) {
    return { rows: await readKnown(search, filter.incidentId, limit), reached: null };
  }
  if (filter.window !== null) return await readPieces(search, filter.window, longest, limit);
  return { rows: await readPiece(search, null, await readMoved(search, limit), limit), reached: null };
}

/** The rows of an incident. */
async function readKnown(
  { tx, tenantId, filter, paths, after }: Search,
  incidentId: string,
  limit: number,
): Promise<StoodFlow[]> {
  const flowIds = await incidentFlows(tx, tenantId, incidentId);
  return await tx.rows<StoodFlow>(keepPlan(scanKnown(tenantId, flowIds, filter, paths, after, limit)));
}

/** Reads rows of the window piece by piece, the newest first. */
async function readPieces(
  search: Search,
  window: FlowWindow,
  longest: number,
  limit: number,
): Promise<{ rows: StoodFlow[]; reached: number | null }> {
  const { tx, tenantId, filter, paths, after } = search;
  const rows: StoodFlow[] = [];
  const areFew = paths.every(({ few }) => few);
  const isTold = areFew || paths.every(({ rest }) => rest.length === 0);
  // Up to the position itself: flows of the same start may follow.
  let to = after === null ? window.to : Math.min(window.to, after.start + 1);
  // The anchor of whatever a wild clock puts before 1970 is 1970.
  const anchorBefore = (end: number) => Math.max(end + longest, 0);
  const whole = { ...window, anchorTo: anchorBefore(to) };
  const moved = await readMoved({ ...search, filter: { ...filter, window: whole } }, limit);
  let length = areFew ? Infinity : FIRST_PIECE;
  let from = Math.max(window.from, to - length);
  let looks = 0;
  while (to > window.from) {
    const looked = { from, to, anchorTo: anchorBefore(to) };
    const reach = isTold ? null : await nthStart(tx, tenantId, looked, paths, STEPS[looks]!);
    const piece = { ...looked, from: reach ?? from };
    rows.push(...await readPiece(search, piece, moved, limit - rows.length));
    if (rows.length >= limit) return { rows, reached: null };
    to = piece.from;
    if (reach !== null && ++looks === STEPS.length && to > window.from) return { rows, reached: to };
    if (to > from) continue;
    // Where the plan for all the days is kept, they cost no more than a few.
    length *= paths.every(({ unseen }) => unseen) ? Infinity : LONGER;
    from = Math.max(window.from, to - length);
  }
  return { rows, reached: null };
}

/** Rows of a piece of the window, null for all of it, with those of `moved` that stood there. */
async function readPiece(
  { tx, tenantId, filter, paths, after }: Search,
  piece: FlowWindow | null,
  moved: readonly StoodFlow[],
  limit: number,
): Promise<StoodFlow[]> {
  const statement = scanPaths(tenantId, { ...filter, window: piece }, paths, after, limit);
  const rows = await tx.rows<StoodFlow>(piece === null ? statement : withKeptPlan(statement, piece, paths));
  const here = moved.filter((flow) =>
    piece === null || (placeOf(flow) >= piece.from && placeOf(flow) < piece.to)
  );
  return here.length === 0 ? rows : [...rows, ...here].sort(byPlace).slice(0, limit);
}

/** What has moved since the walk began; none on its first page. */
async function readMoved(
  { tx, tenantId, filter, paths, after }: Search,
  limit: number,
): Promise<StoodFlow[]> {
  if (after?.asOf === undefined) return [];
  const { asOf } = after;
  const some = await tx.rows(keepPlan(anyMoved(tenantId, filter, asOf)));
  if (some.length === 0) return [];
  return await tx.rows<StoodFlow>(scanMoved(tenantId, filter, paths, { ...after, asOf }, limit));
}

function placeOf({ stood_at, start_at }: StoodFlow): number {
  return stood_at ?? start_at;
}

/** The newest first; ids that are equal in length and case compare as their bytes do. */
function byPlace(a: StoodFlow, b: StoodFlow): number {
  return placeOf(b) - placeOf(a) || (a.flow_id < b.flow_id ? 1 : -1);
}

async function incidentFlows(tx: Tx, tenantId: string, incidentId: string): Promise<string[]> {
  const rows = await tx.rows<{ flow_id: string }>(sql`
    select distinct flow_id from incident_evidence
    where tenant_id = ${tenantId} and incident_id = ${incidentId}::uuid`);
  return rows.map((row) => row.flow_id);
}
