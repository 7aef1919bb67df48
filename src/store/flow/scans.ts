// The statements that find a page of flows.

import type { FlowFilter, FlowPosition } from "./list.ts";
import type { FlowPath } from "./paths.ts";
import { lookUps } from "./read.ts";
import { timestampLiteral } from "../engine/literals.ts";
import { SHOWN_COLUMNS, type ShownFlowRow } from "./shown-flows.ts";
import { all, type Sql, sql, unionAll } from "../engine/sql.ts";
import { movedSince, valueAt } from "./walk.ts";

/** `stood_at` is where the walk has the flow; where it is not said, that is its start. */
export type StoodFlow = ShownFlowRow & { stood_at?: number };

/** Flows on these paths, each once, that have not moved since the walk began. */
export function scanPaths(
  tenantId: string,
  filter: FlowFilter,
  paths: readonly FlowPath[],
  after: FlowPosition | null,
  limit: number,
): Sql {
  const order = sql`order by start_at desc, flow_id desc limit ${limit}`;
  const still = after?.asOf === undefined
    ? sql`true`
    : sql`(flow.moved_xid is null or not ${movedSince(sql`flow`, after.asOf)})`;
  const fixed = fixedConditions(tenantId, filter);
  const scans = paths.map(({ key, rest }) => {
    const starts = startConditions(sql`start_at`, filter, after, key.length === 0);
    return sql`(select ${SHOWN_COLUMNS} from flow where ${
      all([...fixed, ...starts, still, ...key, ...rest])
    } ${order})`;
  });
  return sql`select * from (${unionAll(scans)}) scans ${order}`;
}

/**
 * A row where any flow has moved since the snapshot: mostly none has, and to know it is cheaper than to plan for some. The order
 * is there for the planner, which would not take the index of what moved without knowing how little that is.
 */
export function anyMoved(tenantId: string, filter: FlowFilter, asOf: string): Sql {
  const moved = all([...fixedConditions(tenantId, filter), movedSince(sql`flow`, asOf)]);
  return sql`select from flow where ${moved} order by moved_xid limit 1`;
}

/** Flows on these paths that have moved since the snapshot: wherever they are now, a walk shows them where they stood. */
export function scanMoved(
  tenantId: string,
  filter: FlowFilter,
  paths: readonly FlowPath[],
  after: FlowPosition & { asOf: string },
  limit: number,
): Sql {
  const stood = valueAt(sql`flow`, sql`flow.start_at`, after.asOf);
  const moved = all([...fixedConditions(tenantId, filter), movedSince(sql`flow`, after.asOf)]);
  return sql`
    with moved as materialized (select ${SHOWN_COLUMNS}, ${stood} as stood_at from flow where ${moved})
    select * from moved where ${onAny(paths)} and ${
    all(startConditions(sql`stood_at`, filter, after))
  } ${AS_IT_STOOD} limit ${limit}`;
}

/** Those of these flows, looked up one by one, that are on the paths, where the walk has them. */
export function scanKnown(
  tenantId: string,
  flowIds: readonly string[],
  filter: FlowFilter,
  paths: readonly FlowPath[],
  after: FlowPosition | null,
  limit: number,
): Sql {
  const stood = after?.asOf === undefined
    ? sql`flow.start_at`
    : valueAt(sql`flow`, sql`flow.start_at`, after.asOf);
  const conditions = [...fixedConditions(tenantId, filter), onAny(paths)];
  return sql`
    select * from (${lookUps(flowIds, conditions, sql`${SHOWN_COLUMNS}, ${stood} as stood_at`)}) found
    where ${all(startConditions(sql`stood_at`, filter, after))} ${AS_IT_STOOD} limit ${limit}`;
}

const AS_IT_STOOD = sql`order by stood_at desc, flow_id desc`;

function onAny(paths: readonly FlowPath[]): Sql {
  const each = paths.map(({ key, rest }) => sql`(${all([...key, ...rest])})`);
  return sql`(${each.reduce((left, right) => sql`${left} or ${right}`)})`;
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

/**
 * `start`: in the window, and after the position in the order of the list.
 *
 * @param byTime Whether all flows are looked through in that order. Otherwise the planner must not see it whole, or it would
 * rather do so than take the index of the few that are asked for.
 */
function startConditions(
  start: Sql,
  { window }: FlowFilter,
  after: FlowPosition | null,
  byTime = true,
): Sql[] {
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
    const position = sql`${timestampLiteral(after.start)}::timestamptz`;
    const flowId = sql`${after.flowId}::uuid`;
    conditions.push(
      sql`${start} <= ${position}`,
      byTime
        ? sql`(${start}, flow_id) < (${position}, ${flowId})`
        : sql`(${start} < ${position} or flow_id < ${flowId})`,
    );
  }
  return conditions;
}
