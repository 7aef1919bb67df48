// The statements that read flows.

import type { FlowPosition, FlowWindow } from "./filter.ts";
import { type FlowPath, within } from "./paths.ts";
import { lookUps } from "./read.ts";
import { timestampLiteral } from "../engine/literals.ts";
import { SHOWN_COLUMNS } from "./shown-flows.ts";
import { all, hashed, type Sql, sql, unionAll } from "../engine/sql.ts";

/** The flows of a part of a window that meet the conditions on `flow`. */
interface Wanted {
  tenantId: string;
  window: FlowWindow;
  conditions: readonly Sql[];
}

/** A page to read: at most `limit` flows after a position. */
export interface FlowScan extends Wanted {
  after: FlowPosition | null;
  limit: number;
}

const NEWEST_FIRST = sql`order by start_at desc, flow_id desc`;

/** Flows on the paths, newest first. */
export function scanPaths(
  paths: readonly FlowPath[],
  { tenantId, window, conditions, after, limit }: FlowScan,
): Sql {
  const order = sql`${NEWEST_FIRST} limit ${limit}`;
  const wanted = [...within(tenantId, window), ...conditions];
  const scans = paths.map(({ key, rest }) =>
    sql`(select ${SHOWN_COLUMNS} from flow where ${
      all([...wanted, ...beyond(after, key.length === 0), ...key, ...rest])
    } ${order})`
  );
  return sql`select * from (${unionAll(scans)}) scans ${order}`;
}

/** Those of the given flows that are wanted, newest first; each is looked up by its id. */
export function scanKnown(flowIds: readonly string[], { after, limit, ...wanted }: FlowScan): Sql {
  return sql`
    select * from (${selectKnown(flowIds, wanted, SHOWN_COLUMNS)}) found
    where ${all(beyond(after, true))} ${NEWEST_FIRST} limit ${limit}`;
}

/** The flows on the paths in no particular order. The columns are of `flow`. */
export function selectPaths(
  paths: readonly FlowPath[],
  { tenantId, window, conditions }: Wanted,
  columns: Sql,
): Sql {
  const wanted = [...within(tenantId, window), ...conditions];
  return unionAll(
    paths.map(({ key, rest }) => sql`select ${columns} from flow where ${all([...wanted, ...key, ...rest])}`),
  );
}

/** As `selectPaths`, those of the given flows. */
export function selectKnown(
  flowIds: readonly string[],
  { tenantId, window, conditions }: Wanted,
  columns: Sql,
): Sql {
  return lookUps(
    [...new Set(flowIds)],
    [...within(tenantId, window), ...conditions.map(hashed)],
    columns,
  );
}

/**
 * That a flow follows the position in the order of the list.
 *
 * @param byTime Whether the scan reads all flows in time order. Otherwise the planner must not recognise the
 *   row comparison, or it scans by time instead of using the index of the few matching flows.
 */
function beyond(after: FlowPosition | null, byTime: boolean): Sql[] {
  if (after === null) return [];
  const position = sql`${timestampLiteral(after.start)}::timestamptz`;
  const flowId = sql`${after.flowId}::uuid`;
  return [
    sql`start_at <= ${position}`,
    byTime
      ? sql`(start_at, flow_id) < (${position}, ${flowId})`
      : sql`(start_at < ${position} or flow_id < ${flowId})`,
  ];
}
