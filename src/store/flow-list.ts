import type { EvidenceSource } from "../contract/kinds.ts";
import type { Tx } from "./database.ts";
import { asShown } from "./device-group.ts";
import { type FlowPath, keepPlan, longestFlow, nthStart, pathsOf, withKeptPlan } from "./flow-paths.ts";
import { lookUps } from "./flow-read.ts";
import { timestampLiteral } from "./literals.ts";
import { SHOWN_COLUMNS, type ShownFlow, type ShownFlowRow, toShownFlow } from "./shown-flows.ts";
import { all, type Sql, sql } from "./sql.ts";
import { movedSince, portableSnapshot, SNAPSHOT_COLUMN, valueAt } from "./walk.ts";

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
  // Every path has an index in the order of time, but for rare addresses: anything else would fetch all of a busy device's
  // or a day's flows to sort them.
  const indexesOnly = sql`
    select set_config('enable_bitmapscan', 'off', true), set_config('enable_seqscan', 'off', true)`;
  const isSimple = filter.window === null || filter.incidentId !== undefined;
  const [, longest, paths] = await Promise.all([
    tx.rows(indexesOnly),
    isSimple ? 0 : longestFlow(tx, tenantId),
    pathsOf(tx, tenantId, filter),
  ]);
  const found: StoodFlow[] = [];
  let reached: number | null = null;
  if (isSimple) found.push(...await readPiece(tx, tenantId, filter, paths, after, limit + 1));
  else reached = await readPieces(tx, tenantId, filter, { paths, longest }, after, limit + 1, found);
  const rows = found.slice(0, limit);
  const flows = rows.map(toShownFlow);
  const last = found.length > limit ? rows.at(-1) : undefined;
  if (last === undefined && reached === null) return { flows, next: null };
  const asOf = after?.asOf ?? portableSnapshot(rows.at(-1)?.as_of ?? await snapshot(tx));
  if (last !== undefined) return { flows, next: { start: last.stood_at, flowId: last.flow_id, asOf } };
  return { flows, next: { start: reached!, flowId: LOWEST_ID, asOf } };
}

/** Lets all statements of a transaction see the same rows; it must be the first of them. */
export async function seeOneSnapshot(tx: Tx): Promise<void> {
  await tx.run(sql`set transaction isolation level repeatable read`);
}

type StoodFlow = ShownFlowRow & { stood_at: number; as_of: string };

async function snapshot(tx: Tx): Promise<string> {
  const [row] = await tx.rows<{ as_of: string }>(sql`select ${SNAPSHOT_COLUMN}`);
  return row!.as_of;
}

/** Adds rows of the window piece by piece, the newest first. Gives where it stopped before the end, if it did. */
async function readPieces(
  tx: Tx,
  tenantId: string,
  filter: FlowFilter,
  { paths, longest }: { paths: readonly FlowPath[]; longest: number },
  after: FlowPosition | null,
  limit: number,
  found: StoodFlow[],
): Promise<number | null> {
  const window = filter.window!;
  const areFew = paths.every(({ few }) => few);
  const isTold = areFew || paths.every(({ rest }) => rest.length === 0);
  // Up to the position itself: flows of the same start may follow.
  let to = after === null ? window.to : Math.min(window.to, after.start + 1);
  let length = areFew ? Infinity : FIRST_PIECE;
  let from = Math.max(window.from, to - length);
  let looks = 0;
  while (to > window.from) {
    // The anchor of whatever a wild clock puts before 1970 is 1970.
    const anchorTo = Math.max(to + longest, 0);
    const looked = { from, to, anchorTo };
    const reach = isTold ? null : await nthStart(tx, tenantId, looked, paths, STEPS[looks]!);
    const piece = { ...filter, window: { from: reach ?? from, to, anchorTo } };
    found.push(...await readPiece(tx, tenantId, piece, paths, after, limit - found.length));
    if (found.length >= limit) return null;
    to = piece.window.from;
    if (reach !== null && ++looks === STEPS.length && to > window.from) return to;
    if (to > from) continue;
    // Where the plan for all the days is kept, they cost no more than a few.
    length *= paths.every(({ unseen }) => unseen) ? Infinity : LONGER;
    from = Math.max(window.from, to - length);
  }
  return null;
}

async function readPiece(
  tx: Tx,
  tenantId: string,
  filter: FlowFilter,
  paths: readonly FlowPath[],
  after: FlowPosition | null,
  limit: number,
): Promise<StoodFlow[]> {
  const { scans, order } = await scansOf(tx, tenantId, filter, paths, after, limit);
  const statement = sql`
    select scans.*, ${SNAPSHOT_COLUMN} from (${unionAll(scans)}) scans ${order}`;
  return await tx.rows<StoodFlow>(planned(statement, filter, paths, after));
}

/**
 * With its plan kept, where it may be. Not for later pages: what moved since the first the planner must see, to know that it
 * is next to nothing. An incident's flows are looked up one by one on any page.
 */
function planned(
  statement: Sql,
  filter: FlowFilter,
  paths: readonly FlowPath[],
  after: FlowPosition | null,
): Sql {
  if (filter.incidentId !== undefined) return keepPlan(statement);
  return filter.window === null || after !== null ? statement : withKeptPlan(statement, filter.window, paths);
}

/** Queries that together find the page, each flow once; `stood_at` is where the walk has the flow. */
async function scansOf(
  tx: Tx,
  tenantId: string,
  filter: FlowFilter,
  paths: readonly FlowPath[],
  after: FlowPosition | null,
  limit: number,
): Promise<{ scans: Sql[]; order: Sql }> {
  const order = sql`order by stood_at desc, flow_id desc limit ${limit}`;
  const ends = paths.map(({ key, rest }) => [...key, ...rest]);
  const either = ends.map((end) => sql`(${all(end)})`).reduce((left, right) => sql`${left} or ${right}`);
  const about = [...fixedConditions(tenantId, filter), sql`(${either})`];
  const stood = after?.asOf === undefined
    ? sql`flow.start_at`
    : valueAt(sql`flow`, sql`flow.start_at`, after.asOf);
  const within = all(startConditions(sql`found.stood_at`, filter, after));

  if (filter.incidentId !== undefined) {
    const flowIds = await incidentFlows(tx, tenantId, filter.incidentId);
    const some = lookUps(flowIds, about, sql`${SHOWN_COLUMNS}, ${stood} as stood_at`);
    return { scans: [sql`(select * from (${some}) found where ${within})`], order };
  }
  const still = after?.asOf === undefined
    ? sql`true`
    : sql`(flow.moved_xid is null or not ${movedSince(sql`flow`, after.asOf)})`;
  const ranges = [
    ...fixedConditions(tenantId, filter),
    ...startConditions(sql`start_at`, filter, after),
    still,
  ];
  const scans = ends.map((end) =>
    sql`(select ${SHOWN_COLUMNS}, start_at as stood_at from flow where ${all([...ranges, ...end])} ${order})`
  );
  if (after?.asOf === undefined) return { scans, order };
  // Those few that moved since: wherever they are now, they are shown where they stood.
  const moved = all([...about, movedSince(sql`flow`, after.asOf)]);
  const since = sql`select ${SHOWN_COLUMNS}, ${stood} as stood_at from flow where ${moved}`;
  return { scans: [...scans, sql`(select * from (${since}) found where ${within} ${order})`], order };
}

function unionAll(queries: readonly Sql[]): Sql {
  return queries.reduce((left, right) => sql`${left} union all ${right}`);
}

/** What does not depend on where the walk has a flow. */
function fixedConditions(tenantId: string, filter: FlowFilter): Sql[] {
  const conditions = [sql`tenant_id = ${tenantId}`];
  if (filter.window) {
    // No flow starts more than a millisecond after its anchor: days before the window need no look.
    const from = timestampLiteral(filter.window.from - 1000);
    conditions.push(sql`anchor_at >= ${from}::timestamptz`);
    const { anchorTo } = filter.window;
    if (anchorTo !== undefined) conditions.push(sql`anchor_at <= ${timestampLiteral(anchorTo)}::timestamptz`);
  }
  return conditions;
}

/** `start`: in the window, and after the position in the order of the list. */
function startConditions(start: Sql, { window }: FlowFilter, after: FlowPosition | null): Sql[] {
  const conditions: Sql[] = [];
  if (window) {
    const { from, to } = window;
    conditions.push(
      sql`${start} >= ${timestampLiteral(from)}::timestamptz and ${start} < ${
        timestampLiteral(to)
      }::timestamptz`,
    );
  }
  if (after) {
    const position = timestampLiteral(after.start);
    conditions.push(
      sql`(${start}, flow_id) < (${position}::timestamptz, ${after.flowId}::uuid)`,
      sql`${start} <= ${position}::timestamptz`,
    );
  }
  return conditions;
}

async function incidentFlows(tx: Tx, tenantId: string, incidentId: string): Promise<string[]> {
  const rows = await tx.rows<{ flow_id: string }>(sql`
    select distinct flow_id from incident_evidence
    where tenant_id = ${tenantId} and incident_id = ${incidentId}::uuid`);
  return rows.map((row) => row.flow_id);
}
