import type { TrafficChange } from "../../domain/graph/traffic.ts";
import { type Column, insertRows } from "../engine/rows.ts";
import type { Sql } from "../engine/sql.ts";

/** A prepared statement of `trafficWrites`. */
export type TrafficStatement = Sql;

/** Rows per statement: takes a few milliseconds to encode. */
const CHUNK = 1000;

interface Entry {
  change: TrafficChange;
  entryNo: number;
  batchNo: number;
}

const COLUMNS: Column<Entry>[] = [
  { name: "batch_no", type: "bigint", of: ({ batchNo }) => batchNo },
  { name: "entry_no", type: "integer", of: ({ entryNo }) => entryNo },
  { name: "minute", type: "timestamptz", of: ({ change }) => change.minute },
  { name: "low", type: "inet", of: ({ change }) => change.low },
  { name: "high", type: "inet", of: ({ change }) => change.high },
  { name: "service", type: "text", of: ({ change }) => change.service },
  { name: "bytes_up", type: "bigint", of: ({ change }) => change.bytesUp },
  { name: "bytes_down", type: "bigint", of: ({ change }) => change.bytesDown },
  { name: "packets", type: "bigint", of: ({ change }) => change.packets },
  { name: "flows", type: "integer", of: ({ change }) => change.flows },
  { name: "first_seen", type: "timestamptz", of: ({ change }) => change.firstSeen },
  { name: "last_seen", type: "timestamptz", of: ({ change }) => change.lastSeen },
];

/** The statements that append a round's changes, made lazily. `batchNo`: the last batch of the round. */
export function* trafficWrites(
  tenantId: string,
  batchNo: number,
  changes: readonly TrafficChange[],
): Generator<TrafficStatement> {
  for (let from = 0; from < changes.length; from += CHUNK) {
    const rows = changes.slice(from, from + CHUNK).map((change, at) => ({
      change,
      entryNo: from + at,
      batchNo,
    }));
    yield insertRows("graph_traffic", tenantId, COLUMNS, rows);
  }
}
