import {
  addTraffic,
  MAX_FLOW_COUNT,
  MINUTE,
  type PairTraffic,
  type Traffic,
} from "../../domain/graph/traffic.ts";
import type { Count, Micros } from "../../domain/record/observation.ts";
import type { Tx } from "../engine/database.ts";
import { timestampLiteral } from "../engine/literals.ts";
import { type Sql, sql } from "../engine/sql.ts";
import { fromInet } from "../flow/flows.ts";
import { foldTraffic } from "./traffic-days.ts";
import { readCursor } from "../record/pending.ts";

/** Half-open, in whole minutes. */
export interface MinuteWindow {
  from: Micros;
  to: Micros;
}

export interface TrafficRow {
  low: string;
  high: string;
  service: string | null;
  bytes_up: Count;
  bytes_down: Count;
  packets: Count;
  flows: number;
  first_seen: number;
  last_seen: number;
}

const HOUR = 60 * MINUTE;

/** How far back a window may begin that `trafficOf` answers: the map's 24 hours and twice the stream's 15 minutes. */
export const TRAFFIC_KEPT = 24 * HOUR + 30 * MINUTE;
/** Rows are deleted later than that, because a request may come while they are. */
const EXPIRY = TRAFFIC_KEPT + HOUR;

/** Sums may exceed a bigint only if many sensors are faulty. */
function total(column: Sql): Sql {
  return sql`least(sum(${column}), 9223372036854775807)::bigint`;
}

const counter = (column: Sql) => total(sql`least(coalesce(${column}, 0), ${String(MAX_FLOW_COUNT)}::bigint)`);
/** What flows between the same two addresses add up to: the columns of `TrafficRow`. */
export const SUMS_OF_FLOWS = sql`${counter(sql`src_bytes`)} as bytes_up, ${
  counter(sql`dst_bytes`)
} as bytes_down,
  least(${counter(sql`src_packets`)}::numeric + ${
  counter(sql`dst_packets`)
}, 9223372036854775807)::bigint as packets,
  count(*)::integer as flows, min(start_at) as first_seen, max(end_at) as last_seen`;

interface TrafficOptions {
  /** As the batches up to this one have left it; null for all batches. */
  through?: number | null;
  /** One for each pair and service. */
  byService?: boolean;
}

/** The traffic of each pair of addresses in a window, in no particular order. */
export async function trafficOf(
  tx: Tx,
  tenantId: string,
  { from, to }: MinuteWindow,
  { through = null, byService = false }: TrafficOptions = {},
): Promise<PairTraffic[]> {
  return pairsOf(
    await tx.rows<TrafficRow>(sql`
    select low, high, service, ${total(sql`bytes_up`)} as bytes_up, ${total(sql`bytes_down`)} as bytes_down,
      ${total(sql`packets`)} as packets, sum(flows)::integer as flows, min(first_seen) as first_seen,
      max(last_seen) as last_seen
    from graph_traffic
    where tenant_id = ${tenantId} and minute >= ${timestampLiteral(from)}::timestamptz
      and minute < ${timestampLiteral(to)}::timestamptz
      ${through === null ? sql`` : sql`and batch_no <= ${through}::bigint`}
    group by low, high, service`),
    byService,
  );
}

/**
 * The same from the flows themselves, for windows that begin before the rollups: a flow counts in the minute of its
 * anchor.
 */
export async function trafficOfFlows(
  tx: Tx,
  tenantId: string,
  { from, to }: MinuteWindow,
  byService = false,
): Promise<PairTraffic[]> {
  // Flows have no index on their anchor, which lies between their start and their end.
  const { longestFlow } = await readCursor(tx, tenantId);
  return pairsOf(
    await tx.rows<TrafficRow>(sql`
    select src_ip as low, dst_ip as high, service, ${SUMS_OF_FLOWS}
    from flow
    where tenant_id = ${tenantId} and anchor_at >= ${timestampLiteral(from)}::timestamptz
      and anchor_at < ${timestampLiteral(to)}::timestamptz
      and start_at >= ${timestampLiteral(from - longestFlow)}::timestamptz
      and start_at < ${timestampLiteral(to)}::timestamptz
    group by src_ip, dst_ip, service`),
    byService,
  );
}

/** Adds up the rows of each pair, or of each pair and service, whichever of its addresses comes first. */
export function pairsOf(rows: readonly TrafficRow[], byService: boolean): PairTraffic[] {
  const texts = new Map<string, string>();
  const textOf = (inet: string) => {
    let text = texts.get(inet);
    if (text === undefined) texts.set(inet, text = fromInet(inet));
    return text;
  };
  const pairs = new Map<string, PairTraffic & { services: Map<string, number> }>();
  for (const row of rows) {
    const [a, b] = [textOf(row.low), textOf(row.high)];
    const turned = a > b;
    const [low, high] = turned ? [b, a] : [a, b];
    const key = byService ? `${low} ${high} ${row.service ?? ""}` : `${low} ${high}`;
    const traffic = turned
      ? { ...toTraffic(row), bytesUp: row.bytes_down, bytesDown: row.bytes_up }
      : toTraffic(row);
    let pair = pairs.get(key);
    if (pair === undefined) pairs.set(key, pair = { low, high, services: new Map(), ...traffic });
    else addTraffic(pair, traffic);
    if (row.service !== null && row.flows > 0) {
      pair.services.set(row.service, (pair.services.get(row.service) ?? 0) + row.flows);
    }
  }
  return [...pairs.values()];
}

function toTraffic(row: TrafficRow): Traffic {
  return {
    bytesUp: row.bytes_up,
    bytesDown: row.bytes_down,
    packets: row.packets,
    flows: row.flows,
    firstSeen: row.first_seen,
    lastSeen: row.last_seen,
  };
}

/**
 * Deletes what no map shows any more; its sums per day of the zone stay. `now`: the known time, in microseconds.
 */
export async function expireTraffic(tx: Tx, tenantId: string, now: Micros, zone = "UTC"): Promise<void> {
  await foldTraffic(tx, tenantId, now - EXPIRY, zone);
  await tx.run(sql`
    delete from graph_mark
    where tenant_id = ${tenantId} and minute < ${timestampLiteral(now - EXPIRY)}::timestamptz`);
}
