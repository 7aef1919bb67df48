import type {
  ProposalContent,
  ProposalDecision,
  ProposalKind,
  ProposalStatus,
} from "../../contract/review/proposal.ts";
import type { Tx } from "../engine/database.ts";
import { jsonText, timestampLiteral } from "../engine/literals.ts";
import { all, sql } from "../engine/sql.ts";

/** Times in microseconds. */
export interface ProposalRow {
  proposal_id: string;
  kind: ProposalKind;
  target_id: string;
  status: ProposalStatus;
  content: ProposalContent;
  reason: string;
  created_by: string;
  created_at: number;
  decided_by: string | null;
  decided_at: number | null;
  comment: string | null;
  revision: number;
}

export async function insertProposal(
  tx: Tx,
  tenantId: string,
  row: Omit<ProposalRow, "status" | "decided_by" | "decided_at" | "comment" | "revision">,
): Promise<void> {
  await tx.run(sql`
    insert into proposal
      (tenant_id, proposal_id, kind, target_id, status, content, reason, created_by, created_at)
    values (${tenantId}, ${row.proposal_id}::uuid, ${row.kind}, ${row.target_id}, 'proposed',
      ${jsonText(row.content)}::text::jsonb, ${row.reason}, ${row.created_by},
      ${timestampLiteral(row.created_at)}::timestamptz)`);
}

/** Newest first. */
export async function listProposals(
  tx: Tx,
  tenantId: string,
  filter: { kind?: ProposalKind; targetId?: string; status?: ProposalStatus },
  before: string | null,
  limit: number,
): Promise<ProposalRow[]> {
  const conditions = [sql`tenant_id = ${tenantId}`];
  if (before !== null) conditions.push(sql`proposal_id < ${before}::uuid`);
  if (filter.kind !== undefined) conditions.push(sql`kind = ${filter.kind}`);
  if (filter.targetId !== undefined) conditions.push(sql`target_id = ${filter.targetId}`);
  if (filter.status !== undefined) conditions.push(sql`status = ${filter.status}`);
  return await tx.rows<ProposalRow>(sql`
    select * from proposal where ${all(conditions)} order by proposal_id desc limit ${limit}`);
}

export async function proposalById(
  tx: Tx,
  tenantId: string,
  proposalId: string,
): Promise<ProposalRow | null> {
  const [row] = await tx.rows<ProposalRow>(sql`
    select * from proposal where tenant_id = ${tenantId} and proposal_id = ${proposalId}::uuid`);
  return row ?? null;
}

/** Saves a decision if the revision still matches; false otherwise. */
export async function decideProposal(
  tx: Tx,
  tenantId: string,
  proposalId: string,
  revision: number,
  decided: { decision: ProposalDecision; by: string; at: number; comment: string | null },
): Promise<boolean> {
  const changed = await tx.run(sql`
    update proposal set status = ${decided.decision}, decided_by = ${decided.by},
      decided_at = ${timestampLiteral(decided.at)}::timestamptz, comment = ${decided.comment},
      revision = revision + 1
    where tenant_id = ${tenantId} and proposal_id = ${proposalId}::uuid and revision = ${revision}`);
  return changed === 1;
}
