import type { FlowState } from "../../domain/flow/flow.ts";
import { insertEvidence, type StoredObservation, unfoldEvidence } from "./evidence.ts";
import { insertFlows, updateFlows } from "./flows.ts";
import type { Sql } from "../engine/sql.ts";

/** A round's changes of flows and evidence. */
interface FlowChanges {
  created: readonly FlowState[];
  updated: readonly FlowState[];
  /** The updated flows whose stored row has folded evidence that the new row will not have. */
  unfolded: readonly FlowState[];
  /** Evidence that needs a row of its own. */
  evidence: readonly StoredObservation[];
}

/** A prepared statement of `flowWrites`. */
export type FlowStatement = Sql;

/** Rows per statement: takes a few milliseconds to encode. */
const CHUNK = 1000;

/**
 * The statements that write the changes, to be run in this order. Encoding them is most of the work on the
 * client side: each is made lazily, and all can be made before the transaction begins.
 */
export function* flowWrites(tenantId: string, changes: FlowChanges): Generator<FlowStatement> {
  const { created, updated, unfolded, evidence } = changes;
  for (const rows of chunks(created)) yield insertFlows(tenantId, rows);
  for (const rows of chunks(unfolded)) yield unfoldEvidence(tenantId, rows);
  for (const rows of chunks(updated)) yield updateFlows(tenantId, rows);
  for (const rows of chunks(evidence)) yield insertEvidence(tenantId, rows);
}

function* chunks<T>(rows: readonly T[]): Generator<readonly T[]> {
  for (let from = 0; from < rows.length; from += CHUNK) yield rows.slice(from, from + CHUNK);
}
