import type { FlowAmountSort } from "../../contract/flow/flow.ts";
import type { SearchPlan } from "../../domain/search/plan.ts";
import { formatMillis } from "../../kit/time.ts";
import type { Tx } from "../engine/database.ts";
import { timestampLiteral } from "../engine/literals.ts";
import { all, type Sql, sql } from "../engine/sql.ts";
import { examineFlows } from "../flow/examine.ts";
import type { FlowPosition } from "../flow/filter.ts";
import { SHOWN_COLUMNS, type ShownFlow, type ShownFlowRow, toShownFlow } from "../flow/shown-flows.ts";
import { BYTES, MICROS, PACKETS } from "./flow-conditions.ts";
import { flowSearch, type SearchPage } from "./flows.ts";
import { SearchTooBroad } from "./search-transaction.ts";

/** Where a page of flows by an amount ended. */
export interface AmountPosition extends FlowPosition {
  /** The amount as text, because counters exceed 2^53 - 1; null if no sensor measured it. */
  amount: string | null;
}

/** A flow with the amount that it is sorted by. */
interface SortedFlow extends ShownFlow {
  amount: string | null;
}

const AMOUNTS: Readonly<Record<FlowAmountSort, Sql>> = {
  "-bytes": BYTES,
  "-src.bytes": sql`flow.src_bytes`,
  "-dst.bytes": sql`flow.dst_bytes`,
  "-packets": PACKETS,
  "-src.packets": sql`flow.src_packets`,
  "-dst.packets": sql`flow.dst_packets`,
  "-duration": MICROS,
};

interface SortedPage {
  sort: FlowAmountSort;
  after: AmountPosition | null;
  limit: number;
  /** Flows that are examined at most. */
  most: number;
}

/**
 * A page of at most `limit` flows by an amount, the largest first, equal ones by start and id. No index has this order,
 * so every flow of the window that the filter's index leads to is examined.
 *
 * @throws SearchTooBroad if there are more of them than `most`
 */
export async function searchFlowsByAmount(
  tx: Tx,
  tenantId: string,
  { where, context, window }: SearchPlan,
  { sort, after, limit, most }: SortedPage,
): Promise<SearchPage<SortedFlow, AmountPosition>> {
  if (window!.from >= window!.to) return { rows: [], next: null, exhausted: true, examinedUntil: null };
  const search = await flowSearch(tx, tenantId, { where, context, window: window! });
  const examined = await examineFlows(tx, tenantId, search, most);
  if (examined.from > window!.from) throw tooMany(sort, most, examined.from);
  const found = await tx.rows<ShownFlowRow & { amount: string | null }>(sql`
    select * from (${examined.select(sql`${SHOWN_COLUMNS}, (${AMOUNTS[sort]})::numeric as amount`)}) flow
    where ${all(after === null ? [sql`true`] : [isBeyond(after)])}
    order by amount desc nulls last, start_at desc, flow_id desc limit ${limit + 1}`);
  const rows = found.slice(0, limit).map(({ amount, ...row }): SortedFlow => ({
    ...toShownFlow(row),
    amount: amount === null ? null : String(amount),
  }));
  return {
    rows,
    next: found.length > limit ? positionByAmount(rows.at(-1)!) : null,
    exhausted: true,
    examinedUntil: null,
  };
}

export function positionByAmount({ amount, start, flowId }: SortedFlow): AmountPosition {
  return { amount, start, flowId };
}

/** That a flow follows the position in the order of the list. */
function isBeyond({ amount, start, flowId }: AmountPosition): Sql {
  const follows = sql`(start_at, flow_id) < (${timestampLiteral(start)}::timestamptz, ${flowId}::uuid)`;
  if (amount === null) return sql`(amount is null and ${follows})`;
  const value = sql`${amount}::numeric`;
  return sql`(amount < ${value} or amount is null or (amount = ${value} and ${follows}))`;
}

function tooMany(sort: FlowAmountSort, most: number, from: number): SearchTooBroad {
  const earliest = formatMillis(from);
  return new SearchTooBroad(
    `Sorting by ${sort.slice(1)} examines at most ${
      most.toLocaleString("en")
    } flows, and there are more; choose a window that begins at ${earliest} or later, or add a condition that fewer flows meet.`,
    { most, from: earliest },
  );
}
