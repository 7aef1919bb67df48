import { srcIsLow } from "../domain/correlate/ends.ts";
import type { FlowState } from "../domain/correlate/flow.ts";
import type { Located } from "../domain/correlate/merge.ts";
import { jsonText } from "./literals.ts";
import { type Column, insertRows, nestedArray, relation } from "./rows.ts";
import { type Sql, sql } from "./sql.ts";
import { kindNumber, semanticsNumber } from "./vocabulary.ts";

/** A located observation and the flow it went to. */
export interface StoredObservation extends Located {
  flowId: string;
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

export function insertEvidence(tenantId: string, items: readonly StoredObservation[]): Sql {
  return insertRows("evidence", tenantId, COLUMNS, items);
}

const FLOW_KEY: Column<Pick<FlowState, "flowId" | "anchor">>[] = [
  { name: "flow_id", type: "uuid", of: (flow) => flow.flowId },
  { name: "anchor_at", type: "timestamptz", of: (flow) => flow.anchor },
];

/**
 * Gives the evidence that stands on these flows' own rows a row of its own: before the flows are written anew, with
 * another observation.
 */
export function unfoldEvidence(
  tenantId: string,
  flows: readonly Pick<FlowState, "flowId" | "anchor">[],
): Sql {
  return sql`
    insert into evidence (tenant_id, flow_id, evidence_id, observed_at, start_at, end_at, received_at, batch_no, position,
      src_low, record_kind_no, src_bytes, src_packets, dst_bytes, dst_packets, semantics_no)
    select o.tenant_id, o.flow_id, o.evidence_id, o.observed_at, o.start_at, o.end_at, o.received_at, o.batch_no,
      o.position, o.src_low, o.record_kind_no, o.src_bytes, o.src_packets, o.dst_bytes, o.dst_packets, o.semantics_no
    from ${relation(FLOW_KEY, flows)}
    cross join lateral (
      select * from observation
      where tenant_id = ${tenantId} and flow_id = u.flow_id and anchor_at = u.anchor_at and sole
      limit 1
    ) o`;
}
