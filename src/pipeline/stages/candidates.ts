import type { FlowState } from "../../domain/flow/flow.ts";
import { NATIVE_SPAN, UNNAMED_SPAN } from "../../domain/flow/join.ts";
import type { Micros } from "../../domain/record/observation.ts";
import type { Tx } from "../../store/engine/database.ts";
import { flowsNear, latestOfTuples } from "../../store/flow/flows.ts";
import { type Cursor, endOfStored } from "../../store/record/pending.ts";
import type { Understood } from "../../store/record/understood.ts";
import type { Taken } from "../run/intake.ts";
import { type FlowsByTuple, MAX_OF_TUPLE, type RecentFlows, type TupleFlows } from "../state/recent-flows.ts";
import type { SeenTuples } from "../state/seen-tuples.ts";

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
  const wanted = toLookFor(records, candidates);
  const reading = wanted.length > 0 ? addStored(tx, tenantId, wanted, before.longestFlow) : null;
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
      ofTuple = recent.of(tuple!) ?? { flows: null, shared: 0, othersEnd: Infinity };
      if (ofTuple.othersEnd === Infinity) ofTuple.othersEnd = seen.noneAfter(tuple!);
      byTuple.set(tuple!, ofTuple);
    }
    ofRecords.push(ofTuple);
  }
  return { byTuple, ofRecords };
}

/** A tuple of which flows may be stored that are not known here and could be joined, and its records all together. */
interface Wanted {
  tuple: string;
  ofTuple: TupleFlows;
  start: Micros;
  end: Micros;
  nativeHashes: bigint[];
}

function toLookFor(records: readonly Understood[], { ofRecords }: Candidates): Wanted[] {
  const wanted = new Map<TupleFlows, Wanted>();
  for (let at = 0; at < records.length; at++) {
    const ofTuple = ofRecords[at]!;
    if (ofTuple === null) continue;
    const { observation, nativeHash } = records[at]!;
    const { tuple, start, end } = observation;
    if (endedSince(start) > ofTuple.othersEnd) continue;
    let one = wanted.get(ofTuple);
    if (one === undefined) {
      wanted.set(ofTuple, one = { tuple: tuple!, ofTuple, start, end, nativeHashes: [] });
    }
    one.start = Math.min(one.start, start);
    one.end = Math.max(one.end, end);
    if (nativeHash !== null) one.nativeHashes.push(nativeHash);
  }
  return [...wanted.values()];
}

/** What ended before that is joined by no record that starts then. */
function endedSince(start: Micros): Micros {
  return start - NATIVE_SPAN;
}

/**
 * Reads these flows. Of most tuples that is whatever a record of today's network may join, which is then known; of one with very
 * many flows only those that its records could join.
 */
async function addStored(
  tx: Tx,
  tenantId: string,
  wanted: readonly Wanted[],
  longestFlow: number,
): Promise<void> {
  const unread = wanted.filter(({ ofTuple }) => !isMany(ofTuple));
  if (unread.length > 0) await addLatest(tx, tenantId, unread, longestFlow);
  const left = wanted.filter(({ ofTuple, start }) => endedSince(start) <= ofTuple.othersEnd);
  if (left.length > 0) await addNear(tx, tenantId, left, longestFlow);
}

/** Its newest flows are known, and there may be too many of the others. */
function isMany({ flows }: TupleFlows): boolean {
  return flows !== null && flows.length >= MAX_OF_TUPLE;
}

async function addLatest(
  tx: Tx,
  tenantId: string,
  wanted: readonly Wanted[],
  longestFlow: number,
): Promise<void> {
  const asked = wanted.map(({ tuple, start }) => ({ tuple, since: endedSince(start) }));
  const earliest = asked.reduce((least, { since }) => Math.min(least, since), Infinity);
  const found = await latestOfTuples(tx, tenantId, asked, earliest - longestFlow, MAX_OF_TUPLE);
  for (const [at, one] of wanted.entries()) {
    const flows = found[at]!;
    add(one, flows);
    const othersEnd = flows.length < MAX_OF_TUPLE
      ? asked[at]!.since - 1
      : flows.reduce((least, { end }) => Math.min(least, end), Infinity);
    one.ofTuple.othersEnd = Math.min(one.ofTuple.othersEnd, othersEnd);
  }
}

async function addNear(
  tx: Tx,
  tenantId: string,
  wanted: readonly Wanted[],
  longestFlow: number,
): Promise<void> {
  // start <= anchor <= end holds for every flow, so none that could join has its anchor outside of this.
  const reach = longestFlow + NATIVE_SPAN;
  const anchors = { from: Infinity, to: -Infinity };
  for (const { start, end } of wanted) {
    anchors.from = Math.min(anchors.from, start - reach);
    // The anchor of whatever a wild clock puts before 1970 is 1970.
    anchors.to = Math.max(anchors.to, end + reach, 0);
  }
  const near = wanted.map(({ tuple, start, end }) => ({
    tuple,
    from: start - UNNAMED_SPAN,
    to: end + UNNAMED_SPAN,
  }));
  const byTuple = new Map(wanted.map((one) => [one.tuple, one]));
  const found = Map.groupBy(
    await flowsNear(tx, tenantId, near, anchors, wanted.flatMap((one) => one.nativeHashes)),
    (flow) => flow.tuple!,
  );
  for (const [tuple, flows] of found) {
    const one = byTuple.get(tuple);
    if (one !== undefined) add(one, flows);
  }
}

/**
 * Those that are here already are newer than what is stored. They are found by a hash, and somebody may have made another tuple
 * with the same.
 */
function add({ tuple, ofTuple }: Wanted, stored: readonly FlowState[]): void {
  const here = new Set(ofTuple.flows?.map(({ flowId }) => flowId));
  for (const flow of stored) {
    if (flow.tuple !== tuple || here.has(flow.flowId)) continue;
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
