import type { TrafficChange } from "../../domain/graph/traffic.ts";
import type { Count, Micros } from "../../domain/record/observation.ts";
import type { Tx } from "../engine/database.ts";
import { timestampLiteral } from "../engine/literals.ts";
import { sql } from "../engine/sql.ts";
import { fromInet } from "../flow/flows.ts";

/** Where a row stands in the order of the batches. */
export interface TrafficPosition {
  batchNo: number;
  entryNo: number;
}

/** A row of the rollups. */
type StoredTraffic = TrafficChange & TrafficPosition;

interface Row {
  batch_no: number;
  entry_no: number;
  minute: number;
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

/** The first `limit` rows after a position, of the batches up to `through`, without those of minutes before `since`. */
export async function trafficRows(
  tx: Tx,
  tenantId: string,
  { after, through, since }: { after: TrafficPosition; through: number; since: Micros },
  limit: number,
): Promise<StoredTraffic[]> {
  const rows = await tx.rows<Row>(sql`
    select batch_no, entry_no, minute, low, high, service, bytes_up, bytes_down, packets, flows, first_seen, last_seen
    from graph_traffic
    where tenant_id = ${tenantId} and (batch_no, entry_no) > (${String(after.batchNo)}::bigint, ${
    String(after.entryNo)
  }::integer)
      and batch_no <= ${String(through)}::bigint and minute >= ${timestampLiteral(since)}::timestamptz
    order by batch_no, entry_no limit ${String(limit)}::integer`);
  return rows.map((row) => ({
    batchNo: row.batch_no,
    entryNo: row.entry_no,
    minute: row.minute,
    low: fromInet(row.low),
    high: fromInet(row.high),
    service: row.service,
    bytesUp: row.bytes_up,
    bytesDown: row.bytes_down,
    packets: row.packets,
    flows: row.flows,
    firstSeen: row.first_seen,
    lastSeen: row.last_seen,
  }));
}
