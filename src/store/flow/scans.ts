// The statements that read a page of flows.

import type { FlowFilter, FlowPosition } from "./filter.ts";
import type { FlowPath } from "./paths.ts";
import { lookUps, perFlow } from "./read.ts";
import { timestampLiteral } from "../engine/literals.ts";
import { SHOWN_COLUMNS } from "./shown-flows.ts";
import { all, type Sql, sql, unionAll } from "../engine/sql.ts";

/** A page to read: at most `limit` flows on `paths` after a position. */
export interface FlowScan {
  tenantId: string;
  filter: FlowFilter;
  paths: readonly FlowPath[];
  after: FlowPosition | null;
  limit: number;
}

/** Flows on the paths, newest first. */
export function scanPaths({ tenantId, filter, paths, after, limit }: FlowScan): Sql {
  const order = sql`${NEWEST_FIRST} limit ${limit}`;
  const partitions = [...partitionConditions(tenantId, filter), ...searchConditions(filter)];
  const scans = paths.map(({ key, rest }) => {
    const starts = startConditions(filter, after, key.length === 0);
    return sql`(select ${SHOWN_COLUMNS} from flow where ${
      all([...partitions, ...starts, ...key, ...rest])
    } ${order})`;
  });
  return sql`select * from (${unionAll(scans)}) scans ${order}`;
}

/** Those of the given flows that are on any of the paths, newest first; each is looked up by its id. */
export function scanKnown(
  flowIds: readonly string[],
  { tenantId, filter, paths, after, limit }: FlowScan,
): Sql {
  const conditions = [
    ...partitionConditions(tenantId, filter),
    ...searchConditions(filter).map(perFlow),
    onAny(paths),
  ];
  return sql`
    select * from (${lookUps(flowIds, conditions, SHOWN_COLUMNS)}) found
    where ${all(startConditions(filter, after, true))} ${NEWEST_FIRST} limit ${limit}`;
}

function searchConditions({ search, window }: FlowFilter): Sql[] {
  return search?.conditionsIn(window) ?? [];
}

/**
 * The flows on the paths in no particular order; with `flowIds`, those of them. The columns are of `flow`.
 */
export function selectFlows(
  { tenantId, filter, paths, flowIds }: Pick<FlowScan, "tenantId" | "filter" | "paths"> & {
    flowIds: readonly string[] | null;
  },
  columns: Sql,
): Sql {
  const conditions = [...partitionConditions(tenantId, filter), ...startConditions(filter, null, true)];
  if (flowIds !== null) {
    return lookUps([...new Set(flowIds)], [...conditions, ...searchConditions(filter).map(perFlow)], columns);
  }
  conditions.push(...searchConditions(filter));
  return unionAll(
    paths.map(({ key, rest }) =>
      sql`select ${columns} from flow where ${all([...conditions, ...key, ...rest])}`
    ),
  );
}

const NEWEST_FIRST = sql`order by start_at desc, flow_id desc`;

function onAny(paths: readonly FlowPath[]): Sql {
  const each = paths.map(({ key, rest }) => sql`(${all([...key, ...rest])})`);
  return sql`(${each.reduce((left, right) => sql`${left} or ${right}`)})`;
}

/** Restricts a scan to the tenant, and to the day partitions that can hold flows of the window. */
function partitionConditions(tenantId: string, { window }: FlowFilter): Sql[] {
  const conditions = [sql`tenant_id = ${tenantId}`];
  if (window) {
    // No flow starts more than a millisecond after its anchor.
    conditions.push(sql`anchor_at >= ${timestampLiteral(window.from - 1000)}::timestamptz`);
    const { anchorTo } = window;
    if (anchorTo !== undefined) conditions.push(sql`anchor_at <= ${timestampLiteral(anchorTo)}::timestamptz`);
  }
  return conditions;
}

/**
 * That a flow starts in the window, and after the position in the order of the list.
 *
 * @param byTime Whether the scan reads all flows in time order. Otherwise the planner must not recognise the
 *   row comparison, or it scans by time instead of using the index of the few matching flows.
 */
function startConditions({ window }: FlowFilter, after: FlowPosition | null, byTime: boolean): Sql[] {
  const conditions: Sql[] = [];
  if (window) {
    const { from, to } = window;
    conditions.push(
      sql`start_at >= ${timestampLiteral(from)}::timestamptz and start_at < ${
        timestampLiteral(to)
      }::timestamptz`,
    );
  }
  if (after) {
    const position = sql`${timestampLiteral(after.start)}::timestamptz`;
    const flowId = sql`${after.flowId}::uuid`;
    conditions.push(
      sql`start_at <= ${position}`,
      byTime
        ? sql`(start_at, flow_id) < (${position}, ${flowId})`
        : sql`(start_at < ${position} or flow_id < ${flowId})`,
    );
  }
  return conditions;
}
