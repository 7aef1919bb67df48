import type { TrafficChange } from "../../domain/graph/traffic.ts";
import type { Micros } from "../../domain/record/observation.ts";
import type { Tx } from "../engine/database.ts";
import { timestampLiteral } from "../engine/literals.ts";
import { packed, packedTexts, unpackAddresses, unpackCounts, unpackTimes } from "../engine/packed-columns.ts";
import { sql } from "../engine/sql.ts";

/** Where a row stands in the order of the batches. */
export interface TrafficPosition {
  batchNo: number;
  entryNo: number;
}

/** A row of the rollups. */
type StoredTraffic = TrafficChange & TrafficPosition;

interface Page {
  batch_no: Uint8Array;
  entry_no: Uint8Array;
  minute: Uint8Array;
  low: Uint8Array;
  high: Uint8Array;
  service: (string | null)[];
  bytes_up: Uint8Array;
  bytes_down: Uint8Array;
  packets: Uint8Array;
  flows: Uint8Array;
  first_seen: Uint8Array;
  last_seen: Uint8Array;
}

/** The first `limit` rows after a position, of the batches up to `through`, without those of minutes before `since`. */
export async function trafficRows(
  tx: Tx,
  tenantId: string,
  { after, through, since }: { after: TrafficPosition; through: number; since: Micros },
  limit: number,
): Promise<StoredTraffic[]> {
  const [page] = await tx.rows<Page>(sql`
    select ${packed(sql`batch_no`)} as batch_no, ${packed(sql`entry_no::bigint`)} as entry_no,
      ${packed(sql`minute`)} as minute, ${packed(sql`low`)} as low, ${packed(sql`high`)} as high,
      ${packedTexts(sql`service`)} as service, ${packed(sql`bytes_up`)} as bytes_up,
      ${packed(sql`bytes_down`)} as bytes_down, ${packed(sql`packets`)} as packets,
      ${packed(sql`flows::bigint`)} as flows, ${packed(sql`first_seen`)} as first_seen,
      ${packed(sql`last_seen`)} as last_seen
    from (
      select * from graph_traffic
      where tenant_id = ${tenantId} and (batch_no, entry_no) > (${String(after.batchNo)}::bigint, ${
    String(after.entryNo)
  }::integer)
        and batch_no <= ${String(through)}::bigint and minute >= ${timestampLiteral(since)}::timestamptz
      order by batch_no, entry_no limit ${String(limit)}::integer
    ) page
    having count(*) > 0`);
  return page === undefined ? [] : rowsOf(page);
}

function rowsOf({ service, ...packed }: Page): StoredTraffic[] {
  const batchNo = unpackCounts(packed.batch_no) as number[];
  const entryNo = unpackCounts(packed.entry_no) as number[];
  const low = unpackAddresses(packed.low);
  const high = unpackAddresses(packed.high);
  const minute = unpackTimes(packed.minute);
  const bytesUp = unpackCounts(packed.bytes_up);
  const bytesDown = unpackCounts(packed.bytes_down);
  const packets = unpackCounts(packed.packets);
  const flows = unpackCounts(packed.flows) as number[];
  const firstSeen = unpackTimes(packed.first_seen);
  const lastSeen = unpackTimes(packed.last_seen);
  return service.map((name, at) => ({
    batchNo: batchNo[at]!,
    entryNo: entryNo[at]!,
    minute: minute[at]!,
    low: low[at]!,
    high: high[at]!,
    service: name,
    bytesUp: bytesUp[at]!,
    bytesDown: bytesDown[at]!,
    packets: packets[at]!,
    flows: flows[at]!,
    firstSeen: firstSeen[at]!,
    lastSeen: lastSeen[at]!,
  }));
}
