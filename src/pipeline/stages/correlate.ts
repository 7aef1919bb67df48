import type { FlowState, FoldedRecord } from "../../domain/flow/flow.ts";
import { flowToJoin } from "../../domain/flow/join.ts";
import {
  addObservation,
  anchorOf,
  copyFlow,
  isCounted,
  type Located,
  newFlow,
} from "../../domain/flow/merge.ts";
import { timeUuid } from "../../kit/id.ts";
import { type Connection, countOf } from "../../domain/detect/kernel/detector.ts";
import type { StoredObservation } from "../../store/flow/evidence.ts";
import type { Cursor } from "../../store/record/pending.ts";
import type { KnownDevice } from "../../store/device/write.ts";
import type { Candidates } from "./candidates.ts";
import type { AddedDevice, DeviceRoster, RosterAddress } from "./devices.ts";
import type { RoundFlows, TupleFlows } from "../state/recent-flows.ts";
import type { ParsedRecord } from "../run/parsed-record.ts";
import type { TimeSlice } from "../run/time-slice.ts";

/** Records between two checks of the clock. */
const SLICE_RECORDS = 32;
const NO_DEVICES: readonly AddedDevice[] = [];

/**
 * The effect of one observation at the moment it was processed: flows keep changing within the round, and detectors
 * must not see later changes.
 */
export interface Step extends StoredObservation {
  /** The observation's own source and destination, and the devices known at that moment. */
  src: RosterAddress;
  dst: RosterAddress;
  srcDevice: KnownDevice | null;
  dstDevice: KnownDevice | null;
  /** Devices of the tenant so far. */
  deviceCount: number;
  /** Earliest start of any flow of the tenant so far. */
  historySince: number;
  /** Set if the observation has counters: the connection as its flow describes it from here on. */
  connection: Connection | null;
  /** Devices that this observation shows for the first time. */
  newDevices: readonly AddedDevice[];
}

export interface Correlation extends RoundFlows {
  steps: Step[];
  /** The updated flows as they were before the round, in the order of `updated`. */
  before: readonly FlowState[];
  /** Updated flows whose stored row contains evidence that moves to a row of its own. */
  unfolded: FlowState[];
  /** Observations that need a row of their own: all that are not folded into their flows. */
  evidence: StoredObservation[];
  longestFlow: number;
  historySince: number | null;
  latestEnd: number | null;
}

/**
 * Joins observations to flows one by one, in the order of arrival, against the stored flows (`candidates`, which it
 * changes) and the flows created on the way. The outcome does not depend on where a batch ends.
 */
export async function correlate(
  records: readonly ParsedRecord[],
  devices: DeviceRoster,
  candidates: Candidates,
  before: Cursor,
  slice: TimeSlice,
): Promise<Correlation> {
  const correlator = new Correlator(devices, candidates, before);
  for (let from = 0; from < records.length; from += SLICE_RECORDS) {
    if (slice.over) await slice.yield();
    correlator.add(records, from, Math.min(records.length, from + SLICE_RECORDS));
  }
  return correlator.outcome();
}

// V8 optimises functions that await poorly, so work per record stays out of them: only the loop over slices awaits.

class Correlator {
  readonly #created: FlowState[] = [];
  readonly #updated: FlowState[] = [];
  readonly #before: FlowState[] = [];
  readonly #unfolded: FlowState[] = [];
  /** The flow of each step. */
  readonly #flows: FlowState[] = [];
  readonly #steps: Step[] = [];
  /** The last batch of the round before. */
  readonly #after: number;
  #longestFlow: number;
  #historySince: number;
  #latestEnd: number;

  constructor(
    private readonly devices: DeviceRoster,
    private readonly candidates: Candidates,
    { batchNo, longestFlow, historySince, latestEnd }: Cursor,
  ) {
    this.#after = batchNo;
    this.#longestFlow = longestFlow;
    this.#historySince = historySince ?? Infinity;
    this.#latestEnd = latestEnd ?? -Infinity;
  }

  /** Processes the records from index `from` to before `to`. */
  add(records: readonly ParsedRecord[], from: number, to: number): void {
    for (let at = from; at < to; at++) this.#add(records[at]!, at);
  }

  outcome(): Correlation {
    return {
      steps: this.#steps,
      created: this.#created,
      updated: this.#updated,
      before: this.#before,
      unfolded: this.#unfolded,
      evidence: this.#steps.filter(({ record }, at) => !isFolded(record, this.#flows[at]!)),
      byTuple: this.candidates.byTuple,
      longestFlow: this.#longestFlow,
      historySince: this.#historySince === Infinity ? null : this.#historySince,
      latestEnd: this.#latestEnd === -Infinity ? null : this.#latestEnd,
    };
  }

  #add(record: ParsedRecord, at: number): void {
    const { devices } = this;
    const { observation } = record;
    const src = devices.srcOf(at);
    const dst = devices.dstOf(at);
    const devicesBefore = devices.added.length;
    devices.observe(record, src, dst);
    const ofTuple = this.candidates.ofRecords[at]!;
    let flow = ofTuple === null ? null : this.#joined(ofTuple, record);
    let connected: boolean;
    let sentBefore = 0;
    if (flow === null) {
      flow = this.#create(record, ofTuple);
      connected = isCounted(flow);
    } else {
      const { folded } = flow;
      sentBefore = countOf(flow.counters.srcToDst.bytes);
      connected = addObservation(flow, record);
      this.#noteUnfolded(flow, folded);
    }
    // This record may be the first that shows an endpoint answering, which makes it a device.
    const turned = flow.src.ip !== src.ip;
    flow.srcDeviceId ??= (turned ? dst : src).device?.deviceId ?? null;
    flow.dstDeviceId ??= (turned ? src : dst).device?.deviceId ?? null;
    this.#longestFlow = Math.max(this.#longestFlow, flow.end - flow.start);
    this.#historySince = Math.min(this.#historySince, flow.start);
    this.#latestEnd = Math.max(this.#latestEnd, flow.end);
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

  #create(record: ParsedRecord, ofTuple: TupleFlows | null): FlowState {
    const flow = createFlow(record);
    this.#created.push(flow);
    if (ofTuple === null) return flow;
    if (ofTuple.flows === null) ofTuple.flows = [flow];
    else ofTuple.flows.push(flow);
    return flow;
  }

  /** The flow that the record joins, ready to be changed by this round; null if it joins none. */
  #joined(ofTuple: TupleFlows, { observation, nativeHash }: ParsedRecord): FlowState | null {
    const { flows } = ofTuple;
    if (flows === null) return null;
    const { start, end, source, counters } = observation;
    const flow = flowToJoin(flows, { start, end, nativeHash, source, counted: counters !== null });
    if (flow === null) return null;
    const place = flows.indexOf(flow);
    if (place >= ofTuple.shared) return flow;
    const own = copyFlow(flow);
    const last = --ofTuple.shared;
    flows[place] = flows[last]!;
    flows[last] = own;
    this.#updated.push(own);
    this.#before.push(flow);
    return own;
  }

  /** @param folded The record that was folded into the flow before. */
  #noteUnfolded(flow: FlowState, folded: FoldedRecord | null): void {
    // A record that this round folded and unfolded again was never stored as folded.
    if (folded !== null && folded.batchNo <= this.#after && flow.folded !== folded) this.#unfolded.push(flow);
  }
}

function isFolded({ evidenceId }: Located, flow: FlowState): boolean {
  return flow.folded !== null && flow.primary.evidenceId === evidenceId;
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

/** The id is derived from the first record (bytes that its evidence id does not use), so a replay creates the same flow. */
function createFlow(record: ParsedRecord): FlowState {
  const { start } = record.observation;
  return newFlow(record, timeUuid(start, record.eventIds, record.eventAt + 16), anchorOf(start));
}
