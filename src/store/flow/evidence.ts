import { srcIsLow } from "../../domain/flow/ends.ts";
import type { FlowState } from "../../domain/flow/flow.ts";
import type { Located } from "../../domain/flow/merge.ts";
import type { Counters } from "../../domain/record/observation.ts";
import { jsonText } from "../engine/literals.ts";
import { type Column, insertRows, nestedArray, relation } from "../engine/rows.ts";
import { type Sql, sql } from "../engine/sql.ts";
import { kindNumber, semanticsNumber } from "../record/vocabulary.ts";

/** A located observation and its flow. */
export interface StoredObservation {
  record: Located;
  flowId: string;
}

const COLUMNS: Column<StoredObservation>[] = [
  { name: "evidence_id", type: "uuid", of: ({ record }) => record.evidenceId },
  { name: "observed_at", type: "timestamptz", of: ({ record }) => record.observation.observedAt },
  { name: "flow_id", type: "uuid", of: ({ flowId }) => flowId },
  { name: "record_kind_no", type: "smallint", of: ({ record }) => kindNumber(record.observation.kind) },
  {
    name: "src_low",
    type: "boolean",
    of: ({ record }) => srcIsLow(record.observation.src, record.observation.dst),
  },
  { name: "received_at", type: "timestamptz", of: ({ record }) => record.receivedAt },
  { name: "batch_no", type: "bigint", of: ({ record }) => record.batchNo },
  { name: "position", type: "smallint", of: ({ record }) => record.position },
  { name: "start_at", type: "timestamptz", of: ({ record }) => record.observation.start },
  { name: "end_at", type: "timestamptz", of: ({ record }) => record.observation.end },
  { name: "src_bytes", type: "bigint", of: (item) => countersOf(item)?.srcToDst.bytes ?? null },
  { name: "src_packets", type: "bigint", of: (item) => countersOf(item)?.srcToDst.packets ?? null },
  { name: "dst_bytes", type: "bigint", of: (item) => countersOf(item)?.dstToSrc.bytes ?? null },
  { name: "dst_packets", type: "bigint", of: (item) => countersOf(item)?.dstToSrc.packets ?? null },
  {
    name: "semantics_no",
    type: "smallint",
    of: (item) => {
      const counters = countersOf(item);
      return counters && semanticsNumber(counters.semantics);
    },
  },
  {
    name: "facts",
    type: "text",
    of: ({ record }) => record.observation.facts === null ? null : jsonText(record.observation.facts),
  },
  {
    name: "warnings",
    type: "text",
    cast: "text[]",
    of: ({ record }) =>
      record.observation.warnings.length === 0 ? null : nestedArray(record.observation.warnings),
  },
];

export function insertEvidence(tenantId: string, items: readonly StoredObservation[]): Sql {
  return insertRows("evidence", tenantId, COLUMNS, items);
}

function countersOf({ record }: StoredObservation): Counters | null {
  return record.observation.counters;
}

const FLOW_KEY: Column<Pick<FlowState, "flowId" | "anchor">>[] = [
  { name: "flow_id", type: "uuid", of: (flow) => flow.flowId },
  { name: "anchor_at", type: "timestamptz", of: (flow) => flow.anchor },
];

/**
 * Moves the evidence that is folded into these flows' rows to rows of its own, before the flows are updated.
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
      where tenant_id = ${tenantId} and flow_id = u.flow_id and anchor_at = u.anchor_at and folded
      limit 1
    ) o`;
}
