import type { FlowState } from "../../domain/flow/flow.ts";
import { NATIVE_SPAN, UNNAMED_SPAN } from "../../domain/flow/join.ts";
import type { Micros } from "../../domain/record/observation.ts";
import type { Tx } from "../../store/engine/database.ts";
import { flowsNear, latestOfTuples } from "../../store/flow/flows.ts";
import { type Cursor, endOfStored } from "../../store/record/pending.ts";
import type { ParsedRecord } from "../run/parsed-record.ts";
import { type FlowsByTuple, MAX_OF_TUPLE, type RecentFlows, type TupleFlows } from "../state/recent-flows.ts";
import type { SeenTuples } from "../state/seen-tuples.ts";

/** The flows that records could join. */
export interface Candidates {
  byTuple: FlowsByTuple;
  /** Per record; null for a record without a tuple. */
  ofRecords: (TupleFlows | null)[];
}

interface CandidateOptions {
  tenantId: string;
  records: readonly ParsedRecord[];
  /** The cursor before the round. */
  before: Pick<Cursor, "batchNo" | "longestFlow" | "latestEnd">;
  /** Number of the round's last batch. */
  last: number;
  /** Has begun this round. */
  recent: RecentFlows;
  seen: SeenTuples;
}

/** Returns the flows that a round's records could join: recent flows held in memory, and stored ones. */
export async function loadCandidates(
  tx: Tx,
  { tenantId, records, before, last, recent, seen }: CandidateOptions,
): Promise<Candidates> {
  if (!seen.hasSeen(before.batchNo)) {
    seen.begin(before.batchNo, await latestEnd(tx, tenantId, before, recent));
  }
  const candidates = candidatesOf(records, recent, seen);
  const wanted = wantedTuples(records, candidates);
  const reading = wanted.length > 0 ? addStored(tx, tenantId, wanted, before.longestFlow) : null;
  addTuples(records, seen);
  await reading;
  seen.end(last);
  return candidates;
}

/**
 * The time by which all flows had ended; -Infinity if there are none. A far-future time from a wrong clock stays in the
 * cursor for good, but its flow expires one day, so the stored flows give a second bound. Flows of the round before may
 * not be stored yet.
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

/** An entry per tuple of the records, with the flows known in memory. */
function candidatesOf(records: readonly ParsedRecord[], recent: RecentFlows, seen: SeenTuples): Candidates {
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

/** A tuple that may have joinable flows in the store that are not in memory, and the time range of its records. */
interface Wanted {
  tuple: string;
  ofTuple: TupleFlows;
  start: Micros;
  end: Micros;
  nativeHashes: bigint[];
}

function wantedTuples(records: readonly ParsedRecord[], { ofRecords }: Candidates): Wanted[] {
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

/** A record that starts at `start` joins no flow that ended before the returned time. */
function endedSince(start: Micros): Micros {
  return start - NATIVE_SPAN;
}

/**
 * Reads the stored flows of these tuples. For most tuples that is every flow that a current record may join, so the
 * tuple is known from then on; for a tuple with many flows, only those that these records could join.
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

/** The newest flows of the tuple are in memory, and there may be too many others to read them all. */
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
  // start <= anchor <= end holds for every flow, so every joinable flow has its anchor in this range.
  const reach = longestFlow + NATIVE_SPAN;
  const anchors = { from: Infinity, to: -Infinity };
  for (const { start, end } of wanted) {
    anchors.from = Math.min(anchors.from, start - reach);
    // Times before 1970, which come from wrong clocks, have their anchor at 1970.
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
 * Flows in memory are newer than their stored rows. The rows are found by a hash of the tuple, so rows of a colliding
 * tuple are skipped.
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

function addTuples(records: readonly ParsedRecord[], seen: SeenTuples): void {
  for (let at = 0; at < records.length; at++) {
    const { tuple, end } = records[at]!.observation;
    if (tuple !== null) seen.add(tuple, end);
  }
}
