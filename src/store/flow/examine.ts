import type { Tx } from "../engine/database.ts";
import type { Sql } from "../engine/sql.ts";
import type { FlowSearch } from "./filter.ts";
import { nthStart, pathsOf } from "./paths.ts";
import { selectKnown, selectPaths } from "./scans.ts";

/** Flows of a search that are read at once, in no order. */
interface ExaminedFlows {
  /** The flows with these columns of `flow`. */
  select(columns: Sql): Sql;
  /** The start (microseconds) down to which flows are examined: that of the window, unless there are too many. */
  from: number;
}

/** The flows of a search, of which about the newest `most` are examined. */
export async function examineFlows(
  tx: Tx,
  tenantId: string,
  { window, access, conditionsIn }: FlowSearch,
  most: number,
): Promise<ExaminedFlows> {
  if (access?.by === "id" && access.from <= window.from) {
    const wanted = { tenantId, window, conditions: conditionsIn(window) };
    return { select: (columns) => selectKnown(access.flowIds, wanted, columns), from: window.from };
  }
  const paths = await pathsOf(tx, tenantId, access);
  const from = await nthStart(tx, tenantId, window, paths, most) ?? window.from;
  const part = { ...window, from };
  const wanted = { tenantId, window: part, conditions: conditionsIn(part) };
  return { select: (columns) => selectPaths(paths, wanted, columns), from };
}
