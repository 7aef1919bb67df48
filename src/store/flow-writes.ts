import type { FlowState } from "../domain/correlate/flow.ts";
import { insertEvidence, type StoredObservation, unfoldEvidence } from "./evidence.ts";
import { insertFlows, updateFlows } from "./flows.ts";
import type { Sql } from "./sql.ts";

/** What a round makes of flows and their evidence. */
export interface FlowChanges {
  created: readonly FlowState[];
  updated: readonly FlowState[];
  /** Of the updated ones those whose first evidence stood on their own row until now. */
  unfolded: readonly FlowState[];
  /** What needs a row of its own. */
  evidence: readonly StoredObservation[];
}

/**
 * The statements that write them, to be run in this order; none where there is nothing to write. Putting them together
 * is most of the work on this side, and can be done before the transaction begins.
 */
export function flowWrites(tenantId: string, { created, updated, unfolded, evidence }: FlowChanges): Sql[] {
  const writes: Sql[] = [];
  if (created.length > 0) writes.push(insertFlows(tenantId, created));
  if (unfolded.length > 0) writes.push(unfoldEvidence(tenantId, unfolded));
  if (updated.length > 0) writes.push(updateFlows(tenantId, updated));
  if (evidence.length > 0) writes.push(insertEvidence(tenantId, evidence));
  return writes;
}
