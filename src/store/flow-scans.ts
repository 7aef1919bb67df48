// The statements that find a page of flows.

import type { FlowFilter, FlowPosition } from "./flow-list.ts";
import type { FlowPath } from "./flow-paths.ts";
import { lookUps } from "./flow-read.ts";
import { timestampLiteral } from "./literals.ts";
import { SHOWN_COLUMNS, type ShownFlowRow } from "./shown-flows.ts";
import { all, type Sql, sql, unionAll } from "./sql.ts";
import { movedSince, SNAPSHOT_COLUMN, valueAt } from "./walk.ts";

/** `stood_at` is where the walk has the flow. */
export type StoodFlow = ShownFlowRow & { stood_at: number };

/** Flows on these paths, each once, that have not moved since the walk began; `as_of` is the statement's snapshot. */
export function scanPaths(
  tenantId: string,
  filter: FlowFilter,
  paths: readonly FlowPath[],
  after: FlowPosition | null,
  limit: number,
): Sql {
  const order = inOrder(limit);
  const still = after?.asOf === undefined
    ? sql`true`
    : sql`(flow.moved_xid is null or not ${movedSince(sql`flow`, after.asOf)})`;
  const ranges = [
    ...fixedConditions(tenantId, filter),
    ...startConditions(sql`start_at`, filter, after),
    still,
  ];
  const scans = paths.map(({ key, rest }) =>
    sql`(select ${SHOWN_COLUMNS}, start_at as stood_at from flow where ${
      all([...ranges, ...key, ...rest])
    } ${order})`
  );
  return sql`select scans.*, ${SNAPSHOT_COLUMN} from (${unionAll(scans)}) scans ${order}`;
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
    select * from moved where ${onAny(paths)} and ${all(startConditions(sql`stood_at`, filter, after))} ${
    inOrder(limit)
  }`;
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
    select found.*, ${SNAPSHOT_COLUMN}
    from (${lookUps(flowIds, conditions, sql`${SHOWN_COLUMNS}, ${stood} as stood_at`)}) found
    where ${all(startConditions(sql`found.stood_at`, filter, after))} ${inOrder(limit)}`;
}

function inOrder(limit: number): Sql {
  return sql`order by stood_at desc, flow_id desc limit ${limit}`;
}

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
