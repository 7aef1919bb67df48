import type { Tx } from "../engine/database.ts";
import type { Sql } from "../engine/sql.ts";
import type { FlowFilter, FlowWindow } from "./filter.ts";
import { nthStart, pathsOf } from "./paths.ts";
import { selectFlows } from "./scans.ts";

/** Flows of a filter that are read at once, in no order. */
export interface ExaminedFlows {
  /** The flows with these columns of `flow`. */
  select(columns: Sql): Sql;
  /** The start (microseconds) down to which flows are examined: that of the window, unless there are too many. */
  from: number;
}

/** The flows of a search, of which about the newest `most` are examined. */
export async function examineFlows(
  tx: Tx,
  tenantId: string,
  filter: FlowFilter & { window: FlowWindow },
  most: number,
): Promise<ExaminedFlows> {
  const { window, search } = filter;
  const access = search?.access ?? null;
  if (access?.by === "id" && access.from <= window.from) {
    const { flowIds } = access;
    return {
      select: (columns) => selectFlows({ tenantId, filter, paths: [], flowIds }, columns),
      from: window.from,
    };
  }
  const paths = await pathsOf(tx, tenantId, filter);
  const reach = await nthStart(tx, tenantId, window, paths, most);
  const from = reach ?? window.from;
  const examined = { ...filter, window: { ...window, from } };
  return {
    select: (columns) => selectFlows({ tenantId, filter: examined, paths, flowIds: null }, columns),
    from,
  };
}
