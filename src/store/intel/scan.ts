import { RECORD_KINDS } from "../../contract/record/kinds.ts";
import { INTEL_FACT_TYPES } from "../../domain/intel/hits.ts";
import type { Facts } from "../../domain/record/facts.ts";
import { normaliserFor } from "../../domain/record/registry.ts";
import type { Tx } from "../engine/database.ts";
import { toFacts } from "../flow/read.ts";
import { fromInet } from "../flow/flows.ts";
import { plainArray, textArray, timestampLiteral } from "../engine/literals.ts";
import { type Sql, sql } from "../engine/sql.ts";
import { kindNumber } from "../record/vocabulary.ts";

// Scans of the kept flows and observations in slices, for new indicators. Times in microseconds.

/** A flow with the columns that are compared. */
export interface ScannedFlow {
  flowId: string;
  srcIp: string;
  dstIp: string;
  /** The observation that is folded into the flow's row; null without one. */
  folded: ScannedObservation | null;
  /** Whether it has other observations. */
  others: boolean;
}

export interface ScannedObservation {
  flowId: string;
  evidenceId: string;
  start: number;
  end: number;
  receivedAt: number;
  batchNo: number;
}

interface FlowRow {
  flow_id: string;
  src_ip: string;
  dst_ip: string;
  start_at: number;
  end_at: number;
  received_at: number;
  folded_batch_no: number | null;
  primary_evidence_id: string;
  observation_count: number;
}

const FLOW_COLUMNS =
  sql`flow_id, src_ip, dst_ip, start_at, end_at, received_at, folded_batch_no, primary_evidence_id, observation_count`;

/** Flows by id after `after`; null starts the scan. */
export async function scanFlows(
  tx: Tx,
  tenantId: string,
  after: string | null,
  limit: number,
): Promise<ScannedFlow[]> {
  const behind = after === null ? sql`` : sql`and flow_id > ${after}::uuid`;
  const rows = await tx.rows<FlowRow>(sql`
    select ${FLOW_COLUMNS} from flow where tenant_id = ${tenantId} ${behind} order by flow_id limit ${limit}`);
  return rows.map(toScannedFlow);
}

/** At most `limit` flows with one of these addresses at an end that is not a device. */
export async function flowsOfAddresses(
  tx: Tx,
  tenantId: string,
  ips: readonly string[],
  limit: number,
): Promise<ScannedFlow[]> {
  const some = textArray(ips);
  return await flowsAt(
    tx,
    tenantId,
    (ip) => sql`${ip} = any(${some}::inet[])`,
    limit,
  );
}

/** At most `limit` flows with an address in the inclusive range at an end that is not a device. */
export async function flowsOfRange(
  tx: Tx,
  tenantId: string,
  range: { from: string; to: string },
  limit: number,
): Promise<ScannedFlow[]> {
  return await flowsAt(
    tx,
    tenantId,
    (ip) => sql`${ip} >= ${range.from}::inet and ${ip} <= ${range.to}::inet`,
    limit,
  );
}

/** Flows that match at either end, each once. */
async function flowsAt(
  tx: Tx,
  tenantId: string,
  isWanted: (ip: Sql) => Sql,
  limit: number,
): Promise<ScannedFlow[]> {
  const scan = (ip: Sql, device: Sql) =>
    sql`(select ${FLOW_COLUMNS} from flow
      where tenant_id = ${tenantId} and ${isWanted(ip)} and ${device} is null limit ${limit})`;
  const rows = await tx.rows<FlowRow>(sql`
    ${scan(sql`src_ip`, sql`src_device_id`)} union all ${scan(sql`dst_ip`, sql`dst_device_id`)}`);
  return [...new Map(rows.map((row) => [row.flow_id, toScannedFlow(row)])).values()].slice(0, limit);
}

function toScannedFlow(row: FlowRow): ScannedFlow {
  const { flow_id: flowId, folded_batch_no: batchNo } = row;
  return {
    flowId,
    srcIp: fromInet(row.src_ip),
    dstIp: fromInet(row.dst_ip),
    folded: batchNo === null ? null : {
      flowId,
      evidenceId: row.primary_evidence_id,
      start: row.start_at,
      end: row.end_at,
      receivedAt: row.received_at,
      batchNo,
    },
    others: batchNo === null || row.observation_count > 1,
  };
}

interface ObservationRow {
  flow_id: string;
  evidence_id: string;
  start_at: number;
  end_at: number;
  received_at: number;
  batch_no: number;
}

/** The observations of flows, without the folded ones. */
export async function observationsOfFlows(
  tx: Tx,
  tenantId: string,
  flowIds: readonly string[],
): Promise<ScannedObservation[]> {
  if (flowIds.length === 0) return [];
  const rows = await tx.rows<ObservationRow>(sql`
    select flow_id, evidence_id, start_at, end_at, received_at, batch_no from evidence
    where tenant_id = ${tenantId} and flow_id = any(${plainArray(flowIds)}::uuid[])`);
  return rows.map(toScannedObservation);
}

/** An observation with its facts and its position in the scan. */
export interface ScannedFacts extends ScannedObservation {
  observedAt: number;
  /** Which of the flow's ends its sensor named first. */
  srcLow: boolean;
  /** Null if it has no facts that indicators can match. */
  facts: Facts | null;
}

const FACT_KINDS = RECORD_KINDS.filter((kind) =>
  INTEL_FACT_TYPES.some((type) => type === normaliserFor(kind).evidenceKind)
).map(kindNumber);

/**
 * Observations after `after`, by flow, evidence and time; null starts the scan. Folded observations are left
 * out: they have no facts. Facts are not a condition, so that each slice costs the same.
 */
export async function scanFacts(
  tx: Tx,
  tenantId: string,
  after: Pick<ScannedFacts, "flowId" | "evidenceId" | "observedAt"> | null,
  limit: number,
): Promise<ScannedFacts[]> {
  // Under row-level security, only the first condition uses the index.
  const behind = after === null ? sql`` : sql`and flow_id >= ${after.flowId}::uuid
    and (flow_id, evidence_id, observed_at) >
      (${after.flowId}::uuid, ${after.evidenceId}::uuid, ${timestampLiteral(after.observedAt)}::timestamptz)`;
  const rows = await tx.rows<
    ObservationRow & { observed_at: number; src_low: boolean; facts: string | null }
  >(
    sql`
    select flow_id, evidence_id, observed_at, start_at, end_at, received_at, batch_no, src_low,
      case when record_kind_no = any(${plainArray(FACT_KINDS)}::smallint[]) then facts end as facts
    from evidence where tenant_id = ${tenantId} ${behind}
    order by flow_id, evidence_id, observed_at limit ${limit}`,
  );
  return rows.map((row) => ({
    ...toScannedObservation(row),
    observedAt: row.observed_at,
    srcLow: row.src_low,
    facts: toFacts(row.facts),
  }));
}

function toScannedObservation(row: ObservationRow): ScannedObservation {
  return {
    flowId: row.flow_id,
    evidenceId: row.evidence_id,
    start: row.start_at,
    end: row.end_at,
    receivedAt: row.received_at,
    batchNo: row.batch_no,
  };
}
