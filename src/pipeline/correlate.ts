import type { FlowState } from "../domain/correlate/flow.ts";
import { flowToJoin, NATIVE_SPAN, UNNAMED_SPAN } from "../domain/correlate/join.ts";
import { addObservation, copyFlow, isCounted, newFlow } from "../domain/correlate/merge.ts";
import type { Understood } from "../store/understood.ts";
import { timeUuid } from "../kit/id.ts";
import { type Connection, countOf } from "../domain/detect/detector.ts";
import type { Tx } from "../store/database.ts";
import type { StoredObservation } from "../store/evidence.ts";
import { flowsOfTuples, type Joinable, newestAnchor } from "../store/flows.ts";
import type { KnownDevice } from "../store/device-write.ts";
import type { Cursor } from "../store/pending.ts";
import type { AddedDevice, DeviceRoster, RosterAddress } from "./devices.ts";
import type { Taken } from "./intake.ts";
import type { SeenTuples } from "./seen-tuples.ts";
import type { Turns } from "./turns.ts";

const MILLISECOND = 1000;
/** Records between two looks at the clock. */
const SLICE_RECORDS = 32;
const NO_DEVICES: readonly AddedDevice[] = [];

/**
 * What one observation did, as things stood at that moment: flows go on changing within the same round, and the
 * detectors must not see the future.
 */
export interface Step extends StoredObservation {
  /** The observation's own source and destination, and the devices that there were by then. */
  src: RosterAddress;
  dst: RosterAddress;
  srcDevice: KnownDevice | null;
  dstDevice: KnownDevice | null;
  /** Devices of the tenant so far. */
  deviceCount: number;
  /** Earliest start of any flow of the tenant so far. */
  historySince: number;
  /** Set where the observation has counters: the connection as its flow knows it from here on. */
  connection: Connection | null;
  /** Devices that it shows for the first time. */
  newDevices: readonly AddedDevice[];
}

/** What is known of one tuple. Looked up once for a record: there is one of each. */
export interface TupleFlows {
  /** Null where there are none yet. */
  flows: FlowState[] | null;
}

export type FlowsByTuple = Map<string, TupleFlows>;

/** The flows that records could join. */
export interface Candidates {
  byTuple: FlowsByTuple;
  /** Of each record; null for one without a tuple. */
  ofRecords: (TupleFlows | null)[];
}

export interface Correlation {
  steps: Step[];
  created: FlowState[];
  updated: FlowState[];
  /** Of the updated ones those whose first evidence stood on their own row until now. */
  unfolded: FlowState[];
  /** What needs a row of its own: all but the sole records of flows. */
  evidence: StoredObservation[];
  /** All flows with one of the records' tuples that were known, and those made, as the round leaves them. */
  byTuple: FlowsByTuple;
  longestFlow: number;
  historySince: number | null;
}

/**
 * Joins observations to flows one by one, in the order of arrival, against the flows stored (`candidates`, which it
 * changes) and those made on the way; so the outcome does not depend on where a batch ends. Others get
 * their turns meanwhile.
 */
export async function correlate(
  records: readonly Understood[],
  devices: DeviceRoster,
  candidates: Candidates,
  before: { longestFlow: number; historySince: number | null },
  turns: Turns,
): Promise<Correlation> {
  const correlator = new Correlator(devices, candidates, before);
  for (let from = 0; from < records.length; from += SLICE_RECORDS) {
    if (turns.due) await turns.next();
    correlator.add(records, from, Math.min(records.length, from + SLICE_RECORDS));
  }
  return correlator.outcome();
}

// The engine's compiler takes long over a loop that can be suspended: whatever is done for each record has functions of
// its own, and only the slices are in one.

class Correlator {
  readonly #created: FlowState[] = [];
  readonly #updated = new Set<FlowState>();
  readonly #unfolded: FlowState[] = [];
  /** The flow of each step. */
  readonly #flows: FlowState[] = [];
  readonly #steps: Step[] = [];
  readonly #stored: ReadonlySet<FlowState>;
  #longestFlow: number;
  #historySince: number;

  constructor(
    private readonly devices: DeviceRoster,
    private readonly candidates: Candidates,
    { longestFlow, historySince }: { longestFlow: number; historySince: number | null },
  ) {
    this.#longestFlow = longestFlow;
    this.#historySince = historySince ?? Infinity;
    const stored = new Set<FlowState>();
    for (const { flows } of candidates.byTuple.values()) flows?.forEach((flow) => stored.add(flow));
    this.#stored = stored;
  }

  /** Takes up the records from place `from` to before `to`. */
  add(records: readonly Understood[], from: number, to: number): void {
    for (let at = from; at < to; at++) this.#add(records[at]!, at);
  }

  outcome(): Correlation {
    return {
      steps: this.#steps,
      created: this.#created,
      updated: [...this.#updated],
      unfolded: this.#unfolded,
      evidence: this.#steps.filter((_, at) => this.#flows[at]!.sole === null),
      byTuple: this.candidates.byTuple,
      longestFlow: this.#longestFlow,
      historySince: this.#historySince === Infinity ? null : this.#historySince,
    };
  }

  #add(record: Understood, at: number): void {
    const { devices } = this;
    const { observation } = record;
    const src = devices.srcOf(at);
    const dst = devices.dstOf(at);
    const devicesBefore = devices.added.length;
    devices.observe(observation, src, dst);
    const ofTuple = this.candidates.ofRecords[at]!;
    let flow = ofTuple === null || ofTuple.flows === null ? null : joinable(ofTuple.flows, record);
    let connected: boolean;
    let sentBefore = 0;
    if (flow === null) {
      flow = this.#create(record, ofTuple);
      connected = isCounted(flow);
    } else {
      this.#noteUpdate(flow);
      sentBefore = countOf(flow.counters.srcToDst.bytes);
      connected = addObservation(flow, record);
    }
    // An end may have become a device only now, by the record that shows it answer.
    const turned = flow.src.ip !== src.ip;
    flow.srcDeviceId ??= (turned ? dst : src).device?.deviceId ?? null;
    flow.dstDeviceId ??= (turned ? src : dst).device?.deviceId ?? null;
    this.#longestFlow = Math.max(this.#longestFlow, flow.end - flow.start);
    this.#historySince = Math.min(this.#historySince, flow.start);
    this.#flows.push(flow);
    this.#steps.push({
      record,
      flowId: flow.flowId,
      src,
      dst,
      srcDevice: src.device,
      dstDevice: dst.device,
      deviceCount: devices.count,
      historySince: this.#historySince,
      connection: observation.counters === null ? null : toConnection(flow, connected, sentBefore),
      newDevices: devices.added.length === devicesBefore ? NO_DEVICES : devices.added.slice(devicesBefore),
    });
  }

  #create(record: Understood, ofTuple: TupleFlows | null): FlowState {
    const flow = createFlow(record);
    this.#created.push(flow);
    if (ofTuple === null) return flow;
    if (ofTuple.flows === null) ofTuple.flows = [flow];
    else ofTuple.flows.push(flow);
    return flow;
  }

  #noteUpdate(flow: FlowState): void {
    if (!this.#stored.has(flow)) return;
    if (flow.sole !== null) this.#unfolded.push(flow);
    this.#updated.add(flow);
  }
}

function joinable(flows: readonly FlowState[], { observation, nativeHash }: Understood): FlowState | null {
  const { start, end, source, counters } = observation;
  return flowToJoin(flows, { start, end, nativeHash, source, counted: counters !== null });
}

function toConnection(flow: FlowState, first: boolean, sentBefore: number): Connection {
  const { flowId, start, end, proto, src, dst, srcDeviceId, dstDeviceId, service, counters } = flow;
  const { srcToDst, dstToSrc } = counters;
  return {
    flowId,
    start,
    end,
    proto,
    src,
    dst,
    srcDeviceId,
    dstDeviceId,
    service,
    serverName: flow.serverName?.name ?? null,
    bytesOut: srcToDst.bytes,
    bytesIn: dstToSrc.bytes,
    packetsOut: srcToDst.packets,
    packetsIn: dstToSrc.packets,
    newBytesOut: Math.max(0, countOf(srcToDst.bytes) - sentBefore),
    exporterDirection: counters.semantics === "unidirectional_export",
    first,
  };
}

/**
 * The flows that the records of a round after batch `before.batchNo` could join: those stored, and those that the round
 * before has left, which may not be committed yet (`left`; they are copied, not changed).
 */
export async function loadCandidates(
  tx: Tx,
  tenantId: string,
  { records, last }: Pick<Taken, "records" | "last">,
  before: Pick<Cursor, "batchNo" | "longestFlow">,
  left: FlowsByTuple | null,
  seen: SeenTuples,
): Promise<Candidates> {
  const candidates = candidatesOf(records);
  const { byTuple } = candidates;
  if (!seen.hasSeen(before.batchNo)) {
    seen.begin(before.batchNo, Math.max(newestOf(left), await newestAnchor(tx, tenantId) ?? -Infinity));
  }
  const wanted = toLookFor(records, before.longestFlow, seen);
  const newer = left === null ? NO_IDS : takeOver(byTuple, left);
  const stored = wanted.tuples.length === 0 ? [] : await flowsOfTuples(tx, tenantId, wanted);
  for (const flow of stored) {
    if (newer.has(flow.flowId)) continue;
    const ofTuple = byTuple.get(flow.tuple!)!;
    if (ofTuple.flows === null) ofTuple.flows = [flow];
    else ofTuple.flows.push(flow);
  }
  addTuples(records, seen);
  seen.end(last);
  return candidates;
}

/** The latest anchor of these flows. */
function newestOf(flows: FlowsByTuple | null): number {
  let newest = -Infinity;
  for (const ofTuple of flows?.values() ?? []) {
    for (const { anchor } of ofTuple.flows ?? []) newest = Math.max(newest, anchor);
  }
  return newest;
}

const NO_IDS: ReadonlySet<string> = new Set();

/** A place for each tuple of the records. */
function candidatesOf(records: readonly Understood[]): Candidates {
  const byTuple: FlowsByTuple = new Map();
  const ofRecords: (TupleFlows | null)[] = [];
  for (let at = 0; at < records.length; at++) {
    const { tuple } = records[at]!.observation;
    let ofTuple = tuple === null ? null : byTuple.get(tuple);
    if (ofTuple === undefined) byTuple.set(tuple!, ofTuple = { flows: null });
    ofRecords.push(ofTuple);
  }
  return { byTuple, ofRecords };
}

/** Copies the flows that the round before left of these tuples, and gives their ids. */
function takeOver(byTuple: FlowsByTuple, before: FlowsByTuple): Set<string> {
  const ids = new Set<string>();
  for (const [tuple, ofTuple] of byTuple) {
    const left = before.get(tuple)?.flows ?? null;
    if (left === null) continue;
    ofTuple.flows = left.map(copyFlow);
    for (const flow of left) ids.add(flow.flowId);
  }
  return ids;
}

/** The flows that may be stored and that the records could join. */
function toLookFor(records: readonly Understood[], longestFlow: number, seen: SeenTuples): Joinable {
  const tuples = new Set<string>();
  const nativeHashes: bigint[] = [];
  const anchors = { from: Infinity, to: -Infinity };
  const near = { from: Infinity, to: -Infinity };
  // start <= anchor <= end holds for every flow, so none that could join has its anchor outside of this.
  const reach = longestFlow + NATIVE_SPAN;
  for (let at = 0; at < records.length; at++) {
    const { observation, nativeHash } = records[at]!;
    const { tuple, start, end } = observation;
    if (tuple === null) continue;
    const from = start - reach;
    // The anchor of whatever a wild clock puts before 1970 is 1970.
    const to = Math.max(end + reach, 0);
    if (!seen.mayHave(tuple, from, to)) continue;
    tuples.add(tuple);
    if (nativeHash !== null) nativeHashes.push(nativeHash);
    anchors.from = Math.min(anchors.from, from);
    anchors.to = Math.max(anchors.to, to);
    near.from = Math.min(near.from, start - UNNAMED_SPAN);
    near.to = Math.max(near.to, end + UNNAMED_SPAN);
  }
  return { tuples: [...tuples], anchors, near, nativeHashes };
}

function addTuples(records: readonly Understood[], seen: SeenTuples): void {
  for (let at = 0; at < records.length; at++) {
    const { tuple, start } = records[at]!.observation;
    if (tuple !== null) seen.add(tuple, anchorOf(start));
  }
}

/** The id follows from the first record (bytes its evidence id leaves), so a replay makes the same flow again. */
function createFlow(record: Understood): FlowState {
  const { start } = record.observation;
  return newFlow(record, timeUuid(start, record.eventIds, record.eventAt + 16), anchorOf(start));
}

/** Where a flow that begins then is anchored: at the millisecond, and not before 1970. */
function anchorOf(start: number): number {
  return Math.max(0, Math.floor(start / MILLISECOND)) * MILLISECOND;
}
