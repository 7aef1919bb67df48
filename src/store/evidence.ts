import { srcIsLow } from "../domain/correlate/ends.ts";
import type { Located } from "../domain/correlate/merge.ts";
import type { Tx } from "./database.ts";
import { jsonText } from "./literals.ts";
import { type Column, insertRows, nestedArray } from "./rows.ts";
import { kindNumber, semanticsNumber } from "./vocabulary.ts";

/** A located observation, the flow it went to and the place of its record. */
export interface StoredObservation extends Located {
  flowId: string;
  batchNo: number;
  position: number;
}

const COLUMNS: Column<StoredObservation>[] = [
  { name: "evidence_id", type: "uuid", of: (item) => item.evidenceId },
  { name: "observed_at", type: "timestamptz", of: (item) => item.observation.observedAt },
  { name: "flow_id", type: "uuid", of: (item) => item.flowId },
  { name: "record_kind_no", type: "smallint", of: (item) => kindNumber(item.observation.kind) },
  { name: "src_low", type: "boolean", of: (item) => srcIsLow(item.observation.src, item.observation.dst) },
  { name: "received_at", type: "timestamptz", of: (item) => item.receivedAt },
  { name: "batch_no", type: "bigint", of: (item) => item.batchNo },
  { name: "position", type: "smallint", of: (item) => item.position },
  { name: "start_at", type: "timestamptz", of: (item) => item.observation.start },
  { name: "end_at", type: "timestamptz", of: (item) => item.observation.end },
  { name: "src_bytes", type: "bigint", of: (item) => item.observation.counters?.srcToDst.bytes ?? null },
  { name: "src_packets", type: "bigint", of: (item) => item.observation.counters?.srcToDst.packets ?? null },
  { name: "dst_bytes", type: "bigint", of: (item) => item.observation.counters?.dstToSrc.bytes ?? null },
  { name: "dst_packets", type: "bigint", of: (item) => item.observation.counters?.dstToSrc.packets ?? null },
  {
    name: "semantics_no",
    type: "smallint",
    of: ({ observation: { counters } }) => counters && semanticsNumber(counters.semantics),
  },
  {
    name: "facts",
    type: "text",
    cast: "jsonb",
    of: (item) => item.observation.facts === null ? null : jsonText(item.observation.facts),
  },
  {
    name: "warnings",
    type: "text",
    cast: "text[]",
    of: (item) => item.observation.warnings.length === 0 ? null : nestedArray(item.observation.warnings),
  },
];

export async function insertEvidence(
  tx: Tx,
  tenantId: string,
  items: readonly StoredObservation[],
): Promise<void> {
  if (items.length > 0) await tx.run(insertRows("evidence", tenantId, COLUMNS, items));
}
