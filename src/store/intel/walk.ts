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

// What is kept, to be looked through slice by slice when lists name something new. Times in microseconds.

/** A flow, as far as its ends are compared. */
export interface WalkedFlow {
  flowId: string;
  srcIp: string;
  dstIp: string;
  /** The observation that stands on the flow's own row; null where none does. */
  folded: WalkedObservation | null;
  /** Whether it has others. */
  others: boolean;
}

export interface WalkedObservation {
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

/** The flows behind one by their ids, which never change; null for the first ones. */
export async function walkFlows(
  tx: Tx,
  tenantId: string,
  after: string | null,
  limit: number,
): Promise<WalkedFlow[]> {
  const behind = after === null ? sql`` : sql`and flow_id > ${after}::uuid`;
  const rows = await tx.rows<FlowRow>(sql`
    select ${FLOW_COLUMNS} from flow where tenant_id = ${tenantId} ${behind} order by flow_id limit ${limit}`);
  return rows.map(toWalkedFlow);
}

/** Flows with one of these addresses at an end that is no device; `limit` of them at most. */
export async function flowsOfAddresses(
  tx: Tx,
  tenantId: string,
  ips: readonly string[],
  limit: number,
): Promise<WalkedFlow[]> {
  const some = textArray(ips);
  return await flowsAt(
    tx,
    tenantId,
    (ip) => sql`${ip} = any(${some}::inet[])`,
    limit,
  );
}

/** Flows with an address from one to another, inclusive, at an end that is no device; `limit` of them at most. */
export async function flowsOfRange(
  tx: Tx,
  tenantId: string,
  range: { from: string; to: string },
  limit: number,
): Promise<WalkedFlow[]> {
  return await flowsAt(
    tx,
    tenantId,
    (ip) => sql`${ip} >= ${range.from}::inet and ${ip} <= ${range.to}::inet`,
    limit,
  );
}

/** A flow with such addresses at both ends comes once. */
async function flowsAt(
  tx: Tx,
  tenantId: string,
  isAsked: (ip: Sql) => Sql,
  limit: number,
): Promise<WalkedFlow[]> {
  const scan = (ip: Sql, device: Sql) =>
    sql`(select ${FLOW_COLUMNS} from flow
      where tenant_id = ${tenantId} and ${isAsked(ip)} and ${device} is null limit ${limit})`;
  const rows = await tx.rows<FlowRow>(sql`
    ${scan(sql`src_ip`, sql`src_device_id`)} union all ${scan(sql`dst_ip`, sql`dst_device_id`)}`);
  return [...new Map(rows.map((row) => [row.flow_id, toWalkedFlow(row)])).values()].slice(0, limit);
}

function toWalkedFlow(row: FlowRow): WalkedFlow {
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

/** The observations of flows, without those that stand on the flows' own rows. */
export async function observationsOfFlows(
  tx: Tx,
  tenantId: string,
  flowIds: readonly string[],
): Promise<WalkedObservation[]> {
  if (flowIds.length === 0) return [];
  const rows = await tx.rows<ObservationRow>(sql`
    select flow_id, evidence_id, start_at, end_at, received_at, batch_no from evidence
    where tenant_id = ${tenantId} and flow_id = any(${plainArray(flowIds)}::uuid[])`);
  return rows.map(toWalkedObservation);
}

/** An observation, what it says, and its place in the walk. */
export interface WalkedFacts extends WalkedObservation {
  observedAt: number;
  /** Which of the flow's ends its sensor named first. */
  srcLow: boolean;
  /** Null where it says nothing that indicators may name. */
  facts: Facts | null;
}

const FACT_KINDS = RECORD_KINDS.filter((kind) =>
  INTEL_FACT_TYPES.some((type) => type === normaliserFor(kind).evidenceKind)
).map(kindNumber);

/**
 * The observations behind one, in an order that never changes; null for the first ones. Without those that stand on their
 * flows' own rows, which say nothing. (What they say is no condition: so a slice costs the same whatever they say.)
 */
export async function walkFacts(
  tx: Tx,
  tenantId: string,
  after: Pick<WalkedFacts, "flowId" | "evidenceId" | "observedAt"> | null,
  limit: number,
): Promise<WalkedFacts[]> {
  // The first condition alone is one that an index keeps under row-level security.
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
    ...toWalkedObservation(row),
    observedAt: row.observed_at,
    srcLow: row.src_low,
    facts: toFacts(row.facts),
  }));
}

function toWalkedObservation(row: ObservationRow): WalkedObservation {
  return {
    flowId: row.flow_id,
    evidenceId: row.evidence_id,
    start: row.start_at,
    end: row.end_at,
    receivedAt: row.received_at,
    batchNo: row.batch_no,
  };
}
