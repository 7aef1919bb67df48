import type { EvidenceItem, FlowObservation } from "../../contract/flow/flow.ts";
import { parseJson, stringifyJson } from "../../kit/json/json.ts";
import { parseTimestamp } from "../../kit/time.ts";
import type { Tx } from "../engine/database.ts";
import { plainArray, timestampLiteral } from "../engine/literals.ts";
import { type Column, insertRows } from "../engine/rows.ts";
import { sql } from "../engine/sql.ts";

const KEPT: Column<FlowObservation>[] = [
  { name: "evidence_id", type: "uuid", of: (kept) => kept.evidence_id },
  { name: "flow_id", type: "uuid", of: (kept) => kept.flow_id },
  { name: "observed_at", type: "timestamptz", of: (kept) => parseTimestamp(kept.observed_at)!.micros },
  { name: "observation", type: "text", of: (kept) => stringifyJson(kept) },
];

/** Saves observations, as shown now, beyond the retention. */
export async function keepEvidence(
  tx: Tx,
  tenantId: string,
  kept: readonly FlowObservation[],
): Promise<void> {
  if (kept.length > 0) {
    await tx.run(sql`${insertRows("kept_evidence", tenantId, KEPT, kept)} on conflict do nothing`);
  }
}

/** The kept items among these ids. */
export async function keptItems(
  tx: Tx,
  tenantId: string,
  evidenceIds: readonly string[],
): Promise<EvidenceItem[]> {
  if (evidenceIds.length === 0) return [];
  const rows = await tx.rows<{ observation: string }>(sql`
    select observation from kept_evidence
    where tenant_id = ${tenantId} and evidence_id = any(${plainArray(evidenceIds)}::uuid[])`);
  return rows.map((row) => itemOf(toObservation(row)));
}

/** A kept observation, with its whole record; null if there is none. */
export async function keptById(
  tx: Tx,
  tenantId: string,
  evidenceId: string,
): Promise<FlowObservation | null> {
  const [row] = await tx.rows<{ observation: string }>(sql`
    select observation from kept_evidence where tenant_id = ${tenantId} and evidence_id = ${evidenceId}::uuid`);
  return row ? toObservation(row) : null;
}

/** The kept observations among these ids, each with its whole record: ask for few at once. */
export async function keptByIds(
  tx: Tx,
  tenantId: string,
  evidenceIds: readonly string[],
): Promise<FlowObservation[]> {
  if (evidenceIds.length === 0) return [];
  const rows = await tx.rows<{ observation: string }>(sql`
    select observation from kept_evidence
    where tenant_id = ${tenantId} and evidence_id = any(${plainArray(evidenceIds)}::uuid[])
    order by observed_at, evidence_id`);
  return rows.map(toObservation);
}

/** The kept observations of a flow, which may itself be dropped, by time. */
export async function keptOfFlow(
  tx: Tx,
  tenantId: string,
  flowId: string,
  after: { observedAt: number; evidenceId: string } | null,
  limit: number,
): Promise<FlowObservation[]> {
  const position = after
    ? sql`and (observed_at, evidence_id) >
      (${timestampLiteral(after.observedAt)}::timestamptz, ${after.evidenceId}::uuid)`
    : sql``;
  const rows = await tx.rows<{ observation: string }>(sql`
    select observation from kept_evidence
    where tenant_id = ${tenantId} and flow_id = ${flowId}::uuid ${position}
    order by observed_at, evidence_id limit ${limit}`);
  return rows.map(toObservation);
}

/** Deletes kept evidence unless an incident needs it that is open, or was at `cutoff` (microseconds). */
export async function expireKept(tx: Tx, tenantId: string, cutoff: number): Promise<void> {
  await tx.run(sql`
    delete from kept_evidence k where k.tenant_id = ${tenantId} and not exists (
      select from incident_evidence x
      join incident i on i.tenant_id = ${tenantId} and i.incident_id = x.incident_id
      where x.tenant_id = ${tenantId} and x.evidence_id = k.evidence_id
        and (i.status in ('open', 'investigating') or exists (
          select from workflow_history h
          where h.tenant_id = ${tenantId} and h.object_id = i.incident_id
            and h.at >= ${timestampLiteral(cutoff)}::timestamptz)))`);
}

function toObservation({ observation }: { observation: string }): FlowObservation {
  return parseJson(observation) as unknown as FlowObservation;
}

function itemOf(kept: FlowObservation): EvidenceItem {
  return {
    evidence_id: kept.evidence_id,
    kind: kept.kind,
    source: kept.source,
    sensor_id: kept.sensor_id,
    observed_at: kept.observed_at,
    received_at: kept.received_at,
    trust: kept.trust,
    summary: kept.summary,
    flow_id: kept.flow_id,
    record_kind: kept.record_kind,
  };
}
