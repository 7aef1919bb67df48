import type { PairMark, TrafficMark } from "../../domain/graph/marks.ts";
import type { IndicatorKind } from "../../domain/intel/indicator.ts";
import type { Tx } from "../engine/database.ts";
import { timestampLiteral } from "../engine/literals.ts";
import { type Column, relation } from "../engine/rows.ts";
import { sql } from "../engine/sql.ts";
import { fromInet } from "../flow/flows.ts";
import type { MinuteWindow } from "./traffic.ts";

/** Rows per statement: takes a few milliseconds to encode. */
const CHUNK = 1000;

const COLUMNS: Column<TrafficMark>[] = [
  { name: "minute", type: "timestamptz", of: ({ minute }) => minute },
  { name: "low", type: "inet", of: ({ low }) => low },
  { name: "high", type: "inet", of: ({ high }) => high },
  { name: "kind", type: "text", of: ({ kind }) => kind },
  { name: "indicator", type: "text", of: ({ indicator }) => indicator },
];

/** Adds marks; those that are known already stay. */
export async function recordMarks(tx: Tx, tenantId: string, marks: readonly TrafficMark[]): Promise<void> {
  for (let from = 0; from < marks.length; from += CHUNK) {
    await tx.run(sql`
      insert into graph_mark (tenant_id, minute, low, high, kind, indicator)
      select ${tenantId}, u.minute, u.low, u.high, u.kind, u.indicator
      from ${relation(COLUMNS, marks.slice(from, from + CHUNK))}
      on conflict do nothing`);
  }
}

/** The marks of a window. */
export async function marksOf(tx: Tx, tenantId: string, { from, to }: MinuteWindow): Promise<PairMark[]> {
  const rows = await tx.rows<{ low: string; high: string; kind: IndicatorKind; indicator: string }>(sql`
    select distinct low, high, kind, indicator from graph_mark
    where tenant_id = ${tenantId} and minute >= ${timestampLiteral(from)}::timestamptz
      and minute < ${timestampLiteral(to)}::timestamptz
    order by low, high, kind, indicator`);
  return rows.map((row) => ({ ...row, low: fromInet(row.low), high: fromInet(row.high) }));
}
