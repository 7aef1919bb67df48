import { NATIVE_SPAN, UNNAMED_SPAN } from "../domain/correlate/join.ts";
import type { Tx } from "../store/database.ts";
import { flowsOfTuples, type Joinable } from "../store/flows.ts";
import { type Cursor, endOfStored } from "../store/pending.ts";
import type { Understood } from "../store/understood.ts";
import type { Taken } from "./intake.ts";
import type { FlowsByTuple, RecentFlows, TupleFlows } from "./recent-flows.ts";
import type { SeenTuples } from "./seen-tuples.ts";

/** The flows that records could join. */
export interface Candidates {
  byTuple: FlowsByTuple;
  /** Of each record; null for one without a tuple. */
  ofRecords: (TupleFlows | null)[];
}

/**
 * The flows that the records of a round after batch `before.batchNo` could join: those that the rounds before have left here
 * (`recent`, which has begun this round), and those stored.
 */
export async function loadCandidates(
  tx: Tx,
  tenantId: string,
  { records, last }: Pick<Taken, "records" | "last">,
  before: Pick<Cursor, "batchNo" | "longestFlow" | "latestEnd">,
  recent: RecentFlows,
  seen: SeenTuples,
): Promise<Candidates> {
  if (!seen.hasSeen(before.batchNo)) {
    seen.begin(before.batchNo, await latestEnd(tx, tenantId, before, recent));
  }
  const candidates = candidatesOf(records, recent, seen);
  const wanted = toLookFor(records, candidates, before.longestFlow, seen);
  const reading = wanted.tuples.length > 0 ? addStored(tx, tenantId, candidates.byTuple, wanted) : null;
  addTuples(records, seen);
  await reading;
  seen.end(last);
  return candidates;
}

/**
 * By then all flows had ended, -Infinity where there are none. What a wild clock has told stays with the cursor for good; of the
 * flows it is gone one day. Those of the round before may not be stored yet.
 */
async function latestEnd(
  tx: Tx,
  tenantId: string,
  before: Pick<Cursor, "longestFlow" | "latestEnd">,
  recent: RecentFlows,
): Promise<number> {
  if (before.latestEnd === null) return -Infinity;
  const stored = await endOfStored(tx, tenantId, before.longestFlow);
  return Math.min(before.latestEnd, Math.max(stored ?? -Infinity, recent.latestEnd()));
}

/** A place for each tuple of the records, with what is known of it. */
function candidatesOf(records: readonly Understood[], recent: RecentFlows, seen: SeenTuples): Candidates {
  const byTuple: FlowsByTuple = new Map();
  const ofRecords: (TupleFlows | null)[] = [];
  for (let at = 0; at < records.length; at++) {
    const { tuple } = records[at]!.observation;
    let ofTuple = tuple === null ? null : byTuple.get(tuple);
    if (ofTuple === undefined) {
      ofTuple = recent.of(tuple!) ?? { flows: null, shared: 0, othersEnd: seen.noneAfter(tuple!) };
      byTuple.set(tuple!, ofTuple);
    }
    ofRecords.push(ofTuple);
  }
  return { byTuple, ofRecords };
}

/** The flows that may be stored, are not known here, and could be joined. */
function toLookFor(
  records: readonly Understood[],
  { ofRecords }: Candidates,
  longestFlow: number,
  seen: SeenTuples,
): Joinable {
  const tuples = new Set<string>();
  const nativeHashes: bigint[] = [];
  const anchors = { from: Infinity, to: -Infinity };
  const near = { from: Infinity, to: -Infinity };
  // start <= anchor <= end holds for every flow, so none that could join has its anchor outside of this.
  const reach = longestFlow + NATIVE_SPAN;
  for (let at = 0; at < records.length; at++) {
    const ofTuple = ofRecords[at]!;
    if (ofTuple === null) continue;
    const { observation, nativeHash } = records[at]!;
    const { tuple, start, end } = observation;
    // What ended before that is joined by no means.
    const since = start - NATIVE_SPAN;
    if (since > ofTuple.othersEnd || !seen.mayHave(tuple!, since)) continue;
    tuples.add(tuple!);
    if (nativeHash !== null) nativeHashes.push(nativeHash);
    anchors.from = Math.min(anchors.from, start - reach);
    // The anchor of whatever a wild clock puts before 1970 is 1970.
    anchors.to = Math.max(anchors.to, end + reach, 0);
    near.from = Math.min(near.from, start - UNNAMED_SPAN);
    near.to = Math.max(near.to, end + UNNAMED_SPAN);
  }
  return { tuples: [...tuples], anchors, near, nativeHashes };
}

/** Reads these flows; those that are here already are newer than what is stored. */
async function addStored(tx: Tx, tenantId: string, byTuple: FlowsByTuple, wanted: Joinable): Promise<void> {
  const newer = new Set<string>();
  for (const tuple of wanted.tuples) byTuple.get(tuple)!.flows?.forEach(({ flowId }) => newer.add(flowId));
  for (const flow of await flowsOfTuples(tx, tenantId, wanted)) {
    if (newer.has(flow.flowId)) continue;
    // They are found by a hash, and somebody may have made another tuple with the same.
    const ofTuple = byTuple.get(flow.tuple!);
    if (ofTuple === undefined) continue;
    if (ofTuple.flows === null) ofTuple.flows = [flow];
    else ofTuple.flows.push(flow);
    ofTuple.shared++;
  }
}

function addTuples(records: readonly Understood[], seen: SeenTuples): void {
  for (let at = 0; at < records.length; at++) {
    const { tuple, end } = records[at]!.observation;
    if (tuple !== null) seen.add(tuple, end);
  }
}
