import type { Tx } from "../engine/database.ts";
import { all, type Sql, sql, unionAll } from "../engine/sql.ts";
import { parseBigint } from "../engine/parse.ts";
import type { FlowWindow } from "./filter.ts";
import { longestFlow, within } from "./paths.ts";

/** An end of flows as they are stored. */
interface FlowEnd {
  ip: string;
  deviceId: string | null;
}

/** The direction counts: flows from `src` to `dst`. */
export interface FlowPair {
  src: FlowEnd;
  dst: FlowEnd;
}

/** All flows of a pair. */
export interface PairSum {
  flows: number;
  /** From `src` to `dst`; null if no flow states it. */
  srcBytes: number | bigint | null;
  dstBytes: number | bigint | null;
}

/** Flows of a pair's rarer end that are examined, so that a busy end costs a few milliseconds. */
const MOST_EXAMINED = 5000;

interface Row {
  pair: number;
  examined: number;
  flows: number;
  src_bytes: string | null;
  dst_bytes: string | null;
}

/** What the flows of each pair that start in the window add up to, in two statements; null if too many had to be examined. */
export async function sumsBetween(
  tx: Tx,
  tenantId: string,
  pairs: readonly FlowPair[],
  window: FlowWindow,
): Promise<(PairSum | null)[]> {
  if (pairs.length === 0) return [];
  // Without an upper bound, the days after an old incident would be planned for each pair.
  const bounded = { ...window, anchorTo: window.to + await longestFlow(tx, tenantId) };
  const rows = await tx.rows<Row>(
    unionAll(pairs.map((pair, at) => sql`(${sumOf(tenantId, pair, bounded, at)})`)),
  );
  const sums: (PairSum | null)[] = pairs.map(() => null);
  for (const { pair, examined, flows, src_bytes, dst_bytes } of rows) {
    if (examined > MOST_EXAMINED) continue;
    sums[pair] = { flows, srcBytes: stated(src_bytes), dstBytes: stated(dst_bytes) };
  }
  return sums;
}

function stated(sum: string | null): number | bigint | null {
  return sum === null ? null : parseBigint(sum);
}

function sumOf(tenantId: string, pair: FlowPair, window: FlowWindow, at: number): Sql {
  const isWanted = sql`src_ip = ${pair.src.ip}::inet and dst_ip = ${pair.dst.ip}::inet`;
  return sql`
    select ${String(at)}::integer as pair, count(*)::integer as examined,
      count(*) filter (where ${isWanted})::integer as flows,
      (sum(src_bytes) filter (where ${isWanted}))::text as src_bytes,
      (sum(dst_bytes) filter (where ${isWanted}))::text as dst_bytes
    from (
      select src_ip, dst_ip, src_bytes, dst_bytes from flow
      where ${all([...within(tenantId, window), ...rarerEnd(pair)])}
      order by start_at limit ${String(MOST_EXAMINED + 1)}::integer
    ) examined`;
}

/** The end that has an index of its own and, usually, fewer flows: an address outside before a device. */
function rarerEnd({ src, dst }: FlowPair): Sql[] {
  if (dst.deviceId === null) return [sql`dst_ip = ${dst.ip}::inet`, sql`dst_device_id is null`];
  if (src.deviceId === null) return [sql`src_ip = ${src.ip}::inet`, sql`src_device_id is null`];
  return [sql`src_device_id = ${src.deviceId}::uuid`];
}
