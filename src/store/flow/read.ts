import type { FlowState } from "../../domain/flow/flow.ts";
import type { EvidenceKind, EvidenceSource, RecordKind, TrustClass } from "../../contract/record/kinds.ts";
import type { Facts } from "../../domain/record/facts.ts";
import type { Count } from "../../domain/record/observation.ts";
import { normaliserFor } from "../../domain/record/registry.ts";
import { parseJson } from "../../kit/json/json.ts";
import type { Tx } from "../engine/database.ts";
import { type FlowRow, toFlowState } from "./flows.ts";
import { SHOWN_COLUMNS, type ShownFlow, type ShownFlowRow, toShownFlow } from "./shown-flows.ts";
import { plainArray, timestampArray, timestampLiteral } from "../engine/literals.ts";
import { all, prepared, type Sql, sql } from "../engine/sql.ts";
import { kindOf, semanticsOf } from "../record/vocabulary.ts";

/** The time in the first 48 bits of an id made by `timeUuid`, in microseconds. */
export function timeOfId(id: string): number {
  return parseInt(id.slice(0, 8) + id.slice(9, 13), 16) * 1000;
}

/**
 * Looks flows up by their ids, each in its one partition. The limit forces separate lookups: the planner does
 * not know that each reads only one partition, and would scan all of them.
 */
export function lookUps(flowIds: readonly string[], conditions: readonly Sql[], columns: Sql = sql`*`): Sql {
  const ids = plainArray(flowIds);
  const anchors = timestampArray(flowIds.map(timeOfId));
  return sql`
    select f.* from unnest(${ids}::uuid[], ${anchors}::timestamptz[]) as u (flow_id, anchor_at)
    cross join lateral (
      select ${columns} from flow where ${
    all([...conditions, anchorWithin(flowIds)])
  } and flow_id = u.flow_id and anchor_at = u.anchor_at limit 1
    ) f`;
}

export async function flowsByIds(
  tx: Tx,
  tenantId: string,
  flowIds: readonly string[],
): Promise<Map<string, FlowState>> {
  if (flowIds.length === 0) return new Map();
  const rows = await tx.rows<FlowRow>(
    lookUps(flowIds, [sql`tenant_id = ${tenantId}`]),
  );
  return new Map(rows.map((row) => [row.flow_id, toFlowState(row)]));
}

/**
 * Limits anchors to the span of these flows' anchors. Each lookup costs a little for each partition that this
 * does not exclude, together several times the cost of the lookup itself.
 */
export function anchorWithin(flowIds: readonly string[]): Sql {
  if (flowIds.length === 0) return sql`false`;
  const anchors = flowIds.map(timeOfId);
  const [oldest, newest] = [Math.min, Math.max].map((pick) =>
    timestampLiteral(anchors.reduce((a, b) => pick(a, b)))
  );
  return sql`anchor_at >= ${oldest}::timestamptz and anchor_at <= ${newest}::timestamptz`;
}

/** What describes the evidence of a flow. */
export type DescribedFlow = Pick<FlowState, "flowId" | "proto" | "src" | "dst" | "service">;

/** As `flowsByIds`, with the columns that are shown: a detail may need hundreds of flows. */
export async function shownFlowsByIds(
  tx: Tx,
  tenantId: string,
  flowIds: readonly string[],
): Promise<Map<string, ShownFlow>> {
  if (flowIds.length === 0) return new Map();
  const rows = await tx.rows<ShownFlowRow>(
    prepared("shown_flows_by_ids", lookUps(flowIds, [sql`tenant_id = ${tenantId}`], SHOWN_COLUMNS)),
  );
  return new Map(rows.map((row) => [row.flow_id, toShownFlow(row)]));
}

export interface EvidenceRow {
  evidence_id: string;
  observed_at: number;
  flow_id: string;
  kind: EvidenceKind;
  record_kind: RecordKind;
  source: EvidenceSource;
  sensor_id: string;
  trust: TrustClass;
  src_low: boolean;
  received_at: number;
  block_id: number | bigint;
  position: number;
  start_at: number;
  end_at: number;
  src_bytes: Count | null;
  src_packets: Count | null;
  dst_bytes: Count | null;
  dst_packets: Count | null;
  semantics: "session" | "unidirectional_export" | "unknown" | null;
  facts: Facts | null;
  warnings: string[] | null;
}

type StoredEvidence = Omit<EvidenceRow, "kind" | "source" | "record_kind" | "semantics" | "facts"> & {
  record_kind_no: number;
  facts: string | null;
  semantics_no: number | null;
};

/** Columns of `observation e join raw_batch b` for `toEvidenceRow`. */
export const EVIDENCE_COLUMNS = sql`
  e.evidence_id, e.flow_id, e.observed_at, e.start_at, e.end_at, e.received_at, e.position, e.src_low, e.record_kind_no,
  e.src_bytes, e.src_packets, e.dst_bytes, e.dst_packets, e.semantics_no, e.facts, e.warnings, b.sensor_id, b.trust,
  b.block_id`;
/** Joins the batch of evidence `e`. */
export const EVIDENCE_BATCH = sql`join raw_batch b on b.tenant_id = e.tenant_id and b.batch_no = e.batch_no`;

/**
 * Joins the evidence `e` of a link `x`, one lookup each as for flows. A link's time is the millisecond in the
 * evidence's id: 1970 for anything earlier, and a little early in far years whose microseconds are not exact.
 */
export function linkedEvidence(tenantId: string): Sql {
  return sql`
    cross join lateral (
      select * from observation
      where tenant_id = ${tenantId} and flow_id = x.flow_id and evidence_id = x.evidence_id
        and anchor_at = flow_anchor(x.flow_id)
        and observed_at >= case when x.observed_at = timestamptz 'epoch' then '-infinity' else x.observed_at end
        and observed_at < x.observed_at + interval '2 milliseconds'
      limit 1
    ) e ${EVIDENCE_BATCH}`;
}

/** The facts of stored evidence: what an observation adds to its flow. */
export function toFacts(text: string | null): Facts | null {
  return text === null ? null : parseJson(text) as unknown as Facts;
}

/** Adds the columns that follow from the record kind. */
export function toEvidenceRow(row: StoredEvidence): EvidenceRow {
  const record_kind = kindOf(row.record_kind_no);
  const semantics = row.semantics_no === null ? null : semanticsOf(row.semantics_no);
  const { source, evidenceKind } = normaliserFor(record_kind);
  return {
    ...row,
    record_kind,
    semantics,
    facts: toFacts(row.facts),
    source,
    kind: evidenceKind ?? "flow_observation",
  };
}

/** At most `limit` observations of a flow by time, after a position. */
export async function evidenceOfFlow(
  tx: Tx,
  tenantId: string,
  flowId: string,
  after: { observedAt: number; evidenceId: string } | null,
  limit: number,
): Promise<EvidenceRow[]> {
  const position = after
    ? sql`and (e.observed_at, e.evidence_id) >
      (${timestampLiteral(after.observedAt)}::timestamptz, ${after.evidenceId}::uuid)`
    : sql``;
  // A flow's evidence may lie in any partition.
  const rows = await tx.rows<StoredEvidence>(prepared(
    after ? "evidence_of_flow_after" : "evidence_of_flow",
    sql`
    select ${EVIDENCE_COLUMNS} from observation e ${EVIDENCE_BATCH}
    where e.tenant_id = ${tenantId} and e.flow_id = ${flowId}::uuid and e.anchor_at = flow_anchor(${flowId}::uuid)
      ${position}
    order by e.observed_at, e.evidence_id limit ${limit}`,
  ));
  return rows.map(toEvidenceRow);
}

/** Of each of these flows the first observations by time, at most `limit`, in the order of the flows. */
export async function firstEvidenceOfFlows(
  tx: Tx,
  tenantId: string,
  flowIds: readonly string[],
  limit: number,
): Promise<EvidenceRow[]> {
  if (flowIds.length === 0) return [];
  const rows = await tx.rows<StoredEvidence>(sql`
    select ${EVIDENCE_COLUMNS} from unnest(${
    plainArray(flowIds)
  }::uuid[]) with ordinality as u (flow_id, place)
    cross join lateral (
      select * from observation
      where tenant_id = ${tenantId} and flow_id = u.flow_id and anchor_at = flow_anchor(u.flow_id)
        and ${anchorWithin(flowIds)}
      order by observed_at, evidence_id limit ${limit}
    ) e ${EVIDENCE_BATCH}
    order by u.place, e.observed_at, e.evidence_id`);
  return rows.map(toEvidenceRow);
}

/** Records of a flow whose facts are compared. */
const MAX_COMPARED_RECORDS = 200;

interface FactsWanted {
  type: Facts["type"];
  /** Distinct facts of each flow. */
  limit: number;
  /** Ends the result with the facts that exceed it. */
  maxBytes: number;
}

/** The facts of one type that records of these flows have, each once, earliest first, by flow. */
export async function factsOfFlows(
  tx: Tx,
  tenantId: string,
  flowIds: readonly string[],
  { type, limit, maxBytes }: FactsWanted,
): Promise<Map<string, Facts[]>> {
  if (flowIds.length === 0) return new Map();
  // Quotes within a string are escaped, so only a member matches. The primary key orders by evidence id, that is
  // by time.
  const rows = await tx.rows<{ flow_id: string; facts: string }>(sql`
    select flow_id, facts from (
      select u.flow_id, u.place, e.first_id, e.facts,
        sum(octet_length(e.facts)) over (order by u.place, e.first_id) - octet_length(e.facts) as bytes_before
      from unnest(${plainArray(flowIds)}::uuid[]) with ordinality as u (flow_id, place)
      cross join lateral (
        select facts, min(evidence_id::text) as first_id from (
          select facts, evidence_id from evidence
          where tenant_id = ${tenantId} and flow_id = u.flow_id and facts like ${`%"type":"${type}"%`}
          order by evidence_id limit ${MAX_COMPARED_RECORDS}
        ) r
        group by facts order by first_id limit ${limit}
      ) e
    ) f
    where bytes_before < ${maxBytes}
    order by place, first_id`);
  const found = rows.flatMap(({ flow_id, facts: text }) => {
    const facts = toFacts(text);
    return facts?.type === type ? [{ flow_id, facts }] : [];
  });
  const byFlow = Map.groupBy(found, ({ flow_id }) => flow_id);
  return new Map([...byFlow].map(([flowId, items]) => [flowId, items.map(({ facts }) => facts)]));
}
