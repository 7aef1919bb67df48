import type { FlowState } from "../../domain/flow/flow.ts";
import { insertEvidence, type StoredObservation, unfoldEvidence } from "./evidence.ts";
import { insertFlows, updateFlows } from "./flows.ts";
import type { Sql } from "../engine/sql.ts";

/** What a round makes of flows and their evidence. */
interface FlowChanges {
  created: readonly FlowState[];
  updated: readonly FlowState[];
  /** Of the updated ones those whose own row, as it is stored, has evidence that it will not have any more. */
  unfolded: readonly FlowState[];
  /** What needs a row of its own. */
  evidence: readonly StoredObservation[];
}

/** A statement that is ready to be run. */
export type FlowStatement = Sql;

/** Rows of one statement: some milliseconds to put together. */
const CHUNK = 1000;

/**
 * The statements that write them, to be run in this order; none where there is nothing to write. Putting them together
 * is most of the work on this side: each is made when it is asked for, and all can be before the transaction begins.
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
